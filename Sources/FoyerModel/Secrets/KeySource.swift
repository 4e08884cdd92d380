/// Where the key comes from that secrets are sealed under on this device.
///
/// A key is 32 bytes. It is asked for when a secret is first sealed or opened, and not before; where it is not there,
/// everything that needs no secret goes on.
public enum KeySource: Sendable {
    /// A file for its owner only, in another folder than the database; made when the first secret is sealed.
    case file(String)
    /// A credential that systemd gives to a service (`LoadCredentialEncrypted=`), found by its name in the folder
    /// `$CREDENTIALS_DIRECTORY`. Foyer can neither make nor change it.
    case systemdCredential(String)
    /// What an open descriptor gives: read once, up to its end or 32 bytes, and for one store only. Foyer can neither
    /// make nor change it.
    case descriptor(Int32)
    /// A file as with `file`, in which the key is sealed under a passphrase (Argon2id, three passes over 256 MiB).
    ///
    /// `ask` is called when the key is first needed, never inside a transaction; nil says that nobody is there, or
    /// that nobody wants to tell, and the call that needed the key throws `keyLocked`.
    case passphrase(file: String, ask: @Sendable (KeySource.PassphraseRequest) async -> Secret?)
}

extension KeySource {
    /// Why somebody is asked for a passphrase.
    public enum PassphraseRequest: Sendable, Equatable {
        /// There is no key yet: the passphrase for the one to be made.
        case choose
        /// The passphrase that the key was sealed under.
        case enter
        /// The same, because the one before did not open the key.
        case enterAgain
    }
}
