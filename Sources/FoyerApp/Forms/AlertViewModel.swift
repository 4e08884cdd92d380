public import Foyer

/// A message that has to be acknowledged before the form can be mended.
public struct AlertViewModel: Equatable, Sendable {
    /// The action that takes the alert away.
    public static let dismiss = ScreenAction("dismissAlert", title: "Rodger!", role: .destructive)

    /// The heading.
    public let title: String
    /// What happened.
    public let message: String
    /// What can be done.
    public let actions: [ScreenAction]

    /// Makes an alert.
    public init(title: String = "Form Invalid", message: String, actions: [ScreenAction] = [dismiss]) {
        self.title = title
        self.message = message
        self.actions = actions
    }

    /// Tells what is wrong with a form, in words that fit its story: the articles' extra credit.
    ///
    /// A sentence about the story comes first, then every error on a line of its own.
    public init(for type: AccountType, errors: [String]) {
        self.init(message: ([Self.lead(for: type)] + errors).joined(separator: "\n"))
    }

    private static func lead(for type: AccountType) -> String {
        switch type {
        case .login: "You are not signed in yet."
        case .setup: "Your account is not made yet."
        case .forgotPassword: "You have not asked for a new password yet."
        }
    }

    /// The alert as a screen.
    public func makeScreen(id: Screen.ID) -> Screen {
        Screen(id: id, title: title, content: .alert(message), actions: actions)
    }
}
