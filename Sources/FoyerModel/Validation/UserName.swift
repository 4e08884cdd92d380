/// The rules of a user name. There is no `@` in one: a sign-in field can tell it from an e-mail address.
public enum UserName {
    /// Which letters a new name can have.
    public enum Profile: Sendable {
        /// The letters a to z, so that no two names look alike.
        case ascii
        /// The letters of one script, such as `Ада`, `日本語` or `Straße`.
        case unicode
    }

    private static let sizeCap = 1_024
    private static let minimum = 3
    private static let maximum = 32
    private static let punctuation = Set("._-".utf8)

    /// The user name as it is shown: trimmed, with its case kept.
    ///
    /// It is not composed before its letters are checked: NFC makes the Kelvin sign a plain K.
    public static func normalized(_ text: String, profile: Profile = .ascii) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let name = try FieldText.trimmed(text)
        let key = key(name)
        switch profile {
        case .ascii: try checkShape(name.utf8)
        case .unicode: try UnicodeUserName.check(key)
        }
        let count = key.unicodeScalars.count
        guard count >= minimum else {
            throw FieldMessage("username.too_short", ["count": "\(count)", "min": "\(minimum)"])
        }
        guard count <= maximum else { throw tooLong }
        guard key.unicodeScalars.contains(where: { !$0.isDigit }) else {
            throw FieldMessage("username.only_digits")
        }
        guard !reserved.contains(key) else { throw FieldMessage("username.reserved") }
        return name.canonicallyComposed
    }

    /// One line to show before anything is typed.
    public static func hint(_ profile: Profile) -> String {
        let id = profile == .ascii ? "username.hint" : "username.hint_unicode"
        return FieldMessage(id, ["max": "\(maximum)", "min": "\(minimum)"]).text
    }

    /// The name of an account that exists already, for signing in: trimmed, and free of what must never be stored.
    ///
    /// No rule of new names applies: the network knows which names exist, and older ones may break today's rules.
    public static func existing(_ text: String) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let name = try FieldText.trimmed(text)
        guard ForbiddenScalar.first(in: name.unicodeScalars) == nil else {
            throw FieldMessage("username.bad_character")
        }
        return name
    }

    /// The key that has to be unique: full-width forms as plain ones, letters in lower case, in NFC (RFC 8265 §3.3).
    public static func key(_ normalized: String) -> String {
        // Most are ASCII, where every other step changes nothing.
        if normalized.utf8.allSatisfy({ $0 < 0x80 }) { return FieldText.asciiLowercased(normalized) }
        let narrow = String(String.UnicodeScalarView(normalized.unicodeScalars.map(\.narrow)))
        return narrow.lowercased().canonicallyComposed
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

extension Unicode.Scalar {
    /// The ASCII character of which this is the full-width form; itself for all others.
    fileprivate var narrow: Unicode.Scalar {
        guard ("\u{FF01}"..."\u{FF5E}").contains(self) else { return self }
        return Unicode.Scalar(value - 0xFEE0) ?? self
    }
}
