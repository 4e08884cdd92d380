/// The rules of an e-mail address that an account can be reached at.
///
/// The syntax is WHATWG's (HTML, "valid e-mail address"), the limits are those of RFC 5321 §4.5.3.1, the local part
/// is a dot-string (RFC 5321 §4.1.2) and the domain has a dot. Internationalised domains are accepted as A-labels.
public enum EmailAddress {
    private static let sizeCap = 1_024
    private static let maximum = 254  // a path is 256 octets with its angle brackets
    private static let localMaximum = 64
    private static let labelMaximum = 63
    private static let localSigns = Set("!#$%&'*+/=?^_`{|}~-.".utf8)  // atext and the dot

    /// The address as it is stored and written to: trimmed, with its case kept.
    ///
    /// Only ASCII passes, which is in NFC already. It is deliberately not composed first: NFC makes the Kelvin
    /// sign a plain K, so an address that nobody typed would pass.
    ///
    /// - Parameter smtputf8: whether letters of all scripts pass before the @ (RFC 6531), in NFC; for an app whose mail
    ///   server can write to them.
    public static func normalized(_ text: String, smtputf8: Bool = false) throws(FieldMessage) -> String {
        guard text.utf8.count <= sizeCap else { throw tooLong }
        let address = try FieldText.trimmed(text)
        if let kind = ForbiddenScalar.first(in: address.unicodeScalars) {
            throw FieldMessage("email.forbidden_character", ["kind": kind.rawValue])
        }
        guard !address.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw FieldMessage("email.contains_space")
        }
        let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count > 1 else { throw FieldMessage("email.missing_at") }
        guard parts.count == 2 else { throw FieldMessage("email.multiple_at") }
        try checkShape(local: parts[0], smtputf8: smtputf8)
        try checkShape(domain: parts[1])
        let composed = address.canonicallyComposed.utf8
        try checkLengths(local: composed.prefix { $0 != UInt8(ascii: "@") }, domain: parts[1])
        return address.canonicallyComposed
    }

    /// The key that decides whether two addresses are the same account: ASCII lower-casing and nothing else.
    ///
    /// Unicode case mapping is how password resets went to strangers (CVE-2019-19844); tags and dots are kept,
    /// because only the receiving server knows what they mean.
    public static func key(_ normalized: String) -> String {
        FieldText.asciiLowercased(normalized)
    }

    private static var tooLong: FieldMessage { FieldMessage("email.too_long", ["max": "\(maximum)"]) }

    private static func checkShape(local: Substring.UTF8View, smtputf8: Bool) throws(FieldMessage) {
        let dot = UInt8(ascii: ".")
        guard let first = local.first, let last = local.last else { throw FieldMessage("email.local_empty") }
        let others = Substring(local).unicodeScalars.filter { !$0.isASCII }
        guard others.isEmpty || smtputf8 && others.allSatisfy(isUnambiguousLetter) else {
            throw FieldMessage("email.non_ascii_local")
        }
        guard first != UInt8(ascii: "\"") else { throw FieldMessage("email.quoted_local_unsupported") }
        guard local.allSatisfy({ !$0.isASCII || $0.isAlphanumeric || localSigns.contains($0) }) else {
            throw FieldMessage("email.local_bad_character")
        }
        guard first != dot, last != dot else { throw FieldMessage("email.local_dot_edge") }
        guard !local.split(separator: dot, omittingEmptySubsequences: false).contains(where: \.isEmpty) else {
            throw FieldMessage("email.local_double_dot")
        }
    }

    /// Whether no program takes this letter for another, be it by its case: `"ı".uppercased() == "I"`.
    private static func isUnambiguousLetter(_ scalar: Unicode.Scalar) -> Bool {
        let upper = scalar.properties.uppercaseMapping.utf8, lower = scalar.properties.lowercaseMapping.utf8
        return scalar.isLetterOrDigit && scalar.isOfOneForm && !lower.contains(where: \.isASCII)
            && !(upper.count == 1 && upper.allSatisfy(\.isASCII))
    }

    private static func checkShape(domain: Substring.UTF8View) throws(FieldMessage) {
        guard let first = domain.first else { throw FieldMessage("email.domain_empty") }
        guard first != UInt8(ascii: "[") else { throw FieldMessage("email.address_literal_unsupported") }
        let labels = labels(of: domain)
        guard labels.count > 1 else { throw FieldMessage("email.domain_needs_dot") }
        guard domain.allSatisfy(\.isASCII) else { throw FieldMessage("email.non_ascii_domain") }
        let hyphen = UInt8(ascii: "-")
        for label in labels {
            guard !label.isEmpty else { throw FieldMessage("email.domain_empty_label") }
            guard label.allSatisfy({ $0.isAlphanumeric || $0 == hyphen }) else {
                throw FieldMessage("email.domain_bad_character")
            }
            guard label.first != hyphen, label.last != hyphen else { throw FieldMessage("email.domain_hyphen_edge") }
        }
        guard labels.last?.allSatisfy(\.isDigit) == false else { throw FieldMessage("email.tld_numeric") }
    }

    private static func checkLengths(local: Substring.UTF8View, domain: Substring.UTF8View) throws(FieldMessage) {
        guard local.count <= localMaximum else {
            throw FieldMessage("email.local_too_long", ["max": "\(localMaximum)"])
        }
        guard labels(of: domain).allSatisfy({ $0.count <= labelMaximum }) else {
            throw FieldMessage("email.domain_label_too_long", ["max": "\(labelMaximum)"])
        }
        guard local.count + 1 + domain.count <= maximum else { throw tooLong }
    }

    private static func labels(of domain: Substring.UTF8View) -> [Substring.UTF8View] {
        domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }
}
