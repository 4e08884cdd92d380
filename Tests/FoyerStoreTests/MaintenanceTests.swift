import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct MaintenanceTests {
    @Test("A worker that ends in order gives back what it has not begun, as if it had never been claimed")
    func retire() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        for _ in 0..<3 { _ = try await scene.submitted() }
        let claimed = try await scene.claim(worker, begins: false)
        #expect(try await scene.store.begin(claimed[0]))
        try await scene.store.retire(worker.worker)
        #expect(
            try await scene.sql("SELECT state, claims, maybe_sent, worker_deaths FROM submissions ORDER BY seq")
                == "ready|1|1|0\nready|0|0|0\nready|0|0|0")
        #expect(try await scene.count("workers") == "0")
        #expect(try await scene.count("submission_attempts") == "1")
        #expect(try await scene.store.begin(claimed[1]) == false, "it is not the worker's any more")
    }

    @Test("A claim that was lost cannot be begun", arguments: [true, false])
    func lost(isTaken: Bool) async throws {
        let scene = try await Scene()
        let slow = try scene.store.makeWorker()
        _ = try await scene.submitted()
        let claimed = try #require(try await scene.claim(slow, begins: false).first)
        scene.clock.turn(by: .seconds(46))
        if isTaken { #expect(try await scene.claim(try scene.store.makeWorker()).count == 1) }
        #expect(try await scene.store.begin(claimed) == false)
    }

    @Test("What was settled is forgotten after thirty days of the queue's time, but for the last")
    func prune() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        for _ in 0..<2 {
            try await scene.settle(try await scene.sending(worker: worker), .verdict(.accepted(remoteID: nil)))
        }
        _ = try await scene.submitted()
        try await scene.settle(try #require(try await scene.claim(worker).first), .parked(reason: "no"))
        scene.clock.turn(by: .seconds(30 * 86400) - .milliseconds(1))
        try await scene.store.prune()
        #expect(try await scene.count("submissions") == "3")
        scene.clock.turn(by: .milliseconds(1))
        try await scene.store.prune()
        #expect(try await scene.sql("SELECT seq, state FROM submissions") == "3|parked")
        #expect(try await scene.count("submission_attempts") == "1")
    }

    @Test("What is over its time and parked, but may have been sent, is asked for before it is given up")
    func askFirst() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        try await scene.settle(claimed, .parked(reason: "no"), status: 400)
        scene.clock.turn(by: .seconds(14 * 86400))
        let asked = try #require(try await scene.claim(worker).first)
        #expect(asked.task == .askOutcome && asked.id == claimed.id)
        try await scene.settle(asked, .verdict(.expired(reason: "the network never got it")), status: 404)
        #expect(try await scene.store.submission(claimed.id)?.state.name == .expired)
        #expect(try await scene.store.newestOpenFlow()?.id == claimed.flowID)
    }

    @Test(
        "The schema itself refuses what must not be",
        arguments: [
            "UPDATE submissions SET state = 'sending', lease_worker = 'x', lease_until = 1 WHERE seq = 2",
            "UPDATE submissions SET fence = 0 WHERE seq = 1", "UPDATE submissions SET maybe_sent = 0 WHERE seq = 3",
            "UPDATE submissions SET begun = 1 WHERE seq = 2", "UPDATE submissions SET forget_after = 1 WHERE seq = 2",
            "INSERT INTO submissions (id, kind, endpoint, lane, due_at, body, created_at, fence) "
                + "VALUES ('01900000-0000-7000-8000-000000000000', 'login', 'server', 'x', 1, '{}', '', 1)",
            "UPDATE submissions SET endpoint = 'another' WHERE seq = 1",
            "INSERT INTO endpoints (name, failures, open_until, changed_at) VALUES ('x', 1, 1, '')",
            "UPDATE submissions SET lease_worker = NULL, lease_until = NULL WHERE seq = 1",
        ])
    func schema(statement: String) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        for _ in 0..<2 { _ = try await scene.submittedLogin(lane: "one") }
        #expect(try await scene.claim(worker).count == 1)
        let other = try await scene.submittedLogin(lane: "two")
        try await scene.settle(try #require(try await scene.claim(worker).first), .retry(after: .seconds(60)))
        #expect(try await scene.store.submission(other.submissionID)?.maybeSent == true)
        #expect(try await scene.shell(statement).exit != .code(0))
    }
}
