package import FoyerModel
import FoyerSQLite

/// What is done with a store's files from outside, without using the store.
extension Repositories {
    /// Checks the files of a store, and changes nothing; a key that is locked is asked for at the end.
    /// - Returns: a finding for each check that could be made; a file that cannot be used ends the checks.
    /// - Throws: `noDatabase`.
    package static func examine(
        at path: String, key: KeySource, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) -> [Finding] {
        do {
            let (findings, keyCheck) = try await Database.inspect(configuration(at: path, createIfMissing: false)) {
                Examination(inspection: $0, progress: progress).result()
            }
            guard let keyCheck else { return findings }
            progress(findings.count, Finding.Check.allCases.count)
            return findings + [await keyCheck.finding(for: key.provider, database: path), .memory]
        } catch {
            let error = StoreError(error)
            if error.code == .noDatabase { throw error }
            return [.problem(.file, error.message, repair: "Put the file right as it says there, or restore a backup.")]
        }
    }

    /// Copies the database, as it is at one moment, into a new file that only its owner can use; the key is not in it.
    /// - Throws: `StoreError`: `noDatabase`, `cannotCreate` where the name is taken, `corrupt`, `diskFull`.
    /// - Parameter progress: told how many pages of how many are copied.
    package static func backUp(
        at path: String, to copy: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) {
        try await inspect(path) { try $0.backUp(to: copy, progress: progress) }
    }

    /// Puts a backup in the place of the database at `path`, which nobody may have open, or where there is none.
    /// - Throws: `StoreError`: `databaseInUse`; `noDatabase`, `corrupt`, `newerSchema`, … for the backup; why a file at
    ///   `path` is not a database of Foyer; `cannotCreate`, `diskFull`.
    /// - Parameter progress: told how many pages of how many are copied.
    package static func restore(
        _ backup: String, to path: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) {
        try await inspect(backup) { try $0.restore(to: path, progress: progress) }
    }

    /// Counts what a database holds, and changes nothing.
    /// - Throws: `StoreError`, such as `noDatabase`.
    package static func contents(at path: String) async throws(StoreError) -> StoreContents {
        try await inspect(path) { inspection in
            func count(_ sql: SQL) throws -> Int {
                Int(try inspection.connection.first(sql) { try $0.integer(0) } ?? 0)
            }
            return StoreContents(
                users: try count("SELECT count(*) FROM users"),
                flows: try count("SELECT count(*) FROM flows WHERE \(Flows.isUnfinished)"),
                submissions: try count(
                    "SELECT count(*) FROM submissions WHERE settled_at IS NULL"))
        }
    }

    /// Brings the schema up to date, as opening the store does, too.
    /// - Returns: the version of the schema before and after.
    /// - Throws: `StoreError`, such as `noDatabase`, `newerSchema`, `foreignSchema`.
    /// - Parameter progress: told how many migrations of how many are applied.
    package static func migrate(
        at path: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) -> (from: Int, to: Int) {
        var configuration = configuration(at: path, createIfMissing: false)
        do {
            let version = try await Database.inspect(configuration) { $0.version }
            configuration.willMigrate = { progress($0 - 1 - version, migrations.count - version) }
            try await Database.open(configuration).close()
            return (version, migrations.count)
        } catch {
            throw StoreError(error)
        }
    }

    /// Looks into the files of a store that must be there, from outside.
    private static func inspect<Value: Sendable>(
        _ path: String, _ body: @escaping @Sendable (Inspection) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await Database.inspect(configuration(at: path, createIfMissing: false), body)
        } catch {
            throw StoreError(error)
        }
    }
}

extension Finding {
    /// Well in either case: it is the machine's business, and nothing is wrong with the store.
    fileprivate static var memory: Finding {
        .fine(
            .memory,
            SecretBytes.isKeptOutOfSwap
                ? "secrets in memory are kept out of swap"
                : "secrets in memory may be written to swap: the limit of locked memory (ulimit -l) is too low")
    }
}

/// The checks, in an order in which each can rely on those before it.
private struct Examination {
    let inspection: Inspection
    let progress: ProgressReport

    private static let restore = "Keep a copy of the file, and restore a backup."

    /// What was found without the key, and what there is to check with it; nil where the file cannot tell that.
    func result() -> (findings: [Finding], keyCheck: KeyCheck?) {
        var findings: [Finding] = [
            .fine(.file, "\(inspection.path), schema version \(inspection.version) of \(Repositories.migrations.count)")
        ]
        for (check, body) in [(Finding.Check.permissions, permissions), (.schema, schema)] {
            add(check, body, to: &findings)
        }
        // In a strange schema, what belongs to what is anybody's guess.
        guard findings.allSatisfy({ $0.isFine || $0.check == .permissions }) else { return (findings, nil) }
        for (check, body) in [(Finding.Check.integrity, integrity), (.references, references)] {
            add(check, body, to: &findings)
        }
        if inspection.version == Repositories.migrations.count {
            add(.values, values, to: &findings)
            add(.queue, queue, to: &findings)
            add(.clock, clock, to: &findings)
        }
        do {
            return (findings, KeyCheck(tie: try Vault.Tie(in: inspection.connection)))
        } catch {
            return (findings + [.problem(.key, StoreError(error).message, repair: Self.restore)], nil)
        }
    }

    private func add(_ check: Finding.Check, _ body: () throws -> Finding, to findings: inout [Finding]) {
        progress(findings.count, Finding.Check.allCases.count)
        findings.append(checked(check, body))
    }

    private func checked(_ check: Finding.Check, _ body: () throws -> Finding) -> Finding {
        do {
            return try body()
        } catch {
            let error = StoreError(error)
            return .problem(check, error.message, repair: Self.restore)
        }
    }

    private func permissions() throws -> Finding {
        let exposed = try inspection.exposedFiles()
        if exposed.isEmpty { return .fine(.permissions, "only you can use the files") }
        let names = exposed.map { "'\($0)'" }.joined(separator: " ")
        return .problem(.permissions, "others may use \(names)", repair: "Run: chmod 600 \(names)")
    }

    private func schema() throws -> Finding {
        guard let difference = try inspection.schemaDifference() else {
            return .fine(.schema, "tables, views and triggers are Foyer's")
        }
        return .problem(
            .schema, "\(difference): another program has changed it",
            repair: "Undo that with the sqlite3 shell, or restore a backup.")
    }

    private func integrity() throws -> Finding {
        let damages = try inspection.damages()
        guard let first = damages.first else { return .fine(.integrity, "every page and every index is right") }
        let isIndexAlone = damages.allSatisfy { $0.contains("missing from index") || $0.contains("entries in index") }
        return .problem(
            .integrity, damages.count == 1 ? first : "\(first), and \(damages.count - 1) more",
            repair: isIndexAlone
                ? "The rows are whole, an index is not. Run: sqlite3 '\(inspection.path)' REINDEX"
                : "\(Self.restore) What can still be read: sqlite3 '\(inspection.path)' .recover")
    }

    private func references() throws -> Finding {
        let tables = try inspection.tablesWithDanglingRows()
        if tables.isEmpty { return .fine(.references, "every row belongs to one that is there") }
        return .problem(
            .references, "rows of \(tables.joined(separator: ", ")) belong to rows that are gone", repair: Self.restore)
    }

    private func values() throws -> Finding {
        let damaged =
            try Users.reader.listEach(in: inspection.connection).damaged
            + Flows.reader.listEach(in: inspection.connection).damaged
            + Submissions.reader.listEach(in: inspection.connection).damaged
        guard let first = damaged.first else { return .fine(.values, "every person, flow and submission can be read") }
        let names = damaged.prefix(5).map { "\($0.table) \($0.row)\($0.column.map { ", column \($0)" } ?? "")" }
        return .problem(
            .values, "\(damaged.count) rows cannot be read: \(names.joined(separator: "; "))",
            repair: "They are left out of all lists. Restore a backup, or put the value right: sqlite3 "
                + "'\(inspection.path)' \"UPDATE \(first.table) SET \(first.column ?? "…") = … WHERE id = '\(first.row)'\""
        )
    }

    private func queue() throws -> Finding {
        let stranded = try count(
            """
            SELECT count(*) FROM flows WHERE status = 'submitted' AND NOT EXISTS (
                SELECT 1 FROM submissions WHERE submissions.id = flows.submission_id
                    AND submissions.settled_at IS NULL)
            """)
        if stranded > 0 { return broken("\(stranded) finished flows have no submission that waits") }
        let orphaned = try count(
            """
            SELECT count(*) FROM submissions JOIN flows ON flows.id = submissions.flow_id
            WHERE submissions.settled_at IS NULL AND flows.status <> 'submitted'
            """)
        if orphaned > 0 { return broken("\(orphaned) submissions wait for flows that are not submitted") }
        let outlived = try count(
            """
            SELECT count(*) FROM secrets JOIN flows ON flows.id = secrets.flow_id
            WHERE NOT \(Flows.isUnfinished)
            """)
        if outlived > 0 { return broken("\(outlived) sealed secrets belong to flows that have ended") }
        let limit = try inspection.connection.first(
            """
            SELECT id FROM submissions
            WHERE settled_at IS NULL AND 9223372036854775807 IN (claims, fence) LIMIT 1
            """
        ) { try $0.text(0) }
        if let limit {
            return .problem(
                .queue, "the counters of submission \(limit) are at their limit: another program has changed the file",
                repair: "Take that submission back.",
                recovery: UUIDv7(limit).map(Recovery.cancelSubmission))
        }
        let waiting = try count("SELECT count(*) FROM submissions WHERE settled_at IS NULL")
        let parked = try count("SELECT count(*) FROM submissions WHERE state = 'parked'")
        return .fine(
            .queue,
            "\(waiting) submissions wait, each for a flow"
                + (parked > 0 ? "; \(parked) of them are parked" : ""))
    }

    /// Well in any case: a clock that is wrong loses nothing, and the machine may have been off for so long.
    private func clock() throws -> Finding {
        let clock = QueueClock(environment: .system)
        if let jump = try clock.jump(in: inspection.connection) {
            return .fine(.clock, "\(jump.detail) since the store was last used; nothing expires for that")
        }
        let days = try clock.uncounted(in: inspection.connection).components.seconds / 86400
        return .fine(
            .clock,
            days == 0
                ? "all time is counted"
                : "\(days) days passed by the clock while the machine was off; they count once as much time has passed "
                    + "again, or the clock is confirmed", recovery: days == 0 ? nil : .confirmClock)
    }

    private func broken(_ message: String) -> Finding {
        .problem(.queue, "\(message): another program has changed the file", repair: Self.restore)
    }

    private func count(_ sql: SQL) throws -> Int64 {
        try inspection.connection.first(sql) { try $0.integer(0) } ?? 0
    }
}
