package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// What the journal tells of the registrations that were begun since then, in the order in which it happened.
    /// - Parameter start: nil for all that the journal still has.
    /// - Throws: `StoreError`; `corrupt` when an entry cannot be read.
    package func journalOfRegistrations(since start: Timestamp?) async throws(StoreError) -> [JournalEntry] {
        let begin = JournalEntry.Event.flowStarted(.register)
        return try await read { db in
            try db.rows(
                Events.ofFlowsBegunWith, begin.what, begin.detail, start?.description, decode: JournalEntry.init(row:))
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
