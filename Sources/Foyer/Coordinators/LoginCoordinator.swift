public import FoyerFlow
public import FoyerModel

/// Signs a person in. Foyer keeps no session and no token: the output is the person.
@FlowActor
public final class LoginCoordinator: StepCoordinator<User> {
    /// Goes on with a saved flow, at the first step that has no usable answer; without one it begins anew.
    ///
    /// - Parameters:
    ///   - flow: the saved flow; nil begins a new one.
    ///   - id: the identifier of a new flow; without one it gets one of its own.
    ///   - definition: the steps.
    ///   - environment: the clock and the source of identifiers.
    public init(
        resuming flow: SavedFlow? = nil, id: UUIDv7? = nil, definition: FlowDefinition = .login,
        environment: FoyerEnvironment = .system
    ) {
        super.init(slot: "login", resuming: flow, id: id, definition: definition, environment: environment)
    }

    public override var title: String { "Sign in" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        guard let userName = draft.credentials.texts["user_name"] else { return nil }
        return FlowChange.Finish(user: nil, submission: makeSubmission(lane: UserName.key(userName)))
    }

    public override func makeOutput(user: User?) -> User? { user }
}
