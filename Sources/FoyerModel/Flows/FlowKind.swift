/// What a flow, and the submission that it makes, ask the server for: the same word in the tables, on the wire and in JSON.
public enum FlowKind: String, CaseIterable, Codable, Sendable {
    /// Make an account.
    case register
    /// Sign in to an account.
    case login
    /// Send a new password.
    case reset
}
