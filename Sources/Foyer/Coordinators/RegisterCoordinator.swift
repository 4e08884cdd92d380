public import FoyerFlow
public import FoyerModel

/// Registers a person: one screen for each step, every answer saved as it is given, the network's verdict at the end.
@FlowActor
public final class RegisterCoordinator: StepCoordinator<User> {
    /// Goes on with a saved flow, at the first step that has no usable answer; without one it begins anew.
    ///
    /// - Parameters:
    ///   - flow: the saved flow; nil begins a new one.
    ///   - id: the identifier of a new flow; without one it gets one of its own.
    ///   - definition: the steps.
    ///   - environment: the clock and the source of identifiers.
    public init(
        resuming flow: SavedFlow? = nil, id: UUIDv7? = nil, definition: FlowDefinition = .register,
        environment: FoyerEnvironment = .system
    ) {
        super.init(slot: "register", resuming: flow, id: id, definition: definition, environment: environment)
    }

    public override var title: String { "Registration" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        let texts = draft.credentials.texts
        let user = User(
            id: environment.makeID(), email: texts["email_field"], userName: texts["user_name"],
            firstName: texts["first_name"], lastName: texts["last_name"], status: .pending, createdAt: now,
            updatedAt: now)
        return FlowChange.Finish(user: user, submission: makeSubmission(lane: user.id.text))
    }

    public override func makeOutput(user: User?) -> User? { user }
}
