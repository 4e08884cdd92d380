public import Foyer

/// The buttons of the account screens; the raw value is the action's identifier.
public enum ButtonType: String, CaseIterable, Sendable {
    /// Take what was entered.
    case accept
    /// Make a new account.
    case signup
    /// Ask for a new password.
    case forgotpass
}

/// A button before it becomes an action.
public struct ButtonViewModel: Equatable, Sendable {
    /// How much room a button takes; what that is in pixels is for the presenter to say.
    public enum Size: String, Codable, Sendable {
        /// The articles' `largeButtonHeight`.
        case large
    }

    /// Which button it is.
    public let type: ButtonType
    /// What it is called on the screen.
    public let title: String
    /// How a presenter may set it apart.
    public let role: ScreenAction.Role
    /// How much room it takes.
    public let size: Size

    /// Makes the view model of a button.
    public init(_ type: ButtonType, title: String, role: ScreenAction.Role = .normal, size: Size = .large) {
        self.type = type
        self.title = title
        self.role = role
        self.size = size
    }

    /// The action that the button stands for.
    public var action: ScreenAction { ScreenAction(type.rawValue, title: title, role: role) }
}
