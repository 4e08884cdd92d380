import Foyer
import FoyerTestSupport
import Testing

@Suite struct KillAnywhereTests {
    private static let story: [Move] = [
        .answer("email", "ada@example.org"), .answer("userName", "ada"), .wrongAnswer("password", "short"),
        .answer("password", "correct horse battery"), .back, .back, .answer("userName", "ada.l"), .expect("password"),
        .answer("password", "four unrelated words"), .answer("firstName", "Ada"), .answer("lastName", "Lovelace"),
    ]

    @Test("A registration survives a kill before any of its moves")
    func aRegistrationSurvivesAKillAnywhere() async throws {
        #expect(try await killAnywhere(Self.story) == Self.story.count - 1)
    }

    @Test("A registration survives kills even when the network fails as well")
    func itSurvivesThemWithANetworkThatFailsToo() async throws {
        try await killAnywhere(Self.story + [.deliver], answers: [.unreachable, .status(503), .loseAnswer])
    }

    @Test("A field that the network refused is asked again wherever the program is killed")
    func aRefusedFieldIsAskedAgainWhereverTheProgramIsKilled() async throws {
        let story = Self.story + [.deliver, .answer("userName", "ada.lovelace"), .deliver]
        try await killAnywhere(story, answers: [.refuse(field: "user_name", code: "taken")])
    }

    @Test("A program that starts over after a kill fails the check, which names the move")
    func aProgramThatForgetsIsNoticed() async throws {
        let failure = await #expect(throws: ScriptFailure.self) {
            // It begins anew whenever it is started.
            try await killAnywhere(Self.story) { foyer, _ in foyer.register() }
        }
        #expect(failure?.description.hasPrefix("Killed before move 2, ") == true, "\(String(describing: failure))")
    }

    @Test(
        "A story that leads to no end is a failure",
        arguments: [[], Array(story.prefix(1)), Array(story.dropLast()), story + [.deliver]])
    func noEnd(story: [Move]) async throws {
        // Where the story is told to its end, the network refuses, and nobody answers that.
        let refusal = [ScriptedNetwork.Answer.refuse(field: "user_name", code: "taken")]
        let failure = await #expect(throws: ScriptFailure.self) { try await killAnywhere(story, answers: refusal) }
        #expect(failure?.description.hasPrefix("Without any kill") == true, "\(String(describing: failure))")
    }

    @Test("A story that ends by giving up survives a kill anywhere")
    func somebodyMayAlsoGiveUp() async throws {
        try await killAnywhere(Array(Self.story.prefix(2)) + [.cancel])
    }

    @Test("After a kill, a step that is not kept is asked again and answered as before")
    func aStepThatIsNotKeptIsAskedAgainAndAnsweredAsBefore() async throws {
        let steps = FlowDefinition.register.steps.map { step in
            guard step.id == "password" else { return step }
            return FlowStep(secret: "password", field: step.field, isKept: false) { entered, _ in entered }
        }
        let definition = try FlowDefinition(.register, steps: steps)
        try await killAnywhere(
            [
                .answer("email", "ada@example.org"), .answer("userName", "ada"), .answer("password", "secret words"),
                .answer("firstName", "Ada"), .answer("lastName", "Lovelace"),
            ], definitions: [definition])
    }

    @Test("A story of a coordinator whose state is declared survives a kill anywhere")
    func declaredState() async throws {
        try await killAnywhere(Self.story, program: Self.program(Declaring.init))
    }

    @Test("A value that an input changes, and that is not declared as state, fails the check, which names it")
    func forgottenState() async throws {
        let failure = await #expect(throws: ScriptFailure.self) {
            try await killAnywhere(Self.story, program: Self.program(Forgetting.init))
        }
        #expect(failure?.description.hasPrefix("Forgetting.count") == true, "\(String(describing: failure))")
    }

    private static func program<Root: Counting>(
        _ make: @escaping @FlowActor (SavedFlow?, AccountStore) -> Root
    ) -> ScriptedPresenter.Program {
        { store, saved in try await store.host(make(saved, store)) }
    }
}

/// A registration that does something more with each input.
private class Counting: StepCoordinator<User> {
    init(resuming flow: SavedFlow?, in store: AccountStore) {
        super.init(
            slot: "counting", resuming: flow, definition: store.definition(for: .register),
            environment: store.environment)
    }

    func note() {}

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        note()
        return super.respond(to: input, at: now)
    }

    override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        let user = User(
            id: environment.makeID(), email: draft.clearAnswers["email"], userName: draft.clearAnswers["userName"],
            status: .pending, createdAt: now, updatedAt: now)
        return FlowChange.Finish(user: user, submission: makeSubmission(lane: user.id.text))
    }

    override func makeOutput(user: User?) -> User? { user }
}

private final class Declaring: Counting {
    @Saved private var count = 0
    @Unsaved private var last = 0

    override func note() {
        count += 1
        last = count
    }
}

private final class Forgetting: Counting {
    private var count = 0

    override func note() { count += 1 }
}
