/// What a field is for, so that a presenter can help with it: with the right keyboard, and with what is known already.
public enum FieldPurpose: String, Codable, CaseIterable, Sendable {
    /// An e-mail address that is given, not signed in with.
    case email
    /// The name that somebody signs in with.
    case identifier
    /// A password that is chosen.
    case newPassword
    /// A password that exists.
    case currentPassword
    /// The first name.
    case firstName
    /// The last name.
    case lastName
    /// A name that is chosen to be known by.
    case userName
    /// A code that was sent, or is shown by another device.
    case oneTimeCode

    /// How forms of the Web, of Apple's systems and of a terminal say it.
    public var metadata: FieldMetadata {
        switch self {
        case .email:
            FieldMetadata("email", inputMode: "email", content: "emailAddress", keyboard: "emailAddress")
        case .identifier: FieldMetadata("username", inputMode: "email", content: "username", keyboard: "emailAddress")
        case .newPassword: FieldMetadata("new-password", content: "newPassword", isEchoed: false)
        case .currentPassword: FieldMetadata("current-password", content: "password", isEchoed: false)
        case .firstName: FieldMetadata("given-name", content: "givenName", capitalization: "words")
        case .lastName: FieldMetadata("family-name", content: "familyName", capitalization: "words")
        case .userName: FieldMetadata("username", content: "username")
        case .oneTimeCode:
            FieldMetadata("one-time-code", inputMode: "numeric", content: "oneTimeCode", keyboard: "numberPad")
        }
    }
}

/// How forms say what a field is for; no text of any of them is corrected.
public struct FieldMetadata: Equatable, Sendable {
    /// HTML's attribute `autocomplete`.
    public let autocomplete: String
    /// HTML's attribute `inputmode`.
    public let inputMode: String
    /// The case of `UITextContentType`, or of `NSTextContentType`.
    public let textContentType: String
    /// The case of `UIKeyboardType`.
    public let keyboardType: String
    /// The case of `UITextAutocapitalizationType`, and HTML's attribute `autocapitalize`.
    public let capitalization: String
    /// Whether a terminal shows what is typed.
    public let isEchoed: Bool

    init(
        _ autocomplete: String, inputMode: String = "text", content: String, keyboard: String = "default",
        capitalization: String = "none", isEchoed: Bool = true
    ) {
        self.autocomplete = autocomplete
        self.inputMode = inputMode
        textContentType = content
        keyboardType = keyboard
        self.capitalization = capitalization
        self.isEchoed = isEchoed
    }
}

extension PasswordPolicy {
    /// What `UITextInputPasswordRules` takes, so that a password that is proposed is accepted.
    public var passwordRules: String { "minlength: \(minimum);" }
}
