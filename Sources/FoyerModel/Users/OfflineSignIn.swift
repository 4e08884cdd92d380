/// Lets people who were signed in online be recognised while there is no network; off unless it is asked for.
///
/// When a password is typed in a registration or sign-in, a verifier of it is made (Argon2id) and sealed beside it under
/// the device's key; it counts from the moment at which the network accepts, in whichever process that is learned, and
/// is destroyed with the password where the network refuses. So it makes no difference whether the password itself can
/// be opened here: one that only the server can open leaves a verifier, too. Whoever has the device's key and the
/// database can try passwords against a verifier, at the price of one hash each: without this, nobody can where the
/// password was sealed for the server.
///
/// A verifier is good for 90 days from its last acceptance. A password that was changed elsewhere stays right here until
/// the next sign-in online. Nothing but the local check is ever locked.
public struct OfflineSignIn: Sendable, Equatable {
    /// How often the memory is gone over.
    package let passes: Int
    /// How much memory that is.
    package let kibibytes: Int

    package init(passes: Int, kibibytes: Int) {
        self.passes = passes
        self.kibibytes = kibibytes
    }

    /// Three passes over 64 MiB (RFC 9106's second choice, with one lane).
    public static let standard = OfflineSignIn(passes: 3, kibibytes: 65_536)
    /// Two passes over 19 MiB, for devices with little memory: the least that OWASP accepts.
    public static let small = OfflineSignIn(passes: 2, kibibytes: 19_456)
}

extension OfflineSignIn {
    /// What can be said of a name and a password without the network.
    public enum Verdict: Sendable, Equatable {
        /// They are those of this person, when they were last accepted.
        case right(User)
        /// This device knows no such account with such a password; which of the two it is, nobody learns.
        case wrong
        /// Nothing was tried: there were too many wrong ones, and it takes so long until the next try.
        case locked(Duration)
        /// Only the network can tell: there were too many wrong ones altogether, or offline sign-in is off.
        case needsOnline
    }
}
