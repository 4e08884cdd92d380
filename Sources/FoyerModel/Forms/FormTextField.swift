/// How a text may be coloured; a terminal can ignore it.
public enum TextColor: String, Codable, Sendable {
    case lightGray, black, red
}

/// Which keyboard helps with a text; a terminal can ignore it.
public enum KeyboardType: String, Codable, Sendable {
    case `default`, emailAddress
}

/// One field of a form: what it is called on the wire and on the screen, and what its text must meet.
public protocol FormTextField: Sendable {
    /// The field's name on the wire, such as `email_field`.
    var apiKey: String { get }
    /// The field's name on the screen.
    var placeholder: String { get }
    /// The colour of its text.
    var textColor: TextColor { get }
    /// What the text must meet; the first rule that fails speaks.
    var validationRules: [any Rule] { get }
    /// Which keyboard helps.
    var keyboardType: KeyboardType { get }
}

extension FormTextField {
    public var textColor: TextColor { .lightGray }
    public var validationRules: [any Rule] { [RequiredRule()] }
    public var keyboardType: KeyboardType { .default }
}

/// The fields of a form, in their order.
public typealias FormFields = [any FormTextField]

/// The name that a person chooses to be known by.
public struct UserNameField: FormTextField {
    public let apiKey = "user_name"
    public let placeholder = "User Name"

    /// Makes the field.
    public init() {}
}

/// The password, at least nine characters.
public struct PasswordField: FormTextField {
    public let apiKey = "password"
    public let placeholder = "Password"
    public let validationRules: [any Rule] = [
        MinLengthRule(length: 9, message: "Passwords need to be a minimum of 9 characters long")
    ]

    /// Makes the field.
    public init() {}
}

/// The e-mail address.
public struct EmailField: FormTextField {
    public let apiKey = "email_field"
    public let placeholder = "Email Address"
    public let validationRules: [any Rule] = [EmailRule()]
    public let keyboardType = KeyboardType.emailAddress

    /// Makes the field.
    public init() {}
}

/// A first or last name.
public struct PersonNameField: FormTextField {
    public let apiKey: String
    public let placeholder: String

    /// The field `first_name`.
    public static let first = PersonNameField(apiKey: "first_name", placeholder: "First Name")
    /// The field `last_name`.
    public static let last = PersonNameField(apiKey: "last_name", placeholder: "Last Name")
}
