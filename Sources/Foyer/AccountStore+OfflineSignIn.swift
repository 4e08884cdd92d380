public import FoyerModel
import FoyerStore

extension AccountStore {
    /// Whether a name and a password are those that the network has accepted last on this device; off unless `open`
    /// was told otherwise.
    ///
    /// Each try is on the disk before its password is hashed. Four wrong ones in a row are free; then the next has to
    /// wait for 30 seconds, 1, 5, 15 and 60 minutes, however the clock is set back, and whenever the program is ended; a
    /// restart of the machine takes up to a minute off. After ten the verifier is destroyed, and only a sign-in online
    /// makes another. A name that nobody has here is treated alike.
    /// - Throws: `StoreError`: `keyMissing`, `keyLocked` or `wrongKey` where the device's key is not there.
    public func verifyOffline(userName: String, password: Secret) async throws(StoreError) -> OfflineSignIn.Verdict {
        try await store.verifyOffline(userName: userName, password: password)
    }
}
