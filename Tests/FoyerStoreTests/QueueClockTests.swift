import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import FoyerStore

/// A machine whose time of day anybody can set, and which can be restarted.
private final class Machine: Sendable {
    private let state = Mutex((wall: ManualClock.start, uptime: Duration.seconds(1000), boot: 1))
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func pass(_ time: Duration) { state.withLock { $0 = ($0.wall + time, $0.uptime + time, $0.boot) } }
    func setTime(by change: Duration) { state.withLock { $0.wall = $0.wall + change } }
    func restart() { state.withLock { $0 = ($0.wall, .seconds(5), $0.boot + 1) } }

    /// What a program started now finds.
    func open() async throws -> AccountStore {
        let environment = FoyerEnvironment(
            now: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } },
            bootID: "boot \(state.withLock { $0.boot })")
        return try await AccountStore.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("server"),
            environment: environment)
    }
}

extension AccountStore {
    fileprivate var queueTime: Timestamp {
        get async throws { try await write { db in try clock.mark(in: db) } }
    }
}

@Suite struct QueueClockTests {
    @Test("setting the time of day moves the queue's clock nowhere, for whoever is running and whoever starts then")
    func set() async throws {
        let machine = try Machine()
        let store = try await machine.open()
        let begin = try await store.queueTime
        #expect(begin == ManualClock.start)
        for change in [-3600, 10 * 365 * 86400, -60 * 365 * 86400] {
            machine.setTime(by: .seconds(change))
            machine.pass(.seconds(10))
            let mine = try await store.queueTime, theirs = try await machine.open().queueTime
            #expect(mine == theirs)
        }
        #expect(try await store.queueTime == begin + .seconds(30))
    }

    @Test("what is due stays due in its time when the time of day is set")
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

    @Test("after a restart it goes on from the time of day, never back")
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

    @Test("a transaction that fails leaves no anchor behind, not even for its own process")
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
        #expect(try await other.queueTime == ManualClock.start + .seconds(10))
        #expect(try await store.queueTime == ManualClock.start + .seconds(10))
    }
}
