/// The preparation and the rules of passwords.
///
/// Preparation is the OpaqueString profile of RFC 8265 §4.2: spaces are kept, non-ASCII spaces become U+0020, then
/// NFC. So a password typed on another keyboard, composed or decomposed, still gives the same bytes.
public enum Password {
    static let byteMaximum = 1_024
    // Decomposed input can be three times as long as what NFC makes of it, so the cap is wider than the limit.
    private static let sizeCap = 4 * byteMaximum
    // Emoji need the joiners and the presentation selectors, and keyboards do type them.
    private static let emojiParts: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}", "\u{FE0E}", "\u{FE0F}"]

    /// Prepares and checks a password that someone chooses; the reason of a refusal is always given.
    ///
    /// `personal` are the e-mail address, user name, names and service name, as plain words. The password as a
    /// whole is compared with them, not parts of it (NIST SP 800-63B-4 §3.1.1.2).
    public static func preparedNew(
        _ text: String, policy: PasswordPolicy = .project9, personal: [String] = []
    ) throws(FieldMessage) -> String {
        let tooLong = tooLong(maximum: policy.maximum)
        guard text.utf8.count <= sizeCap else { throw tooLong }
        guard !text.isEmpty else { throw FieldMessage("field.required") }
        if let kind = ForbiddenScalar.first(in: text, allowing: emojiParts) {
            throw FieldMessage("password.forbidden_character", ["kind": kind.rawValue])
        }
        let password = prepared(text)
        let count = password.unicodeScalars.count
        guard count >= policy.minimum else {
            throw FieldMessage("password.too_short", ["count": "\(count)", "min": "\(policy.minimum)"])
        }
        guard count <= policy.maximum, password.utf8.count <= byteMaximum else { throw tooLong }
        guard !policy.isCommon(password) else { throw FieldMessage("password.too_common") }
        guard !GuessablePassword.follows(password, from: personal) else {
            throw FieldMessage("password.matches_personal_data")
        }
        return password
    }

    /// Prepares a password that already exists, for signing in.
    ///
    /// No rule of new passwords applies, because older passwords may break them; only the size is limited.
    public static func preparedExisting(_ text: String) throws(FieldMessage) -> String {
        let tooLong = tooLong(maximum: PasswordPolicy.project9.maximum)
        guard text.utf8.count <= sizeCap else { throw tooLong }
        guard !text.isEmpty else { throw FieldMessage("field.required") }
        let password = prepared(text)
        guard password.utf8.count <= byteMaximum else { throw tooLong }
        return password
    }

    /// Checks the repetition of a new password against what ``preparedNew(_:policy:personal:)`` gave for the first.
    public static func checkConfirmation(_ text: String, of prepared: String) throws(FieldMessage) {
        // Bytes are compared, because String's == also holds for different bytes.
        guard text.utf8.count <= sizeCap, Self.prepared(text).utf8.elementsEqual(prepared.utf8) else {
            throw FieldMessage("password.confirmation_mismatch")
        }
    }

    private static func prepared(_ text: String) -> String {
        FieldText.unifyingSpaces(text).canonicallyComposed
    }

    private static func tooLong(maximum: Int) -> FieldMessage {
        FieldMessage("password.too_long", ["max": "\(maximum)"])
    }
}
