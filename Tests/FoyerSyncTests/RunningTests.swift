import FoyerModel
import FoyerStore
import FoyerSync
import FoyerTestSupport
import TestSupport
import Testing

/// A service that runs until it is stopped, with the real clock.
@Suite(.timeLimit(.minutes(1))) struct RunningTests {
    @Test("What is queued in this process is sent at once, not at the next look")
    func arrival() async throws {
        let scene = try await RealScene()
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let service = scene.service(network)
        var events = service.events.makeAsyncIterator()
        await service.start()
        while let event = await events.next() { if case .waiting = event { break } }
        try await scene.submit()
        try await eventually { try await scene.states() == [.accepted] }
        await service.stop()
        #expect(try await scene.store.backlog().waiting == 0)
    }

    @Test("What another store queues in the same file is noticed")
    func otherProcess() async throws {
        let scene = try await RealScene()
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let service = scene.service(network)
        await service.start()
        let other = try await RealScene(in: scene.folder)
        for number in 0..<20 { try await other.submit("user\(number)") }
        try await eventually { await network.requests.count == 20 }
        await service.stop()
        #expect(try await scene.states().allSatisfy { $0 == .accepted })
    }

    @Test("A new submission does not wait for a slow one that is being sent")
    func slowNeighbour() async throws {
        let scene = try await RealScene()
        let gate = Gate()
        let network = ScriptedNetwork { request, _ in
            if String(revealing: request.body).contains("slow") {
                await gate.pass()
            }
            return .accepted(request.key.text)
        }
        let service = scene.service(network)
        await service.start()
        try await scene.submit("slow")
        try await eventually { await network.requests.count == 1 }
        try await scene.submit("quick")
        try await eventually { try await scene.states() == [.sending, .accepted] }
        await gate.open()
        await service.stop()
        #expect(try await scene.states() == [.accepted, .accepted], "to stop waits for what is being sent")
    }

    @Test("A service that was stopped has given back what it had not begun, and sends nothing more")
    func stop() async throws {
        let scene = try await RealScene()
        let gate = Gate()
        let network = ScriptedNetwork { request, _ in
            await gate.pass()
            return .accepted(request.key.text)
        }
        for number in 0..<6 { try await scene.submit("user\(number)") }
        let service = scene.service(network, concurrency: 2)
        await service.start()
        try await eventually { await network.requests.count == 2 }
        async let stopped: Void = service.stop()
        await gate.open()
        await stopped
        let sent = await network.requests.count
        #expect(sent < 6)
        let submissions = try await scene.store.submissions()
        #expect(submissions.count { $0.state.name == .accepted } == sent)
        #expect(
            submissions.filter { $0.state.name != .accepted }.allSatisfy { $0.state.name == .ready && $0.claims == 0 })
        await service.start()
        try await eventually { try await scene.states().allSatisfy { $0 == .accepted } }
        await service.stop()
    }

    @Test("What never answers is not waited for: it may have arrived, and its claim is given up")
    func timeout() async throws {
        let scene = try await RealScene()
        try await scene.submit()
        let gate = Gate()
        let network = ScriptedNetwork { _, _ in
            // It does not heed that it is cancelled.
            await gate.pass()
            return .accepted("too late")
        }
        let service = SyncService(
            outbox: scene.store, network: network, definitions: [.register], timeout: .milliseconds(50))
        let report = try await service.syncOnce()
        await gate.open()
        #expect(report.attempts > 0 && report.answers == 0 && report.waiting == 1)
        let submission = try #require(try await scene.store.submissions().first)
        #expect(submission.state.name == .ready && submission.failures > 0 && submission.maybeSent)
    }

    @Test("A store that cannot be written is tried again, and nothing is lost")
    func trouble() async throws {
        let scene = try await RealScene()
        try await scene.submit()
        try await scene.shell(
            "CREATE TRIGGER refuse BEFORE UPDATE ON submissions BEGIN SELECT RAISE(ABORT, 'not today'); END")
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let service = scene.service(network)
        var events = service.events.makeAsyncIterator()
        await service.start()
        while let event = await events.next() { if case .failed = event { break } }
        #expect(await network.requests.isEmpty)
        try await scene.shell("DROP TRIGGER refuse")
        try await eventually { try await scene.states() == [.accepted] }
        await service.stop()
    }
}

@Suite(.timeLimit(.minutes(1))) struct TakingBackTests {
    /// A registration whose answer was lost.
    private func doubtful() async throws -> (Scene, SavedFlow) {
        let scene = try await Scene()
        let flow = try await scene.submit()
        _ = try await scene.sync(ScriptedNetwork { _, _ in .failure(.interrupted("cut off")) })
        scene.clock.turn(by: .seconds(60))
        return (scene, flow)
    }

    @Test("What may have been sent is taken back at the network, whose answer decides")
    func takenBack() async throws {
        let (scene, flow) = try await doubtful()
        #expect(try await scene.store.cancel(flow.submissionID).isCancelWanted)
        let network = ScriptedNetwork(other: .tookBack) { _, _ in .accepted("r1") }
        #expect(try await scene.sync(network).cancelled == 1)
        #expect(await network.cancelled == [flow.submissionID])
        #expect(await network.requests.isEmpty)
        #expect(try await scene.store.flow(flow.id)?.status == .cancelled)
        #expect(try await scene.store.attempts(of: flow.submissionID).map(\.task) == ["submit", "cancel"])
    }

    @Test("What the network had accepted before is accepted")
    func tooLate() async throws {
        let (scene, flow) = try await doubtful()
        _ = try await scene.store.cancel(flow.submissionID)
        #expect(try await scene.sync(ScriptedNetwork(other: .accepted("r1")) { _, _ in .offline }).accepted == 1)
        #expect(try await scene.store.flow(flow.id)?.status == .finished)
        #expect(try await scene.store.users().map(\.remoteID) == ["r1"])
    }

    @Test("A network that cannot take back is asked again, with failures, not without end")
    func refuses() async throws {
        let (scene, flow) = try await doubtful()
        _ = try await scene.store.cancel(flow.submissionID)
        let network = ScriptedNetwork(other: .status(405)) { _, _ in .offline }
        for _ in 0..<20 where try await scene.states() == [.ready] {
            _ = try await scene.sync(network)
            scene.clock.turn(by: .seconds(900))
        }
        #expect(await network.requests.isEmpty)
        let submission = try #require(try await scene.store.submission(flow.submissionID))
        #expect(submission.isCancelWanted && submission.state.name != .sending)
    }

    @Test(
        "What is over its time and may have been sent is asked for, and the network's memory decides",
        arguments: [
            (.status(404), .expired), (.status(410), .expired), (.accepted("r1"), .accepted), (.takenName, .rejected),
            (.status(202), .ready), (.status(503), .ready),
        ] as [(Result<NetworkReply, NetworkFailure>, Submission.State.Name)])
    func overdue(answer: Result<NetworkReply, NetworkFailure>, state: Submission.State.Name) async throws {
        let (scene, flow) = try await doubtful()
        scene.clock.turn(by: .seconds(14 * 86400))
        let network = ScriptedNetwork(other: answer) { _, _ in .offline }
        _ = try await scene.sync(network)
        #expect(await network.asked == [flow.submissionID])
        #expect(await network.requests.isEmpty)
        #expect(try await scene.states() == [state])
    }
}

/// Holds those who come to it until it is opened, even when they are cancelled.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiting { waiter.resume() }
        waiting = []
    }
}
