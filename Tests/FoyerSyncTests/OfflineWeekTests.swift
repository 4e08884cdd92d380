import FoyerModel
import FoyerTestSupport
import FoyerSync
import Synchronization
import TestSupport
import Testing

@testable import FoyerStore
@testable import OutboxSimulation

/// Seven days without network, and 10,000 submissions that wait for it.
@Suite(.timeLimit(.minutes(10))) struct OfflineWeekTests {
    private static let week = Duration.seconds(7 * 86400)

    /// What the network saw, and whether it is there.
    private final class Observed: Sendable {
        struct State {
            var isUp = false
            var asked: [Timestamp] = []
            var atOnce = 0
            var mostAtOnce = 0
            var firstAccepted: Timestamp?
        }
        let state = Mutex(State())
    }

    @Test("A week offline costs no failure and one trial at a time, and ends within a second of the network's return")
    func week() async throws {
        let clock = TestClock(Timestamp(milliseconds: 1_767_323_045_000)), chance = Mutex(SeededRandom(seed: 7)),
            folder = try TemporaryFolder()
        let environment = FoyerEnvironment(
            now: { clock.now }, sleep: { try await clock.environment.sleep($0) },
            jitter: { chance.withLock { Double($0.below(1_000_000)) / 1_000_000 } })
        let store = try await Repositories.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("script"),
            environment: environment)
        try await store.write { db in
            let outbox = try store.outbox(in: db)
            for number in 0..<10_000 {
                let new = NewSubmission(id: outbox.makeID(), kind: .reset, lane: "lane \(number)", body: "{}")
                try outbox.enqueue(new, to: "script", hasSecret: false)
            }
        }
        let observed = Observed()
        let network = ScriptedNetwork { request, _ in
            let isUp = observed.state.withLock { state in
                state.asked.append(clock.now)
                state.atOnce += 1
                state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
                return state.isUp
            }
            await Task.yield()
            return observed.state.withLock { state in
                state.atOnce -= 1
                guard isUp else { return .offline }
                state.firstAccepted = state.firstAccepted ?? clock.now
                return .accepted(request.key.text)
            }
        }
        let service = SyncService(
            outbox: store, network: network, definitions: [.register, .reset], environment: environment)

        let begin = clock.now
        let report = try await service.sync(waitingUpTo: Self.week)
        #expect(clock.now - begin > Self.week - .seconds(300) && clock.now - begin <= Self.week)
        #expect(report.waiting == 10_000 && report.neverReached)
        let touched = try await store.submissions().filter {
            $0.failures > 0 || $0.maybeSent || $0.state.name != .ready
        }
        #expect(touched.isEmpty)
        let asked = observed.state.withLock { $0.asked }
        let trials = asked.drop { $0 == begin }
        print("offline week: \(asked.count) sendings, \(trials.count) of them trials")
        #expect(asked.count - trials.count <= 4, "until the breaker was open, what was under way")
        #expect(zip(trials, trials.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(250) })
        let failures = try await store.read { db in try CircuitBreakers.find("script", in: db).failures }
        #expect(failures == trials.count + 1, "one failure, and so one wait, for each trial")

        let isBack = clock.now
        observed.state.withLock { $0.isUp = true }
        try await service.networkMayBeBack()
        let run = Task { try await service.syncOnce() }
        try await eventually(within: .seconds(60)) { observed.state.withLock { $0.asked.count } >= asked.count + 50 }
        run.cancel()
        #expect(try await run.value.accepted >= 40)
        let first = try #require(observed.state.withLock { $0.firstAccepted })
        #expect(first - isBack <= .seconds(1))
        #expect(observed.state.withLock { $0.mostAtOnce } <= 4, "no herd")
        try await store.close()
    }
}
