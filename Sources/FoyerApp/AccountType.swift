public import Foyer

/// The three stories of an account, under the articles' names: the blueprint of the whole program.
public enum AccountType: String, CaseIterable, Codable, Sendable {
    /// Sign in with an existing account.
    case login
    /// Make a new account.
    case setup
    /// Ask for a new password.
    case forgotPassword

    /// The story that a flow tells.
    public init(_ kind: FlowKind) {
        switch kind {
        case .register: self = .setup
        case .login: self = .login
        case .reset: self = .forgotPassword
        }
    }

    /// The flow that tells the story.
    public var kind: FlowKind {
        switch self {
        case .setup: .register
        case .login: .login
        case .forgotPassword: .reset
        }
    }
}
