import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore
@testable import FoyerSync

/// A key that the network does not take for its time, because the device's clock was wrong when it was made.
@Suite struct NewKeyTests {
    private static let gone = NetworkReply(
        status: 410, body: Array(#"{"type":"/problems/key-expired"}"#.utf8), date: "Sat, 21 Nov 2026 06:54:02 GMT")

    /// Takes keys that were made at the time that its `Date` says.
    private let network = ScriptedNetwork { request, _ in
        let now = RetryAfter.date("Sat, 21 Nov 2026 06:54:02 GMT")
        return request.key.time == now ? .accepted(request.key.text) : .success(Self.gone)
    }

    @Test("What surely never came is sent again at once, signed, with its secrets, under a key of the network's time")
    func replaced() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit("ada")
        #expect(try await scene.sync(network).accepted == 1)
        let requests = await network.requests
        #expect(requests.count == 2 && requests[0].key == flow.submissionID && requests[1].key != flow.submissionID)
        #expect(String(revealing: requests[0].body) == String(revealing: requests[1].body))
        let finished = try #require(try await scene.store.flow(flow.id))
        #expect(finished.status == .finished && finished.submissionID == requests[1].key)
        let attempts = try await scene.store.attempts(of: finished.submissionID)
        #expect(attempts.map(\.outcome) == ["unsent", "accepted"] && attempts.map(\.httpStatus) == [410, 201])
        #expect(
            try await scene.shell("SELECT detail FROM events WHERE what = 'submission key replaced'")
                == requests[1].key.text)
        #expect(try await scene.shell("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
    }

    @Test("It keeps its place in the lane: what waits behind it stays behind it")
    func order() async throws {
        let scene = try await Scene()
        let first = try await scene.submit("ada", lane: "ada")
        let second = try await scene.submit("ada", lane: "ada", kind: .login)
        #expect(try await scene.sync(network).accepted == 2)
        let kinds = await network.requests.map(\.kind)
        #expect(kinds == [.register, .register, .login, .login])
        for flow in [first, second] { #expect(try await scene.store.flow(flow.id)?.status == .finished) }
    }

    @Test("What may have come keeps its key until a person has looked, and is sent anew when they want it")
    func inDoubt() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit("ada")
        _ = try await scene.sync(ScriptedNetwork { _, _ in .status(500) })
        scene.clock.turn(by: .seconds(600))
        _ = try await scene.sync(network)
        #expect(try await scene.states() == [.parked])
        let parked = try #require(try await scene.store.submission(flow.submissionID))
        #expect(parked.maybeSent && parked.state.reason?.contains("send it anew or give it up") == true)
        #expect(try await scene.store.retry(parked.id).id != parked.id)
        _ = try await scene.sync(network)
        _ = try await scene.sync(ScriptedNetwork { request, _ in .accepted(request.key.text) })
        #expect(try await scene.states() == [.parked], "the clock of this scene is not the network's")
        _ = try await scene.store.retry(try #require(try await scene.store.waiting().first).id)
        #expect(try await scene.sync(ScriptedNetwork { request, _ in .accepted(request.key.text) }).accepted == 1)
    }

    @Test("A network that takes no key at all is asked again after a quarter of an hour, not at once")
    func never() async throws {
        let scene = try await Scene()
        try await scene.submit("ada")
        let network = ScriptedNetwork { _, _ in .success(Self.gone) }
        #expect(try await scene.sync(network, waitingUpTo: .seconds(60)).waiting == 1)
        #expect(await network.requests.count == 2)
        scene.clock.turn(by: .seconds(900))
        _ = try await scene.sync(network)
        #expect(await network.requests.count == 3)
        #expect(try await scene.states() == [.ready])
    }

    @Test("What somebody has edited since it was queued is not signed for its new key")
    func edited() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit("ada")
        let store = scene.store
        let worker = try store.makeWorker()
        let claimed = try #require(
            try await store.claim(1, by: worker.worker, for: "script", isIdle: true).first)
        #expect(try await store.begin(claimed))
        try await scene.shell(
            """
            DROP TRIGGER submissions_payload_is_frozen;
            UPDATE submissions SET body = '{"schema":1,"fields":{"user_name":"mallory"}}'
            """)
        let retry = Settlement.Retry(
            delay: .zero, reason: "r", countsAsFailure: false, isUnsent: true, newKeyTime: scene.clock.now)
        #expect(try await store.settle(claimed, .retry(retry), .answered, httpStatus: 410))
        #expect(try await store.flow(flow.id)?.submissionID != flow.submissionID)
        _ = try await scene.sync(network)
        #expect(try await scene.states() == [.parked])
        #expect(await network.requests.isEmpty)
    }
}
