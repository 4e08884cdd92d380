import FoyerModel
import FoyerStore
import FoyerSync
import Synchronization
import FoyerTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SyncServiceTests {
    @Test("What is due is delivered once, and a second run sends nothing")
    func once() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit()
        let network = ScriptedNetwork { _, _ in .accepted("r1") }
        let report = try await scene.sync(network)
        #expect(report.accepted == 1)
        #expect(report.attempts == 1)
        #expect(report.waiting == 0)
        #expect(!report.neverReached)
        #expect(await network.requests.map(\.key) == [flow.submissionID])
        #expect(
            await network.bodies == [
                #"{"fields":{"user_name":"ada"},"schema":1,"#
                    + #""secrets":{"password":{"mode":"plain","text":"four unrelated words"}}}"#
            ])
        #expect(try await scene.sync(network) == SyncReport())
        #expect(await network.requests.count == 1)
        #expect(try await scene.store.users().map(\.remoteID) == ["r1"])
    }

    @Test("More than can be sent at once is all delivered", arguments: [0, 1, 3, 100])
    func many(concurrency: Int) async throws {
        let scene = try await Scene()
        for number in 0..<5 { try await scene.submit("user\(number)") }
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let report = try await scene.service(network, concurrency: concurrency).sync(waitingUpTo: .zero)
        #expect(report.accepted == 5)
        #expect(await Set(network.requests.map(\.key)).count == 5)
        #expect(try await scene.states().allSatisfy { $0 == .accepted })
    }

    @Test("One lane is delivered in its order, one at a time")
    func lane() async throws {
        let scene = try await Scene()
        var flows: [SavedFlow] = []
        for name in ["first", "second", "third"] { flows.append(try await scene.submit(name, lane: "one")) }
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        #expect(try await scene.sync(network).accepted == 3)
        #expect(await network.requests.map(\.key) == flows.map(\.submissionID))
    }

    @Test("A refused name opens its flow again at that step")
    func rejected() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit()
        let report = try await scene.sync(ScriptedNetwork { _, _ in .takenName })
        #expect(report.rejected == 1)
        #expect(report.waiting == 0)
        let open = try await scene.store.newestOpenFlow()
        #expect(open?.id == flow.id)
        #expect(open?.step == "userName")
        #expect(open?.answers.map(\.error) == [nil, "username.taken", nil])
    }

    @Test("What never left can still be given up")
    func unsent() async throws {
        let scene = try await Scene()
        let flow = try await scene.submit()
        let report = try await scene.sync(ScriptedNetwork { _, _ in .offline })
        #expect(report.neverReached)
        #expect(report.waiting == 1)
        #expect(try await scene.store.cancel(flow.id, at: scene.clock.now).status == .cancelled)
    }

    @Test(
        "An outage ends the run within its timeout, and the run says that nobody was reached",
        arguments: [0, 1, 5, 15])
    func outage(seconds: Int) async throws {
        let scene = try await Scene()
        try await scene.submit()
        let report = try await scene.sync(ScriptedNetwork { _, _ in .offline }, waitingUpTo: .seconds(seconds))
        #expect(report.neverReached)
        #expect(report.waiting == 1)
        #expect(scene.clock.sleeps.reduce(.zero, +) <= .seconds(seconds))
        #expect(try await scene.store.submissions().map(\.failures) == [0])
    }

    @Test("A network that keeps failing a sign-in does not keep the run going")
    func hopeless() async throws {
        let scene = try await Scene()
        try await scene.submit(kind: .login)
        let report = try await scene.sync(ScriptedNetwork { _, _ in .status(503) }, waitingUpTo: .seconds(15))
        #expect(report.waiting == 1)
        #expect(!report.neverReached)
        #expect(scene.clock.sleeps.reduce(.zero, +) <= .seconds(15))
    }

    @Test("Timeout starts anew with each verdict")
    func progress() async throws {
        let scene = try await Scene()
        for name in ["first", "second", "third", "fourth"] { try await scene.submit(name, lane: "one") }
        // Each is accepted at its second try, a second after the first.
        let tries = Mutex<Set<UUIDv7>>([])
        let network = ScriptedNetwork { request, _ in
            let isFirst = tries.withLock { $0.insert(request.key).inserted }
            return isFirst ? .status(500) : .accepted(request.key.text)
        }
        #expect(try await scene.sync(network, waitingUpTo: .seconds(1)).accepted == 4)
    }

    @Test(
        "A passing failure is tried again with the same bytes and the same key",
        arguments: [
            .status(500), .status(503, retryAfter: "2"), .status(200, "<html>"), .offline,
            .failure(.interrupted("timeout")), .status(429), .status(409, retryAfter: "1"),
        ] as [Result<NetworkReply, NetworkFailure>])
    func retry(failure: Result<NetworkReply, NetworkFailure>) async throws {
        let scene = try await Scene()
        let flow = try await scene.submit()
        let network = ScriptedNetwork { _, number in number < 3 ? failure : .accepted("r1") }
        let report = try await scene.sync(network, waitingUpTo: .seconds(15))
        #expect(report.accepted == 1)
        #expect(report.attempts == 3)
        #expect(await network.requests.map(\.key) == Array(repeating: flow.submissionID, count: 3))
        #expect(await Set(network.bodies).count == 1)
    }

    @Test("Nothing is asked again before the network wants it")
    func retryAfter() async throws {
        let scene = try await Scene()
        try await scene.submit()
        let network = ScriptedNetwork { _, _ in .status(503, retryAfter: "60") }
        _ = try await scene.sync(network, waitingUpTo: .seconds(59))
        #expect(scene.clock.sleeps.isEmpty)
        scene.clock.turn(by: .milliseconds(59_999))
        _ = try await scene.sync(network)
        #expect(await network.requests.count == 1)
        scene.clock.turn(by: .milliseconds(1))
        _ = try await scene.sync(network)
        #expect(await network.requests.count == 2)
    }

    @Test("An outage counts once, however many submissions meet it, and costs none of them a failure")
    func outageOfMany() async throws {
        let scene = try await Scene()
        for number in 0..<4 { try await scene.submit("user\(number)") }
        let service = scene.service(ScriptedNetwork { _, _ in .offline })
        for failures in 1...5 {
            _ = try await service.syncOnce()
            #expect(try await scene.shell("SELECT failures FROM endpoints") == "\(failures)")
            scene.clock.turn(by: try #require(try await scene.store.backlog(for: "script").nextDueIn))
        }
        #expect(try await scene.store.submissions().allSatisfy { $0.failures == 0 && !$0.maybeSent })
    }

    @Test("What cannot be opened is parked unsent and can be given up; the others go on")
    func parked() async throws {
        let scene = try await Scene()
        let broken = try await scene.submit("ada", lane: "a")
        try await scene.submit("grace", lane: "b")
        let shell = try await Program(
            "sqlite3",
            [scene.folder.appending("a.db"), "UPDATE secrets SET version = 7 WHERE flow_id = '\(broken.id)'"]
        ).run()
        #expect(shell.exit == .code(0))
        let network = ScriptedNetwork { _, _ in .accepted("r1") }
        let report = try await scene.sync(network)
        #expect(report.accepted == 1)
        #expect(report.attempts == 1)
        #expect(report.waiting == 1)
        #expect(try await scene.states() == [.parked, .accepted])
        #expect(await network.requests.count == 1)
        #expect(try await scene.store.cancel(broken.id, at: scene.clock.now).status == .cancelled)
    }

    @Test("A run that only met unreadable secrets does not blame the network")
    func onlyParked() async throws {
        let scene = try await Scene()
        try await scene.submit()
        _ = try await Program("sqlite3", [scene.folder.appending("a.db"), "UPDATE secrets SET version = 7"]).run()
        let report = try await scene.sync(ScriptedNetwork { _, _ in .accepted("r1") })
        #expect(!report.neverReached)
        #expect(report.waiting == 1)
    }

    @Test("What another try would not change is parked, and the others go on")
    func badRequest() async throws {
        let scene = try await Scene()
        try await scene.submit("ada")
        try await scene.submit("grace")
        let network = ScriptedNetwork { request, _ in
            String(revealing: request.body).contains("ada") ? .status(400) : .accepted("r1")
        }
        let report = try await scene.sync(network, waitingUpTo: .seconds(15))
        #expect(report.accepted == 1)
        #expect(try await scene.states() == [.parked, .accepted])
        #expect(scene.clock.sleeps.isEmpty)
    }

    @Test("Two services on one store deliver each submission once")
    func twoServices() async throws {
        let scene = try await Scene()
        for number in 0..<8 { try await scene.submit("user\(number)") }
        let other = try await Repositories.open(
            at: scene.folder.appending("a.db"), keyFile: scene.folder.appending("keys/key"), endpoint: .named("script"),
            environment: scene.clock.environment)
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let second = SyncService(
            outbox: other, network: network, definitions: [.register], concurrency: 2,
            environment: scene.clock.environment)
        async let mine = scene.service(network, concurrency: 2).sync(waitingUpTo: .zero)
        async let theirs = second.sync(waitingUpTo: .zero)
        let accepted = try await mine.accepted + theirs.accepted
        #expect(accepted == 8)
        #expect(await network.requests.count == 8)
        #expect(await Set(network.requests.map(\.key)).count == 8)
    }

    @Test("Two runs of one service at once deliver each submission once")
    func twoRuns() async throws {
        let scene = try await Scene()
        for number in 0..<8 { try await scene.submit("user\(number)") }
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let service = scene.service(network, concurrency: 2)
        async let one = service.sync(waitingUpTo: .zero)
        async let two = service.sync(waitingUpTo: .zero)
        #expect(try await one.accepted + two.accepted == 8)
        #expect(await network.requests.count == 8)
    }

    @Test("What a row cannot take is parked with the reason, and the others are delivered")
    func settleError() async throws {
        let scene = try await Scene()
        try await scene.submit("ada")
        try await scene.submit("grace")
        let trigger = """
            CREATE TRIGGER refuse BEFORE UPDATE OF remote_id ON users WHEN new.user_name = 'ada'
            BEGIN SELECT RAISE(ABORT, 'not today'); END
            """
        let made = try await Program("sqlite3", [scene.folder.appending("a.db"), trigger]).run()
        #expect(made.exit == .code(0))
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let report = try await scene.sync(network)
        #expect(report.accepted == 1 && report.waiting == 1)
        #expect(try await scene.states() == [.parked, .accepted])
        let parked = try #require(try await scene.store.waiting().first)
        #expect(parked.maybeSent && parked.state.reason?.isEmpty == false && parked.workerDeaths == 0)
        #expect(await network.requests.count == 2)
    }

    @Test("A run that waits for one submission ends with its verdict, whatever else is due")
    func forOne() async throws {
        let scene = try await Scene()
        let wanted = try await scene.submit("ada")
        scene.clock.turn(by: .milliseconds(1))
        try await scene.submit("grace")
        let network = ScriptedNetwork { request, _ in .accepted(request.key.text) }
        let service = scene.service(network, concurrency: 1)
        try await service.deliver(wanted.submissionID, within: .seconds(50))
        #expect(try await scene.states() == [.accepted, .ready])
        #expect(await network.requests.map(\.key) == [wanted.submissionID])
    }

    @Test(
        "A run for a submission that has its verdict already, or is not there, ends at once", arguments: [true, false])
    func forNothing(isKnown: Bool) async throws {
        let scene = try await Scene()
        let done = try await scene.submit("ada")
        let network = ScriptedNetwork { _, number in number == 1 ? .takenName : .offline }
        _ = try await scene.sync(network)
        try await scene.submit("grace")
        let wanted = isKnown ? done.submissionID : scene.clock.environment.makeID()
        try await scene.service(network).deliver(wanted, within: .seconds(5))
        #expect(scene.clock.sleeps.isEmpty)
    }

    @Test("Who waits for one submission waits no longer than the limit; its verdict is written when it comes")
    func forOneThatHangs() async throws {
        let scene = try await Scene()
        let wanted = try await scene.submit()
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let network = ScriptedNetwork { _, _ in
            for await _ in answers { break }
            return .accepted("r1")
        }
        let service = scene.service(network)
        let start = ContinuousClock.now
        try await service.deliver(wanted.submissionID, within: .milliseconds(200))
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(200) && time < .seconds(40), "\(time)")
        #expect(try await scene.states() == [.sending])
        answer.yield()
        try await eventually("the verdict") { try await scene.states() == [.accepted] }
    }

    @Test("What is given back while it is being sent is due again, and no sign of a dead worker")
    func givenBack() async throws {
        let scene = try await Scene()
        let wanted = try await scene.submit()
        let network = ScriptedNetwork { _, _ in
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            return .offline
        }
        let service = scene.service(network)
        try await service.deliver(wanted.submissionID, within: .zero)
        try await eventually("the sending") { await network.requests.count == 1 }
        await service.giveBack()
        let submission = try #require(try await scene.store.submission(wanted.submissionID))
        #expect(submission.state.name == .ready && submission.maybeSent && submission.workerDeaths == 0)
        #expect(try await scene.sync(ScriptedNetwork { _, _ in .accepted("r1") }).accepted == 1)
    }

    @Test("A run waits for what another worker is sending, no longer than its timeout")
    func othersWork() async throws {
        let scene = try await Scene()
        try await scene.submit()
        let worker = try scene.store.makeWorker()
        #expect(try await scene.store.claim(1, by: worker.worker, for: "script", isIdle: true).count == 1)
        let network = ScriptedNetwork { _, _ in .accepted("r1") }
        let report = try await scene.sync(network, waitingUpTo: .seconds(2))
        #expect(report == SyncReport(waiting: 1))
        let slept = scene.clock.sleeps.reduce(.zero, +)
        #expect(slept <= .seconds(2) && slept > .seconds(1))
        #expect(await network.requests.isEmpty)
        withExtendedLifetime(worker) {}
    }

    @Test("A run goes on with what another worker leaves behind when it dies")
    func deadWorker() async throws {
        let scene = try await Scene()
        try await scene.submit()
        do {
            let worker = try scene.store.makeWorker()
            _ = try await scene.store.claim(1, by: worker.worker, for: "script", isIdle: true)
        }
        #expect(try await scene.sync(ScriptedNetwork { _, _ in .accepted("r1") }).accepted == 1)
    }

    @Test("An empty outbox asks nobody and waits for nothing")
    func empty() async throws {
        let scene = try await Scene()
        let network = ScriptedNetwork { _, _ in .offline }
        let report = try await scene.sync(network, waitingUpTo: .seconds(15))
        #expect(report == SyncReport())
        #expect(!report.neverReached)
        #expect(await network.requests.isEmpty)
        #expect(scene.clock.sleeps.isEmpty)
    }

    @Test("A cancelled run ends, and what it sent is recorded")
    func cancelled() async throws {
        let scene = try await Scene()
        try await scene.submit()
        let network = ScriptedNetwork { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .accepted("r1")
        }
        _ = try await Task { try await scene.sync(network, waitingUpTo: .seconds(15)) }.value
        #expect(try await scene.states() == [.accepted])
    }

    @Test("Errors of the outbox reach the caller")
    func closedStore() async throws {
        let scene = try await Scene()
        try await scene.store.close()
        let error = await #expect(throws: StoreError.self) {
            _ = try await scene.sync(ScriptedNetwork { _, _ in .offline })
        }
        #expect(error?.code == .closed)
    }
}
