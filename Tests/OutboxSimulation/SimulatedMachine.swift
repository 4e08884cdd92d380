import FoyerModel
import FoyerMigrations
import Synchronization

import FoyerSQLite
import FoyerStore

/// A machine with clocks of its own, and the database in its memory.
final class SimulatedMachine {
    private struct Clocks {
        var wall = Timestamp(milliseconds: 1_767_323_045_000)
        var uptime = Duration.seconds(100)
        /// What has passed in the world, which no restart sets back.
        var passed = Duration.zero
        var boot = 1
    }

    private final class Time: Sendable {
        let clocks = Mutex(Clocks())
    }

    private let time = Time()
    let db: Connection

    init() throws {
        db = try Connection.openInMemory()
        for migration in EmbeddedMigrations.all { try db.script(migration.sql) }
    }

    var uptime: Duration { time.clocks.withLock { $0.uptime } }
    var passed: Duration { time.clocks.withLock { $0.passed } }

    /// What a process that starts now finds.
    func environment() -> FoyerEnvironment {
        let time = time, boot = time.clocks.withLock { $0.boot }
        return FoyerEnvironment(
            now: { time.clocks.withLock { $0.wall } }, uptime: { time.clocks.withLock { $0.uptime } },
            bootID: "boot \(boot)", jitter: { 0 })
    }

    func pass(_ duration: Duration) {
        time.clocks.withLock {
            $0.wall = $0.wall + duration
            $0.uptime += duration
            $0.passed += duration
        }
    }

    func setTime(by change: Duration) {
        time.clocks.withLock { $0.wall = $0.wall + change }
    }

    func restart() {
        time.clocks.withLock {
            $0.boot += 1
            $0.uptime = .seconds(10)
        }
    }
}

/// A process that delivers, as far as the outbox can tell.
final class SimulatedWorker {
    enum Phase {
        case claimed
        case begun(at: Duration)
        case answered(SimulatedServer.Answer)
    }

    struct Hold {
        let claimed: ClaimedSubmission
        let seq: Int64
        let lane: String
        var phase = Phase.claimed
    }

    let id: WorkerID
    let environment: FoyerEnvironment
    let clock: QueueClock
    var holds: [Hold] = []
    /// Until when it stands still.
    var stoppedUntil = Duration.zero

    init(_ number: Int, _ environment: FoyerEnvironment) {
        id = WorkerID("worker \(number)")
        self.environment = environment
        clock = QueueClock(environment: environment)
    }
}
