/// The field that a step shows, and its name on the wire.
public struct StepField: Hashable, Sendable {
    /// The field's name on the wire, such as `email_field`.
    public let wireName: String
    /// The field's name on the screen.
    public let label: String
    /// Which keyboard helps.
    public let keyboard: KeyboardType
    /// The colour of its text.
    public let color: TextColor

    /// Makes a field.
    public init(
        _ wireName: String, label: String, keyboard: KeyboardType = .default, color: TextColor = .lightGray
    ) {
        self.wireName = wireName
        self.label = label
        self.keyboard = keyboard
        self.color = color
    }
}

extension StepField {
    /// The e-mail address.
    public static let email = StepField("email_field", label: "Email Address", keyboard: .emailAddress)
    /// The name that a person chooses to be known by.
    public static let userName = StepField("user_name", label: "User Name")
    /// The password.
    public static let password = StepField("password", label: "Password")
    /// The first name.
    public static let firstName = StepField("first_name", label: "First Name")
    /// The last name.
    public static let lastName = StepField("last_name", label: "Last Name")
}

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
