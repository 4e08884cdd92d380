import Foyer
import FoyerTestSupport
import Foundation
import Testing

@Suite struct TestStoreTests {
    private static let answers: [Move] = [
        .answer("email", "ada@example.org"), .answer("userName", "ada"), .answer("password", "correct horse battery"),
        .answer("firstName", "Ada"), .answer("lastName", "Lovelace"),
    ]

    @Test("The files of a test store disappear with it")
    func theFilesAreGoneWithTheStore() async throws {
        var store: TestStore? = try TestStore()
        let path = try #require(store?.database)
        try await store?.open().close()
        #expect(FileManager.default.fileExists(atPath: path))
        store = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The scripted network lists each effect once and never shows a password")
    func theNetworkTellsWhatItAcceptedAndNeverAPassword() async throws {
        let store = try TestStore(network: ScriptedNetwork([.unreachable, .loseAnswer]))
        let presenter = await ScriptedPresenter(store)
        try await presenter.play(Self.answers + [.deliver])
        #expect(store.network.submissions > 1)
        let fields = [
            "email_field": "ada@example.org", "user_name": "ada", "first_name": "Ada", "last_name": "Lovelace",
        ]
        #expect(store.network.effects == [ScriptedNetwork.Effect(kind: .register, fields: fields)])
        #expect(try await presenter.savedFlow()?.status == .finished)
    }

    @Test("An open flow expires when the test clock is turned by 31 days")
    func aFlowExpiresWhenTheClockIsTurned() async throws {
        let store = try TestStore()
        let presenter = await ScriptedPresenter(store)
        try await presenter.play(Self.answers[0], .kill)
        store.clock.turn(by: .seconds(31 * 86400))
        let foyer = try await store.open()
        #expect(try await foyer.flows.newestOpenFlow() == nil)
        try await foyer.close()
    }

    /// Registration, with a password that can be used for so long while the flow is open.
    private static func definition(keepingPasswordsFor lifetime: Duration) throws -> FlowDefinition {
        let steps = FlowDefinition.register.steps.map { step in
            guard step.id == "password" else { return step }
            return FlowStep(secret: "password", field: step.field, lifetime: lifetime) { entered, _ in entered }
        }
        return try FlowDefinition(.register, steps: steps)
    }

    @Test(
        "A secret can be used for as long as its step says, also after another field was refused",
        arguments: [
            (Duration.seconds(3600), 0, "firstName"), (.seconds(3600), 2, "password"),
            (.seconds(3 * 86400), 48, "firstName"), (.seconds(3 * 86400), 73, "password"),
        ])
    func lifetimes(lifetime: Duration, hours: Int, next: String) async throws {
        let refusing = ScriptedNetwork([.refuse(field: "first_name", code: "bad_character")])
        let store = try TestStore(
            definitions: [Self.definition(keepingPasswordsFor: lifetime)], network: refusing)
        let presenter = await ScriptedPresenter(store)
        try await presenter.play(Array(Self.answers.prefix(3)) + [.kill])
        store.clock.turn(by: .seconds(hours * 3600))
        try await presenter.play(.expect(next))

        let finishing = await ScriptedPresenter(store)
        try await finishing.play(Self.answers + [.deliver, .expect("firstName"), .kill])
        store.clock.turn(by: .seconds(hours * 3600))
        try await finishing.play(.expect(next))
    }

    @Test("A script that does not fit the screen fails with a message that says why")
    func whatTheScriptDoesNotExpectIsSaid() async throws {
        let presenter = await ScriptedPresenter(try TestStore())
        await #expect(
            throws: ScriptFailure("The screen shows \"email\", and not the step \"userName\" that the script answers.")
        ) {
            try await presenter.play(.answer("userName", "ada"))
        }
        await #expect(throws: ScriptFailure("The screen shows \"email\", and not \"password\".")) {
            try await presenter.play(.expect("password"))
        }
        await #expect(throws: ScriptFailure("The screen shows \"email\", where \"back\" cannot be done.")) {
            try await presenter.play(.back)
        }
        let refusal = await #expect(throws: ScriptFailure.self) { try await presenter.play(.answer("email", "ada")) }
        #expect(refusal?.description.contains("was refused, not taken") == true)
        let acceptance = await #expect(throws: ScriptFailure.self) {
            try await presenter.play(.wrongAnswer("email", "ada@example.org"))
        }
        #expect(acceptance?.description.contains("was taken, not refused") == true)
    }

    @Test("A flow that was given up cannot be resumed and sends nothing")
    func somebodyWhoGivesUpLeavesNothingToGoOnWith() async throws {
        let store = try TestStore()
        let presenter = await ScriptedPresenter(store)
        try await presenter.play(Self.answers[0], .cancel)
        #expect(try await presenter.savedFlow()?.status == .cancelled)
        await #expect(throws: ScriptFailure.self) { try await presenter.play(.kill, .resume) }
        #expect(store.network.effects == [])
    }
}
