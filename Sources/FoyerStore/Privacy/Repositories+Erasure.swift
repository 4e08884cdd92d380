package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// Erases a person: their row, flows, answers, submissions and secrets, and what names them in the journal and in
    /// saved trees. Then looks through the files.
    ///
    /// A submission that was surely never sent is taken back with it. Killed anywhere, the person is wholly there or
    /// wholly gone, and the next opening of the store cleans the files.
    /// - Throws: `notFound`; `inFlight` while the network may be acting for the person.
    package func erase(_ id: UUIDv7) async throws(StoreError) -> Erasure {
        let subject = environment.makeID(), now = environment.now()
        let (person, remains, secrets) = try await write { db in
            let person = try PersonRows(id, in: db)
            try person.requireAtRest(in: db)
            let remains = try person.remains(in: db)
            let before = try Secrets.count(in: db)
            try person.erase(as: subject, at: now, in: db)
            return (person, remains, before - (try Secrets.count(in: db)))
        }
        var proof: ErasureProof?, remnants: String?
        do throws(StoreError) {
            proof = try await clean(of: remains)
            if proof?.hits == 0 {
                try await write { db in try Scrubs.remove([subject.text], in: db) }
            } else {
                remnants = Self.foreignCopy
            }
        } catch {
            // The person is gone, whatever keeps the files from being cleaned.
            remnants = error.message
        }
        return Erasure(
            subject: subject, flows: person.flows.count, submissions: person.submissions.count, secrets: secrets,
            proof: proof, remnants: remnants)
    }

    private static let foreignCopy =
        "What was erased was found where no row of ours is; another program may have written it back."

    /// Empties the log and looks through the files; where anything is found, the database is written anew before.
    private func clean(of remains: Remains) async throws(StoreError) -> ErasureProof {
        let values = Array(remains.values)
        try await emptyLog()
        var scan = try await scan(values.map(\.key))
        if scan.hits.contains(where: { $0 > 0 }) {
            try await rewrite()
            try await emptyLog()
            scan = try await self.scan(values.map(\.key))
        }
        let found = zip(values, scan.hits).filter { $0.1 > 0 }
        let used = try await read { db in
            try found.map { (column: $0.0.value, hits: $0.1, isUsed: try Remains.isUsed($0.0.key, in: db)) }
        }
        return ErasureProof(
            files: scan.files.map { ErasureProof.File(path: $0.path, bytes: $0.bytes) }, values: values.count,
            hits: used.filter { !$0.isUsed }.reduce(0) { $0 + $1.hits },
            stillUsed: Set(used.filter(\.isUsed).map(\.column)).sorted(), tooShort: remains.tooShort)
    }

    /// Finishes what an erasure could not, because it was killed or somebody was in the way; nothing is waited for.
    func finishScrubs() async {
        do throws(StoreError) {
            let subjects = try query { db in try Scrubs.all(in: db) }
            if !subjects.isEmpty { try await scrub(subjects, within: .milliseconds(50)) }
        } catch {
            // It stays noted, and no reason to keep the store closed.
        }
    }

    /// Writes over all that is no row: the values are not known any more, so that nothing can be looked for.
    /// - Throws: `busy` while another program reads or writes.
    func scrub(_ subjects: [String], within timeout: Duration = .seconds(5)) async throws(StoreError) {
        // Where somebody is in the way, the log would only grow by a whole database.
        try await emptyLog(within: timeout)
        try await rewrite()
        try await emptyLog(within: timeout)
        try await write { db in try Scrubs.remove(subjects, in: db) }
    }

    private func scan(_ values: [[UInt8]]) async throws(StoreError) -> FileScan {
        do { return try await database.scan(for: values) } catch { throw StoreError(error) }
    }

    private func rewrite() async throws(StoreError) {
        do { try await database.rewrite() } catch { throw StoreError(error) }
    }

    /// - Throws: `busy` while another program reads or writes.
    private func emptyLog(within timeout: Duration = .seconds(5)) async throws(StoreError) {
        let end = ContinuousClock.now + timeout
        while true {
            do {
                let left = end - ContinuousClock.now
                if try await database.checkpoint(timeout: max(.milliseconds(1), left)) == .truncated { return }
            } catch {
                throw StoreError(error)
            }
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .busy,
                    "Another program is using the database, so that the log cannot be emptied: what was erased may be "
                        + "found in it until that program has ended.")
            }
            // Another checkpoint had our lock.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// The statements on `scrubs`.
enum Scrubs {
    static func add(_ subject: String, in db: Connection) throws {
        try db.run("INSERT INTO scrubs (subject) VALUES (?) ON CONFLICT (subject) DO NOTHING", subject)
    }

    static func all(in db: Connection) throws -> [String] {
        try db.rows("SELECT subject FROM scrubs") { try $0.text(0) }
    }

    static func remove(_ subjects: [String], in db: Connection) throws {
        for subject in subjects { try db.run("DELETE FROM scrubs WHERE subject = ?", subject) }
    }
}
