public import FoyerModel
import FoyerStore

extension AccountStore {
    /// Makes a new key, seals every secret under it and removes the old key, which nothing needs any more then.
    ///
    /// Wherever it is ended by force nothing is lost, and the next use of the key finishes what was begun. Another store
    /// that shares the key file loses its secrets with the old key.
    /// - Returns: how many secrets were sealed again.
    /// - Throws: `StoreError`, such as `keyMissing`; `notFound` when nothing was ever sealed.
    public func rotateKey() async throws(StoreError) -> Int { try await store.rotateKey() }

    /// What giving up the lost key would make unreadable.
    /// - Throws: `StoreError`; `notFound` when the key is not lost.
    public func keyLoss() async throws(StoreError) -> KeyLoss { try await store.keyLoss() }

    /// Gives up the lost key: the steps whose secrets cannot be opened any more are asked again.
    /// - Throws: `StoreError`; `notFound` when the key is not lost.
    public func resetKey() async throws(StoreError) -> KeyLoss { try await store.resetKey() }
}
