import Foyer
import FoyerTestSupport
import Membership
import Testing

@Suite struct MembershipTests {
    private static let student: [Move] = [
        .answer("name", "Ada"), .answer("email", "ada@example.org"),
        .wrongAnswer("occupation", "queen", message: "occupation.unknown"),
        .answer("occupation", "student"), .back, .back, .answer("email", "ada@example.com"),
        .answer("occupation", "student"), .wrongAnswer("school", "L"), .answer("school", "Lund"),
    ]

    @Test func aMembershipSurvivesAKillAnywhere() async throws {
        try await killAnywhere(Self.student, definitions: [MembershipForm.definition()], answers: [.loseAnswer]) {
            foyer, saved in try await foyer.host(MembershipCoordinator(resuming: saved, in: foyer))
        }
    }

    @Test func onlyStudentsAreAskedForTheirSchool() async throws {
        let store = try TestStore(definitions: [MembershipForm.definition()])
        let presenter = await ScriptedPresenter(store) { foyer, saved in
            try await foyer.host(MembershipCoordinator(resuming: saved, in: foyer))
        }
        try await presenter.play(
            .answer("name", "Bob"), .answer("email", "bob@example.org"), .answer("occupation", "Retired"), .deliver)
        #expect(
            store.network.effects.map(\.fields) == [
                ["name": "Bob", "email": "bob@example.org", "occupation": "retired"]
            ])
    }
}
