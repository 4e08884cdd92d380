import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct CancelTests {
    @Test("An open flow is given up with its secrets and its tree", arguments: [1, 3, 4])
    func open(answers: Int) async throws {
        let scene = try await Scene()
        let flow = try await scene.answered(answers)
        #expect(try await scene.store.cancel(flow.id, at: scene.clock.now).status == .cancelled)
        #expect(try await scene.count("secrets") == "0")
        #expect(try await scene.count("coordinators") == "0")
        #expect(
            try await scene.sql("SELECT what, detail FROM events ORDER BY seq DESC LIMIT 1")
                == "flow cancelled|given up")
    }

    @Test("A submitted flow that was surely never sent is given up with its submission and its person")
    func unsent() async throws {
        let scene = try await Scene()
        let flow = try await scene.submitted()
        #expect(try await scene.store.cancel(flow.id, at: scene.clock.now).status == .cancelled)
        #expect(try await scene.store.submission(flow.submissionID)?.state.name == .cancelled)
        #expect(try await scene.store.users().isEmpty)
        #expect(try await scene.count("secrets") == "0")
        #expect(try await scene.claim(try scene.store.makeWorker()).isEmpty)
    }

    @Test(
        "What the network may have is not given up before the network was asked",
        arguments: [nil, Settlement.retry(after: .seconds(60)), .parked(reason: "no")])
    func maybeSent(settlement: Settlement?) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        let claimed = try await scene.sending(worker: worker)
        if let settlement { try await scene.settle(claimed, settlement, status: 400) }
        let flow = try #require(claimed.flowID)
        #expect(try await scene.store.cancel(flow, at: scene.clock.now).status == .submitted)
        #expect(try await scene.store.submission(claimed.id)?.isCancelWanted == true)
        #expect(try await scene.count("secrets") == "1")
        if settlement == nil { try await scene.settle(claimed, .retry(after: .zero)) }
        let again = try #require(try await scene.claim(worker).first)
        #expect(again.task == .cancel)
        #expect(try await scene.settle(again, .verdict(.cancelled(reason: "taken back")), status: 200))
        #expect(try await scene.store.flow(flow)?.status == .cancelled)
        #expect(try await scene.store.users().isEmpty)
        #expect(try await scene.count("secrets") == "0")
    }

    @Test("The network's verdict decides over a wish to cancel: accepted stays accepted, refused is not asked again")
    func verdict() async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        for (settlement, status) in [
            (Settlement.verdict(.accepted(remoteID: "r1")), "finished"), (.takenName, "cancelled"),
        ] {
            let claimed = try await scene.sending(worker: worker)
            let flow = try #require(claimed.flowID)
            _ = try await scene.store.cancel(flow, at: scene.clock.now)
            #expect(try await scene.settle(claimed, settlement))
            #expect(try await scene.store.flow(flow)?.status.rawValue == status)
        }
        #expect(try await scene.count("secrets") == "0")
        #expect(
            try await scene.sql("SELECT detail FROM events WHERE what = 'submission accepted'") == "too late to cancel")
    }

    @Test("What is being sent and comes back unsent is cancelled at once")
    func cameBackUnsent() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        let flow = try #require(claimed.flowID)
        _ = try await scene.store.cancel(flow, at: scene.clock.now)
        try await scene.settle(claimed, .retry(isUnsent: true), .offline())
        #expect(try await scene.sql("SELECT state, reason FROM submissions") == "cancelled|given up")
        #expect(try await scene.store.flow(flow)?.status == .cancelled)
    }

    @Test(
        "A submission that never left can be taken back; one doubtful try before, and the network is asked",
        arguments: [true, false])
    func unsentRetries(hasDoubt: Bool) async throws {
        let scene = try await Scene()
        let worker = try scene.store.makeWorker()
        var claimed = try await scene.sending(worker: worker)
        for settlement in [.retry(isUnsent: true), .retry(isUnsent: !hasDoubt), Settlement.retry(isUnsent: true)] {
            try await scene.settle(claimed, settlement)
            scene.clock.turn(by: .seconds(1))
            claimed = try #require(try await scene.claim(worker).first)
        }
        try await scene.settle(claimed, .retry(isUnsent: true))
        #expect(try await scene.sql("SELECT maybe_sent FROM submissions") == (hasDoubt ? "1" : "0"))
        let flow = try #require(claimed.flowID)
        #expect(
            try await scene.store.cancel(flow, at: scene.clock.now).status == (hasDoubt ? .submitted : .cancelled))
    }

    @Test("What was parked before it left can be given up")
    func parkedUnsent() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.settle(claimed, .parked(reason: "the key file is missing", isUnsent: true))
        let flow = try #require(claimed.flowID)
        #expect(try await scene.store.cancel(flow, at: scene.clock.now).status == .cancelled)
        #expect(try await scene.sql("SELECT state FROM submissions") == "cancelled")
    }

    @Test("What a dead worker held may have been sent")
    func deadWorker() async throws {
        let scene = try await Scene()
        do { _ = try await scene.sending(worker: try scene.store.makeWorker()) }
        let worker = try scene.store.makeWorker()
        let claimed = try #require(try await scene.claim(worker).first)
        try await scene.settle(claimed, .retry(isUnsent: true))
        #expect(try await scene.sql("SELECT maybe_sent FROM submissions") == "1")
    }

    @Test("What has ended cannot be given up, and what is not there is not found")
    func ended() async throws {
        let scene = try await Scene()
        let claimed = try await scene.sending(worker: try scene.store.makeWorker())
        try await scene.settle(claimed, .verdict(.accepted(remoteID: nil)))
        let flow = try #require(claimed.flowID)
        #expect(await code { _ = try await scene.store.cancel(flow, at: scene.clock.now) } == .flowClosed)
        #expect(await code { _ = try await scene.store.cancel(id(1), at: scene.clock.now) } == .notFound)
        #expect(try await scene.store.users().map(\.status) == [.active])
    }
}
