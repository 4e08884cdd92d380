public import FoyerModel

/// A coordinator of a flow's steps, whatever its output is.
@FlowActor
package protocol StepFlow: AnyCoordinator {
    /// Takes the answers to several steps at once, such as a form has collected them, and begins with what is missing.
    ///
    /// - Returns: the change that has to be written; where the steps' rules refuse an answer, nothing has to be.
    func enter(_ credentials: Credentials, at now: Timestamp) -> EnteredAnswers
}

/// What becomes of answers that were entered together.
package enum EnteredAnswers {
    /// All are right, and are to be written.
    case taken(Reaction)
    /// The rules of these steps refuse their answers, in the order of the steps.
    case refused([FieldRefusal])
}

/// From which the coordinator of a flow is made again: the flow, and nothing of what was answered.
public struct FlowReference: Codable, Hashable, Sendable {
    /// The flow's identifier.
    public let flow: UUIDv7

    /// Names a flow.
    public init(flow: UUIDv7) {
        self.flow = flow
    }
}
