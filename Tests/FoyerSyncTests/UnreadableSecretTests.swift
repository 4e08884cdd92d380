import FoyerModel
import Glibc
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore
@testable import FoyerSync

/// Secrets that cannot be opened hold up nothing but what needs them.
@Suite struct UnreadableSecretTests {
    private let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }

    @Test(
        "What was edited is parked with a reason that names the remedy, and the others are delivered",
        arguments: [
            "UPDATE submissions SET body = '{}' WHERE seq = 1",
            "UPDATE secrets SET box = 'b1AA==' WHERE flow_id = "
                + "(SELECT flow_id FROM submissions WHERE seq = 1)",
        ])
    func edited(update: String) async throws {
        let scene = try await Scene()
        let edited = try await scene.submit("ada")
        try await scene.submit("grace")
        try await scene.shell(update)
        let report = try await scene.sync(network)
        #expect(report.accepted == 1 && report.waiting == 1)
        #expect(try await scene.states() == [.parked, .accepted])
        let why = try await scene.store.submission(edited.submissionID)?.why
        #expect(why?.contains("give it up") == true)
        #expect(await network.requests.count == 1)
    }

    @Test("What is past its time has its step asked again, with every other answer")
    func gone() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit("ada")
        try await scene.submit("grace")
        try await scene.shell("UPDATE secrets SET expires_at = 1 WHERE flow_id = '\(flow.id)'")
        #expect(try await scene.sync(network).accepted == 1)
        #expect(try await scene.states() == [.expired, .accepted])
        let open = try #require(try await scene.store.flow(flow.id))
        #expect(open.status == .open && open.step == "password" && open.submissionID != flow.submissionID)
        let reconciliation = FlowDefinition.register.reconcile(open.answers, now: scene.clock.now)
        #expect(reconciliation.cursor == "password" && reconciliation.fates["email"] == .kept)
    }

    @Test("What the network may have is not opened again before it was asked")
    func maybeSent() async throws {
        let scene = try await Scene()
        try await scene.submit("ada")
        _ = try await scene.sync(ScriptedNetwork { _, _ in .status(500) })
        try await scene.shell("UPDATE secrets SET expires_at = 1")
        scene.clock.turn(by: .seconds(600))
        #expect(try await scene.sync(network).waiting == 1)
        #expect(try await scene.states() == [.parked])
        #expect(await network.requests.isEmpty)
    }

    @Test("Without the key what needs it waits and says why; the rest is delivered, and all of it when the key is back")
    func lostKey() async throws {
        let scene = try await Scene()
        let waiting = try await scene.submit("ada")
        let makeID = scene.environment.makeID, now = scene.clock.now
        let flow = SavedFlow(
            id: makeID(), kind: .reset, path: "forgotPassword", status: .open, fingerprint: "", step: nil,
            revision: 0, userID: nil, submissionID: makeID(), createdAt: now, updatedAt: now, expiresAt: nil)
        let reset = NewSubmission(id: flow.submissionID, kind: .reset, lane: "else", body: "{}")
        _ = try await scene.store.commit(
            FlowChange(
                flow: flow, fingerprint: "", step: nil, outcome: .submitted(.init(user: nil, submission: reset)),
                at: now))
        try await scene.store.close()
        let path = scene.folder.appending("keys/key")
        try #require(rename(path, path + ".kept") == 0)
        let store = try await Repositories.open(
            at: scene.folder.appending("a.db"), keyFile: path, endpoint: .named("script"),
            environment: scene.environment)
        let service = SyncService(
            outbox: store, network: network, definitions: FlowKind.allCases.map(FlowDefinition.standard),
            environment: scene.environment)
        let error = await #expect(throws: StoreError.self) { _ = try await service.sync(waitingUpTo: .seconds(15)) }
        #expect(error?.code == .keyMissing)
        #expect(try await store.submission(reset.id)?.state.name == .accepted)
        let row = try #require(try await store.submission(waiting.submissionID))
        #expect(row.state.name == .ready && row.failures == 0 && !row.maybeSent)
        #expect(row.lastError?.contains("give them up") == true)
        #expect(try await scene.shell("SELECT count(*) FROM secrets") == "1")

        try #require(rename(path + ".kept", path) == 0)
        #expect(try await service.sync(waitingUpTo: .seconds(15)).accepted == 1)
        try await store.close()
    }
}
