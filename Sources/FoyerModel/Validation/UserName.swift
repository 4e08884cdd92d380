/// The rules of a user name: ASCII letters, digits and `. _ -`, so that no two names look alike.
///
/// There is no `@` in a user name: a sign-in field can tell it from an e-mail address. ASCII alone avoids the
/// look-alikes and the case mappings that are not idempotent, which let accounts be taken over (RFC 8265 §3.3).
public enum UserName {
    private static let sizeCap = 1_024
    private static let minimum = 3
    private static let maximum = 32
    private static let punctuation = Set("._-".utf8)

    /// The user name as it is shown: trimmed, with its case kept.
    ///
    /// It is not composed first: NFC makes the Kelvin sign a plain K.
    public static func normalized(_ text: String) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let name = try FieldText.trimmed(text)
        try checkShape(name.utf8)
        guard name.utf8.count >= minimum else {
            throw FieldMessage("username.too_short", ["count": "\(name.utf8.count)", "min": "\(minimum)"])
        }
        guard name.utf8.count <= maximum else { throw tooLong }
        guard !name.utf8.allSatisfy(\.isDigit) else { throw FieldMessage("username.only_digits") }
        guard !reserved.contains(key(name)) else { throw FieldMessage("username.reserved") }
        return name
    }

    /// The name of an account that exists already, for signing in: trimmed, and free of what must never be stored.
    ///
    /// No rule of new names applies: the network knows which names exist, and older ones may break today's rules.
    public static func existing(_ text: String) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let name = try FieldText.trimmed(text)
        guard ForbiddenScalar.first(in: name) == nil else { throw FieldMessage("username.bad_character") }
        return name
    }

    /// The key that has to be unique: the name with ASCII letters in lower case.
    public static func key(_ normalized: String) -> String {
        FieldText.asciiLowercased(normalized)
    }

    private static var tooLong: FieldMessage { FieldMessage("username.too_long", ["max": "\(maximum)"]) }

    // Control characters and other forbidden code points are no user name characters either: no extra check.
    private static func checkShape(_ name: String.UTF8View) throws(FieldMessage) {
        guard name.allSatisfy(\.isASCII) else { throw FieldMessage("username.non_ascii") }
        guard !name.contains(UInt8(ascii: "@")) else { throw FieldMessage("username.looks_like_email") }
        guard name.allSatisfy({ $0.isAlphanumeric || punctuation.contains($0) }) else {
            throw FieldMessage("username.bad_character")
        }
        guard name.first?.isAlphanumeric == true, name.last?.isAlphanumeric == true else {
            throw FieldMessage("username.punctuation_edge")
        }
        guard !zip(name, name.dropFirst()).contains(where: { !$0.isAlphanumeric && !$1.isAlphanumeric }) else {
            throw FieldMessage("username.punctuation_double")
        }
    }

    // Names that seem to speak for the service (RFC 2142), or that careless programs take for a missing value.
    private static let reserved: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "all", "anonymous", "api", "billing", "everyone",
        "false", "guest", "help", "hostmaster", "info", "login", "logout", "mail", "mailer-daemon", "moderator",
        "nil", "no-reply", "nobody", "none", "noreply", "null", "official", "operator", "owner", "postmaster",
        "register", "root", "security", "settings", "setup", "signin", "signup", "staff", "superuser", "support",
        "sysadmin", "system", "true", "undefined", "unknown", "user", "webmaster", "www",
    ]
}
