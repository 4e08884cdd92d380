import Foyer
import FoyerTestSupport
import Testing

@Suite struct KillAnywhereTests {
    private static let story: [Move] = [
        .answer("email", "ada@example.org"), .answer("userName", "ada"), .wrongAnswer("password", "short"),
        .answer("password", "correct horse battery"), .back, .back, .answer("userName", "ada.l"), .expect("password"),
        .answer("password", "four unrelated words"), .answer("firstName", "Ada"), .answer("lastName", "Lovelace"),
    ]

    @Test func aRegistrationSurvivesAKillAnywhere() async throws {
        #expect(try await killAnywhere(Self.story) == Self.story.count - 1)
    }

    @Test func itSurvivesThemWithANetworkThatFailsToo() async throws {
        try await killAnywhere(Self.story + [.deliver], answers: [.unreachable, .status(503), .loseAnswer])
    }

    @Test func aRefusedFieldIsAskedAgainWhereverTheProgramIsKilled() async throws {
        let story = Self.story + [.deliver, .answer("userName", "ada.lovelace"), .deliver]
        try await killAnywhere(story, answers: [.refuse(field: "user_name", code: "taken")])
    }

    @Test func aProgramThatForgetsIsNoticed() async throws {
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

    @Test func somebodyMayAlsoGiveUp() async throws {
        try await killAnywhere(Array(Self.story.prefix(2)) + [.cancel])
    }

    @Test func aStepThatIsNotKeptIsAskedAgainAndAnsweredAsBefore() async throws {
        let steps = FlowDefinition.setup.steps.map { step in
            guard step.id == "password" else { return step }
            return FlowStep(secret: "password", field: step.field, isKept: false) { entered, _ in entered }
        }
        let definition = try FlowDefinition(.setup, steps: steps)
        try await killAnywhere(
            [
                .answer("email", "ada@example.org"), .answer("userName", "ada"), .answer("password", "secret words"),
                .answer("firstName", "Ada"), .answer("lastName", "Lovelace"),
            ], definitions: [definition])
    }
}
