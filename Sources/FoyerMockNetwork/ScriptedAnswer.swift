/// What the mock network does in place of its rules, once; scripts are used up from the front.
public enum ScriptedAnswer: Sendable {
    /// Answers this, such as `("success", 200)` or `("taken", 409)`, and does nothing else.
    case answer(_ message: String, _ status: Int)
    /// Cannot be reached.
    case offline
    /// Does what its rules say, and then loses the answer.
    case lost
    /// Waits so long, then does what its rules say.
    case slow(Duration)
}
