public import FoyerModel
import FoyerStore

extension AccountStore {
    /// Where people stop on their way through a registration.
    /// - Parameter start: counts only what was begun since then; nil for all that the journal still tells.
    /// - Throws: `StoreError`.
    public func registrationStatistics(since start: Timestamp? = nil) async throws(StoreError) -> RegistrationStatistics
    {
        RegistrationStatistics(
            try await store.journalOfRegistrations(since: start), definition: definition(for: .register))
    }

    /// Why secrets can be neither sealed nor opened, such as a key that is missing; nil when all is well, or when the
    /// key only has to be unlocked.
    public func keyProblem() async -> StoreError? { await store.keyProblem() }
}
