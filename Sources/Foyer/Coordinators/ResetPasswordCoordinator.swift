public import FoyerFlow
public import FoyerModel

/// Asks for a new password. The output is the address that was given: nobody is told whether it has an account.
@FlowActor
public final class ResetPasswordCoordinator: StepCoordinator<String> {
    /// Goes on with a saved flow, at the first step that has no usable answer; without one it begins anew.
    ///
    /// - Parameters:
    ///   - flow: the saved flow; nil begins a new one.
    ///   - id: the identifier of a new flow; without one it gets one of its own.
    ///   - definition: the steps.
    ///   - environment: the clock and the source of identifiers.
    public init(
        resuming flow: SavedFlow? = nil, id: UUIDv7? = nil, definition: FlowDefinition = .reset,
        environment: FoyerEnvironment = .system
    ) {
        super.init(slot: "reset", resuming: flow, id: id, definition: definition, environment: environment)
    }

    public override var title: String { "Forgotten password" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        guard let email = draft.credentials.texts["email_field"] else { return nil }
        return FlowChange.Finish(user: nil, submission: makeSubmission(lane: EmailAddress.key(email)))
    }

    public override func makeOutput(user: User?) -> String? { draft.credentials.texts["email_field"] }
}
