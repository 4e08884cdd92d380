package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// What the journal tells of the registrations that were begun since then, in the order in which it happened.
    /// - Parameter start: nil for all that the journal still has.
    /// - Throws: `StoreError`; `corrupt` when an entry cannot be read.
    package func journalOfRegistrations(since start: Timestamp?) async throws(StoreError) -> [JournalEntry] {
        try await read { db in
            try db.rows(
                """
                SELECT seq, at, what, flow_id, submission_id, user_id, detail FROM events
                WHERE flow_id IN (
                    SELECT flow_id FROM events
                    WHERE what = 'flow started' AND detail = 'register' AND flow_id IS NOT NULL AND (?1 IS NULL OR at >= ?1))
                ORDER BY seq
                """, start?.description, decode: JournalEntry.init(row:))
        }
    }

    /// Why the key of the store cannot be used; nil when it can, when it only has to be unlocked, and when nothing was
    /// ever sealed. Nobody is asked for anything.
    package func keyProblem() async -> StoreError? {
        do {
            _ = try await database.read { [vault] db in try vault.identity(in: db)?.key.name }
            return nil
        } catch {
            let error = StoreError(error)
            return error.code == .keyLocked ? nil : error
        }
    }
}

extension JournalEntry {
    /// Decodes `seq, at, what, flow_id, submission_id, user_id, detail`.
    init(row: Row) throws {
        self.init(
            seq: try row.integer(0), at: try row.timestamp(1), what: try row.text(2), flowID: try row.idOrNil(3),
            submissionID: try row.idOrNil(4), userID: try row.idOrNil(5), detail: try row.textOrNil(6))
    }
}
