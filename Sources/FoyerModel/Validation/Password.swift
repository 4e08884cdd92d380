/// The preparation and the rules of passwords.
///
/// Preparation is the OpaqueString profile of RFC 8265 §4.2: spaces are kept, non-ASCII spaces become U+0020, then
/// NFC. So a password typed on another keyboard, composed or decomposed, still gives the same bytes. No `String` is
/// made of a password on the way.
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
        _ entered: Secret, policy: PasswordPolicy = .project9, personal: [String] = []
    ) throws(FieldMessage) -> Secret {
        let tooLong = tooLong(maximum: policy.maximum)
        try checkSize(of: entered, tooLong)
        if let kind = entered.withBytes({ ForbiddenScalar.first(in: UTF8Scalars($0), allowing: emojiParts) }) {
            throw FieldMessage("password.forbidden_character", ["kind": kind.rawValue])
        }
        let password = prepared(entered)
        let (count, size) = password.withBytes { (UTF8Scalars($0).reduce(0) { count, _ in count + 1 }, $0.count) }
        guard count >= policy.minimum else {
            throw FieldMessage("password.too_short", ["count": "\(count)", "min": "\(policy.minimum)"])
        }
        guard count <= policy.maximum, size <= byteMaximum else { throw tooLong }
        let folded = GuessablePassword.folded(password)
        try folded.withBytes { bytes throws(FieldMessage) in
            guard !policy.isCommon(bytes) else { throw FieldMessage("password.too_common") }
            guard !GuessablePassword.follows(bytes, from: personal) else {
                throw FieldMessage("password.matches_personal_data")
            }
        }
        return password
    }

    /// Prepares a password that already exists, for signing in.
    ///
    /// No rule of new passwords applies, because older passwords may break them; only the size is limited.
    public static func preparedExisting(_ entered: Secret) throws(FieldMessage) -> Secret {
        let tooLong = tooLong(maximum: PasswordPolicy.project9.maximum)
        try checkSize(of: entered, tooLong)
        let password = prepared(entered)
        guard password.withBytes(\.count) <= byteMaximum else { throw tooLong }
        return password
    }

    /// Checks the repetition of a new password against what ``preparedNew(_:policy:personal:)`` gave for the first.
    public static func checkConfirmation(_ entered: Secret, of prepared: Secret) throws(FieldMessage) {
        guard entered.withBytes(\.count) <= sizeCap, Self.prepared(entered).hasBytes(of: prepared) else {
            throw FieldMessage("password.confirmation_mismatch")
        }
    }

    private static func checkSize(of entered: Secret, _ tooLong: FieldMessage) throws(FieldMessage) {
        guard entered.withBytes(\.count) <= sizeCap else { throw tooLong }
        guard !entered.isEmpty else { throw FieldMessage("field.required") }
    }

    private static func prepared(_ entered: Secret) -> Secret {
        entered.withBytes { bytes in
            var prepared = SecretBytes(capacity: bytes.count)
            prepared.append(composing: UTF8Scalars(bytes).lazy.map(\.asPlainSpace))
            return Secret(prepared)
        }
    }

    private static func tooLong(maximum: Int) -> FieldMessage {
        FieldMessage("password.too_long", ["max": "\(maximum)"])
    }
}
