/// One thing that a person, or fate, does to a flow.
public enum Move: Sendable, Equatable {
    /// Answers the step of that name; it has to be taken.
    case answer(_ step: String, _ text: String)
    /// Answers the step of that name with something that its rules have to refuse, with the message of that id where one
    /// is given.
    case wrongAnswer(_ step: String, _ text: String, message: String? = nil)
    /// Goes back to the screen before.
    case back
    /// Sends the answers from the review screen, which is shown where somebody had gone back.
    case submit
    /// Gives the flow up.
    case cancel
    /// Delivers what waits, and shows what the network said.
    case deliver
    /// Ends the program between two inputs, as `kill -9` does: nothing that was in memory is there any more.
    case kill
    /// Starts the program, which goes on with the flow; after a kill, the next move does that by itself, too.
    case resume
    /// Expects the screen of that step, or `review`, or `submitted`.
    case expect(_ screen: String)
}

/// What did not go as the script wanted, in words.
public struct ScriptFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    /// Makes a failure with these words.
    public init(_ description: String) {
        self.description = description
    }
}
