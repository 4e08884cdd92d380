/// How a text may be coloured; a terminal can ignore it.
public enum TextColor: String, Codable, Sendable {
    /// Light grey: what was not told otherwise.
    case lightGray
    /// Black.
    case black
    /// Red.
    case red
}

/// Which keyboard helps with a text; a terminal can ignore it.
public enum KeyboardType: String, Codable, Sendable {
    /// The usual one.
    case `default`
    /// One with the signs of an e-mail address at hand.
    case emailAddress
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
