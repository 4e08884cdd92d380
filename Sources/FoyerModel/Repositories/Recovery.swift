/// What helps after an error or a finding, for a program to offer: as a button, a command, or a sentence of its own.
public enum Recovery: Hashable, Sendable {
    /// Open the store with the key that its secrets are sealed under, or give them up.
    case provideKey
    /// Open the store where somebody can be asked for the passphrase.
    case unlockKey
    /// Give up what is sealed under a key that is lost.
    case resetKey
    /// Make a new key in place of one that works.
    case rotateKey
    /// Deliver what waits, have another key handed over where it comes from, and give up what is sealed under the old one.
    case replaceKeyAtSource
    /// Take a submission back.
    case cancelSubmission(UUIDv7)
    /// Take a submission back, or deliver: the network then says whether it has acted on it.
    case settleSubmission(UUIDv7)
    /// Confirm that the machine's clock is right.
    case confirmClock
}
