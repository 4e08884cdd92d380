public import FoyerFlow
public import FoyerModel

/// Signs a person in. Foyer keeps no session and no token: the output is the person.
@FlowActor
public final class LoginCoordinator: StepCoordinator<User> {
    /// Begins a new sign-in.
    public init(definition: FlowDefinition = .login, environment: FoyerEnvironment = .system) {
        super.init(slot: "login", definition: definition, environment: environment)
    }

    /// Goes on with a saved sign-in.
    public init(
        resuming flow: SavedFlow, definition: FlowDefinition = .login, environment: FoyerEnvironment = .system
    ) {
        super.init(slot: "login", resuming: flow, definition: definition, environment: environment)
    }

    public override var title: String { "Sign in" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        guard let userName = draft.clearAnswers["userName"] else { return nil }
        return FlowChange.Finish(user: nil, submission: makeSubmission(lane: UserName.key(userName)))
    }

    public override func makeOutput(user: User?) -> User? { user }
}
