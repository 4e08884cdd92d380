import FoyerModel
import FoyerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import FoyerStore

/// A machine whose time of day anybody can set, and which can be restarted.
private final class Machine: Sendable {
    private let state = Mutex((wall: TestClock.start, uptime: Duration.seconds(1000), boot: 1))
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func pass(_ time: Duration) { state.withLock { $0 = ($0.wall + time, $0.uptime + time, $0.boot) } }
    func setTime(by change: Duration) { state.withLock { $0.wall = $0.wall + change } }
    func restart() { state.withLock { $0 = ($0.wall, .seconds(5), $0.boot + 1) } }

    /// What a program started now finds.
    func open() async throws -> Repositories {
        let environment = FoyerEnvironment(
            now: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } },
            bootID: "boot \(state.withLock { $0.boot })")
        return try await Repositories.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("server"),
            environment: environment)
    }
}

extension Repositories {
    fileprivate var queueTime: Timestamp {
        get async throws { try await write { db in try clock.mark(in: db).time } }
    }
}

@Suite struct QueueClockTests {
    @Test("Setting the time of day moves the queue's clock nowhere, for whoever is running and whoever starts then")
    func set() async throws {
        let machine = try Machine()
        let store = try await machine.open()
        let begin = try await store.queueTime
        #expect(begin == TestClock.start)
        for change in [-3600, 10 * 365 * 86400, -60 * 365 * 86400] {
            machine.setTime(by: .seconds(change))
            machine.pass(.seconds(10))
            let mine = try await store.queueTime, theirs = try await machine.open().queueTime
            #expect(mine == theirs)
        }
        #expect(try await store.queueTime == begin + .seconds(30))
    }

    @Test("What is due stays due in its time when the time of day is set")
    func due() async throws {
        let machine = try Machine()
        let store = try await machine.open()
        let scene = try await Scene()
        let flow = scene.newFlow(.login)
        let new = NewSubmission(id: flow.submissionID, kind: .login, lane: "ada", body: "{}")
        _ = try await store.commit(scene.change(flow, outcome: .submitted(.init(user: nil, submission: new))))
        let worker = try store.makeWorker()
        func claim() async throws -> [ClaimedSubmission] {
            try await store.claim(1, by: worker.worker, for: "server", isIdle: true)
        }
        let claimed = try #require(try await claim().first)
        _ = try await store.settle(claimed, .retry(after: .seconds(30)), .answered, httpStatus: nil)
        machine.setTime(by: .seconds(365 * 86400))
        #expect(try await claim().isEmpty, "a year has not passed")
        machine.setTime(by: .seconds(-730 * 86400))
        machine.pass(.seconds(30))
        #expect(try await claim().count == 1)
    }

    @Test("After a restart it goes on from the time of day, never back")
    func restart() async throws {
        let machine = try Machine()
        let before = try await machine.open().queueTime
        machine.pass(.seconds(60))
        machine.restart()
        #expect(try await machine.open().queueTime == before + .seconds(60))
        machine.setTime(by: .seconds(-365 * 86400))
        machine.restart()
        let after = try await machine.open()
        #expect(try await after.queueTime > before + .seconds(60))
        machine.pass(.seconds(10))
        #expect(try await after.queueTime - before > .seconds(70))
    }

    /// A registration after three answers, made now.
    private func register(in store: Repositories) async throws -> SavedFlow {
        let now = store.environment.now(), makeID = store.environment.makeID
        let flow = SavedFlow(
            id: makeID(), kind: .register, path: "register", status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: makeID(), createdAt: now, updatedAt: now, expiresAt: now + Self.day(30))
        let answers = Person.ada.answers.prefix(3).map {
            FlowChange.Answer(step: $0.step, version: 1, content: $0.content)
        }
        return try await store.commit(
            FlowChange(
                flow: flow, fingerprint: FlowDefinition.register.fingerprint, answers: answers, step: "firstName",
                at: now)
        )
    }

    private static func day(_ count: Int) -> Duration { .seconds(count * 86400) }

    /// A machine that was off for so long, and has an older and a newer registration.
    private func switchedOff(for days: Int) async throws -> (Machine, Repositories, old: UUIDv7, new: UUIDv7) {
        let machine = try Machine()
        let old = try await register(in: try await machine.open())
        machine.setTime(by: Self.day(days))
        machine.restart()
        let store = try await machine.open()
        #expect(try await store.takeClockJump()?.mayHavePassed == true)
        #expect(try await store.takeClockJump() == nil, "it is told once")
        machine.pass(.seconds(60))
        return (machine, store, old.id, try await register(in: store).id)
    }

    private func usable(_ flow: UUIDv7, _ store: Repositories) async throws -> [String] {
        let answers = try #require(try await store.flow(flow)).answers
        let fates = FlowDefinition.register.reconcile(answers, now: store.environment.now()).fates
        return fates.filter { $0.value == .kept }.map(\.key).sorted()
    }

    @Test("After forty days by the clock nothing has expired, no secret either, and a listing shows all of it")
    func offForLong() async throws {
        let (_, store, old, new) = try await switchedOff(for: 40)
        #expect(try await store.expireFlows() == 0)
        #expect(try await store.pruneAll().isEmpty)
        #expect(try await store.unfinishedFlows().map(\.id) == [new, old])
        #expect(try await usable(old, store) == ["email", "password", "userName"])
        #expect(try await store.uncountedTime() > Self.day(39))
    }

    @Test("A person who says that the clock is right ages what is older than the jump, and nothing newer")
    func confirmedByPerson() async throws {
        let (_, store, old, new) = try await switchedOff(for: 40)
        #expect(try await store.trustClock() > Self.day(39))
        #expect(try await store.unfinishedFlows().map(\.id) == [new])
        #expect(try await usable(new, store) == ["email", "password", "userName"])
        #expect(try await store.expireFlows() == 1)
        #expect(try await store.flow(old)?.status == .expired)
        #expect(try await store.trustClock() == .zero)
    }

    @Test("The time itself confirms it: after four days off and four days on, a registration is eight days old")
    func confirmedByTime() async throws {
        let (machine, store, old, _) = try await switchedOff(for: 4)
        #expect(try await usable(old, store).contains("password"))
        for _ in 0..<4 {
            machine.pass(Self.day(1))
            _ = try await store.queueTime
        }
        #expect(try await store.uncountedTime() == .zero)
        let end = try #require(try await store.flow(old)?.expiresAt)
        #expect(end - store.environment.now() < Self.day(22) && end - store.environment.now() > Self.day(21))
        machine.pass(Self.day(22))
        #expect(try await store.expireFlows() == 1)
    }

    @Test(
        "A clock that goes back again takes the jump with it, whether the machine was restarted or not",
        arguments: [true, false])
    func withdrawn(restarts: Bool) async throws {
        let (machine, _, old, new) = try await switchedOff(for: 400)
        machine.setTime(by: Self.day(-400))
        if restarts { machine.restart() }
        let store = try await machine.open()
        #expect(try await store.takeClockJump()?.by ?? .zero < .zero)
        #expect(try await store.uncountedTime() == .zero)
        #expect(try await store.trustClock() == .zero)
        #expect(try await store.unfinishedFlows().map(\.id) == [new, old])
    }

    @Test("What was off for up to a day is believed: a secret is not usable longer for that")
    func offForADay() async throws {
        let machine = try Machine()
        let flow = try await register(in: try await machine.open())
        machine.pass(.seconds(60))
        for _ in 0..<2 {
            machine.setTime(by: .seconds(43200))
            machine.restart()
            _ = try await machine.open().queueTime
        }
        #expect(try await usable(flow.id, try await machine.open()) == ["email", "userName"])
    }

    @Test("A transaction that fails leaves no anchor behind, not even for its own process")
    func rolledBack() async throws {
        let machine = try Machine()
        let store = try await machine.open()
        await #expect(throws: StoreError.self) {
            try await store.write { db in
                _ = try store.clock.mark(in: db)
                throw Failure("not today")
            }
        }
        machine.pass(.seconds(10))
        let other = try await machine.open()
        #expect(try await other.queueTime == TestClock.start + .seconds(10))
        #expect(try await store.queueTime == TestClock.start + .seconds(10))
    }
}
