public import FoyerFlow
public import FoyerModel

/// Registers a person: one screen for each step, every answer saved as it is given, the network's verdict at the end.
@FlowActor
public final class RegisterCoordinator: StepCoordinator<User> {
    private let environment: FoyerEnvironment

    /// Begins a new registration.
    public init(definition: FlowDefinition = .setup, environment: FoyerEnvironment = .system) {
        self.environment = environment
        super.init(slot: "register", definition: definition, environment: environment)
    }

    /// Goes on with a saved registration, at the first step that has no usable answer.
    public init(
        resuming flow: SavedFlow, definition: FlowDefinition = .setup, environment: FoyerEnvironment = .system
    ) {
        self.environment = environment
        super.init(slot: "register", resuming: flow, definition: definition, at: environment.now())
    }

    public override var title: String { "Registration" }

    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        guard draft.firstOpenStep == nil else { return nil }
        let texts = draft.credentials.texts
        let user = User(
            id: environment.makeID(), email: texts["email_field"], userName: texts["user_name"],
            firstName: texts["first_name"], lastName: texts["last_name"], status: .pending, createdAt: now,
            updatedAt: now)
        let submission = NewSubmission(
            id: flow.submissionID, kind: .register, lane: user.id.text, body: SubmissionBody.stored(fields: texts))
        return FlowChange.Finish(user: user, submission: submission)
    }

    public override func makeOutput(user: User?) -> User? { user }
}
