public import FoyerModel
import FoyerStore

/// Whatever expires in a store lives by time that the store has seen pass. Setting the machine's clock expires nothing;
/// a machine that was off for up to a day is believed, and a longer time counts once as much has passed again.
extension AccountStore {
    /// How the machine's clock has jumped by more than a day since the store was last written; nil when it has not. Each
    /// jump is told once, and stands in the journal.
    /// - Throws: `StoreError`.
    public func takeClockJump() async throws(StoreError) -> ClockJump? { try await store.takeClockJump() }

    /// For how long the machine was off by its clock, where that is not counted yet.
    /// - Throws: `StoreError`.
    public func uncountedTime() async throws(StoreError) -> Duration { try await store.uncountedTime() }

    /// Counts that time, because a person says that the clock is right: what was there before ages by as much, and what is
    /// over its time then expires.
    /// - Returns: how much time that is.
    /// - Throws: `StoreError`.
    @discardableResult
    public func trustClock() async throws(StoreError) -> Duration { try await store.trustClock() }
}
