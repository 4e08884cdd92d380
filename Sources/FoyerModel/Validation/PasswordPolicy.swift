/// How long a new password has to be, and which passwords are refused as too common.
///
/// Length counts code points after NFC. There are no composition rules and no expiry (NIST SP 800-63B §3.1.1.2).
public struct PasswordPolicy: Sendable {
    /// The fewest code points of a new password.
    public let minimum: Int
    /// The most code points of a new password; never more than 1,024, which is also the limit in bytes.
    public let maximum: Int
    private let blocklist: [String]

    /// Makes a policy; `blocklist` adds passwords to the built-in ones, in any case and any normal form.
    public init(minimum: Int, maximum: Int = 256, blocklist: some Sequence<String> = []) {
        self.minimum = minimum
        self.maximum = min(maximum, Password.byteMaximum)
        self.blocklist = blocklist.map(GuessablePassword.folded)
    }

    /// The default: 9 characters, enough for OWASP ASVS 6.2.1, but not for NIST where no second factor exists.
    public static let project9 = PasswordPolicy(minimum: 9)

    /// What NIST SP 800-63B-4 asks of a password that is the only factor: 15 characters.
    public static let nistSingleFactor15 = PasswordPolicy(minimum: 15)

    /// What NIST SP 800-63B-4 asks of a password that always comes with a second factor: 8 characters.
    public static let mfa8 = PasswordPolicy(minimum: 8)

    /// One line to show before anything is typed.
    public var hint: String { FieldMessage("password.hint", ["min": "\(minimum)"]).text }

    /// Whether a folded password, as a whole, is one that anybody would try first.
    func isCommon(_ folded: UnsafeBufferPointer<UInt8>) -> Bool {
        blocklist.contains { folded.elementsEqual($0.utf8) } || GuessablePassword.isCommon(folded)
    }
}
