public import FoyerModel

/// A coordinator of a flow's steps, whatever its output is.
@FlowActor
package protocol StepFlow: AnyCoordinator {
    /// Takes the answers to several steps at once, such as a form has collected them, and begins with what is missing.
    ///
    /// - Returns: what has to be written; or what the steps' rules refuse, and then nothing has to be.
    func enter(_ credentials: Credentials, at now: Timestamp) -> Result<Reaction, RefusedFields>
}

/// What the rules of several steps say to what was entered.
package struct RefusedFields: Error {
    /// The messages in the order of the steps.
    package var messages: [FieldMessage] = []
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
