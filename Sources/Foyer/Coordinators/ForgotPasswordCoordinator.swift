public import FoyerFlow
public import FoyerModel

/// Asks for a new password. The output is the address that was given: nobody is told whether it has an account.
@FlowActor
public final class ForgotPasswordCoordinator: StepCoordinator<String> {
    /// Begins a new request.
    public init(definition: FlowDefinition = .forgotPassword, environment: FoyerEnvironment = .system) {
        super.init(slot: "forgotPassword", definition: definition, environment: environment)
    }

    /// Goes on with a saved request.
    public init(
        resuming flow: SavedFlow, definition: FlowDefinition = .forgotPassword,
        environment: FoyerEnvironment = .system
    ) {
        super.init(slot: "forgotPassword", resuming: flow, definition: definition, environment: environment)
    }

    public override var title: String { "Forgotten password" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        guard let email = draft.clearAnswers["email"] else { return nil }
        return FlowChange.Finish(user: nil, submission: makeSubmission(lane: EmailAddress.key(email)))
    }

    public override func makeOutput(user: User?) -> String? { draft.clearAnswers["email"] }
}
