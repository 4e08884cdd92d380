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
}
