import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct OutboxCircuitBreakerTests {
    @Test(
        "Behind an open breaker nothing is claimed; then one worker probes with one, and its success closes the breaker"
    )
    func probe() async throws {
        let scene = try await Scene()
        let one = try scene.store.makeWorker(), two = try scene.store.makeWorker()
        for _ in 0..<4 { _ = try await scene.submitted() }
        let first = try #require(try await scene.claim(one, 1).first)
        try await scene.settle(first, .retry(after: .zero, isUnsent: true), .offline())
        #expect(try await scene.claim(two).isEmpty)
        #expect(try await scene.store.backlog(for: "server").nextDueIn == .milliseconds(250))
        #expect(try await scene.store.backlog().nextDueIn == .zero)
        #expect(try await scene.store.backlog(for: "another server").nextDueIn == nil)
        scene.clock.turn(by: .milliseconds(250))
        let probe = try await scene.claim(two)
        #expect(probe.map(\.isProbe) == [true])
        #expect(try await scene.claim(one).isEmpty)
        try await scene.settle(probe[0], .verdict(.accepted(remoteID: nil)), .answered, status: 201)
        #expect(try await scene.claim(one).allSatisfy { !$0.isProbe })
        #expect(try await scene.sql("SELECT name, failures, open_until IS NULL FROM endpoints") == "server|0|1")
        #expect(
            try await scene.sql("SELECT what FROM events WHERE what LIKE 'endpoint%'")
                == "endpoint unreachable\nendpoint reachable")
    }

    @Test("A trial whose worker died is another's at once")
    func deadProber() async throws {
        let scene = try await Scene()
        for _ in 0..<2 { _ = try await scene.submitted() }
        let worker = try scene.store.makeWorker()
        let first = try #require(try await scene.claim(worker, 1).first)
        try await scene.settle(first, .retry(after: .zero, isUnsent: true), .offline())
        scene.clock.turn(by: .milliseconds(250))
        do {
            let dying = try scene.store.makeWorker()
            #expect(try await scene.claim(dying).count == 1)
        }
        #expect(try await scene.claim(worker).map(\.isProbe) == [true])
    }

    @Test("A sign that the network is back shortens the wait, but not the endpoint's own", arguments: [true, false])
    func probeNow(isAsked: Bool) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let first = try await scene.sending(worker: worker)
        let report = EndpointReport.troubled(
            .init(reason: "no", isSoft: false, retryAfter: isAsked ? .seconds(60) : nil, jitter: 0.9))
        try await scene.settle(first, .retry(after: .zero), report)
        #expect(try await scene.claim(worker).isEmpty)
        try await scene.store.probeNow("server")
        #expect(try await scene.claim(worker).count == (isAsked ? 0 : 1))
    }
}

@Suite struct SuspectTests {
    /// Claims with a worker that dies over it.
    private func die(_ scene: Scene, sending count: Int) async throws -> [UUIDv7] {
        let dying = try scene.store.makeWorker()
        let claimed = try await scene.claim(dying, 4, begins: false)
        for submission in claimed.prefix(count) { #expect(try await scene.store.begin(submission)) }
        return claimed.map(\.id)
    }

    @Test("Only what was being sent is suspected, and it is sent alone; what was not begun was never sent")
    func alone() async throws {
        let scene = try await Scene()
        for _ in 0..<3 { _ = try await scene.submitted() }
        let held = try await die(scene, sending: 1)
        #expect(held.count == 3)
        let worker = try scene.store.makeWorker()
        #expect(try await scene.claim(worker, isIdle: false).isEmpty, "who is busy leaves it, and what comes after it")
        let alone = try await scene.claim(worker)
        #expect(alone.map(\.id) == [held[0]] && alone.map(\.isAlone) == [true])
        #expect(try await scene.claim(worker, isIdle: false).map(\.id) == Array(held[1...]))
        #expect(
            try await scene.sql("SELECT worker_deaths, maybe_sent, claims FROM submissions ORDER BY seq")
                == "1|1|2\n0|0|2\n0|0|2")
    }

    @Test("What kills whoever sends it alone three times is parked, and the others are delivered")
    func poison() async throws {
        let scene = try await Scene()
        for _ in 0..<2 { _ = try await scene.submitted() }
        var deaths = 0
        while try await scene.sql("SELECT state FROM submissions WHERE seq = 1") != "parked" {
            deaths += 1
            let dying = try scene.store.makeWorker()
            // The first of them kills; before it does, the other one is delivered.
            for submission in try await scene.claim(dying, 4) {
                guard try await scene.sql("SELECT seq FROM submissions WHERE id = '\(submission.id)'") == "2" else {
                    continue
                }
                try await scene.settle(submission, .verdict(.accepted(remoteID: nil)))
            }
            try #require(deaths < 10)
            withExtendedLifetime(dying) {}
        }
        #expect(deaths == 5, "one among others, three alone, and one that finds it parked")
        #expect(try await scene.sql("SELECT state FROM submissions ORDER BY seq") == "parked\naccepted")
        let reason = try await scene.sql("SELECT why FROM submissions_waiting")
        #expect(reason == "parked: it was sent alone 3 times, and each time the worker died")
        let id = try #require(try await scene.store.submissions().first?.id)
        #expect(try await scene.store.retry(id).state.name == .ready)
    }
}
