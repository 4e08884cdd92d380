/// The three stories of an account, and so the three kinds of flow: the blueprint of the whole program.
public enum AccountType: String, CaseIterable, Codable, Sendable {
    /// Sign in with an existing account.
    case login
    /// Make a new account.
    case setup
    /// Ask for a new password.
    case forgotPassword
}
