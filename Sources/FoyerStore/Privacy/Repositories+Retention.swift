package import FoyerModel
import FoyerSQLite

extension Repositories {
    package func prune() async throws(StoreError) { _ = try await pruneSome() }

    /// Removes a portion of what is over its time.
    func pruneSome() async throws(StoreError) -> RetentionPolicy.Pruned {
        let hasWork = try await read { db in
            try Retention(retention, at: clock.now(in: db)).hasWork(in: db)
        }
        // Most of the time nothing is over its time, and then nothing is written.
        return hasWork ? try await write { db in try pruned(in: db) } : RetentionPolicy.Pruned()
    }

    private func pruned(in db: Connection) throws -> RetentionPolicy.Pruned {
        let outbox = try outbox(in: db)
        return try Retention(retention, at: outbox.time).prune(outbox)
    }

    /// What `pruneAll` would remove.
    package func prunable() async throws(StoreError) -> RetentionPolicy.Pruned {
        try await read { db in try Retention(retention, at: clock.now(in: db)).count(in: db) }
    }

    /// Removes everything that is over its time, then rewrites the file so that no byte of it is left.
    package func pruneAll() async throws(StoreError) -> RetentionPolicy.Pruned {
        let subject = environment.makeID().text
        var all = RetentionPolicy.Pruned()
        while true {
            let part = try await write { db in
                let part = try pruned(in: db)
                if !part.isEmpty { try Scrubs.add(subject, in: db) }
                return part
            }
            if part.isEmpty { break }
            all.expired += part.expired
            all.flows += part.flows
            all.submissions += part.submissions
            all.events += part.events
        }
        guard !all.isEmpty else { return all }
        do throws(StoreError) {
            try await scrub([subject])
        } catch {
            // It is gone from the tables, whatever keeps the files from being cleaned.
            all.remnants = error.message
        }
        return all
    }
}
