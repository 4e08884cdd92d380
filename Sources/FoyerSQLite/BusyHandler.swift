import CSQLite
import FoyerPlatform

/// How a connection waits for a lock: short random naps up to a deadline.
///
/// SQLite's own handler sleeps ever longer, and then one of several busy processes may get no turn at all.
final class BusyHandler {
    /// How long to wait before giving up.
    var timeout: Duration
    private var started: ContinuousClock.Instant?
    /// The connection whose checkpoint must not go on without the writer's lock.
    private var checkpointing: OpaquePointer?

    init(timeout: Duration) { self.timeout = timeout }

    /// Puts it in charge of a connection, which must not outlive it.
    func install(on database: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            database,
            { context, _ in
                guard let context else { return 0 }
                return Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue().waits() ? 1 : 0
            }, context)
    }

    /// Starts the timeout anew: a new statement is about to run.
    func restart() { started = nil }

    /// Runs a checkpoint, in which giving up on the writer's lock is not allowed.
    ///
    /// SQLite would then go on without it, as a PASSIVE checkpoint: before 3.51.3 that can corrupt a file to which
    /// another connection writes (https://sqlite.org/wal.html#walresetbug). Giving up on readers is fine.
    func duringCheckpoint<T>(of database: OpaquePointer, _ body: () -> T) -> T {
        checkpointing = sqlite3_libversion_number() < 3_051_003 ? database : nil
        defer { checkpointing = nil }
        restart()
        return body()
    }

    /// Runs the closure with another timeout.
    func with<T>(timeout: Duration, _ body: () throws(SQLiteError) -> T) throws(SQLiteError) -> T {
        let usual = self.timeout
        self.timeout = timeout
        defer { self.timeout = usual }
        return try body()
    }

    private func waits() -> Bool {
        let now = ContinuousClock.now
        let start = started ?? now
        started = start
        if now - start >= timeout {
            guard let database = checkpointing else { return false }
            // Once we are known to have the lock it is readers that keep us, and the next call may give up.
            if foyer_sqlite3_take_wal_write_lock(database) == SQLITE_OK { checkpointing = nil }
        }
        nap()
        return true
    }
}

/// Sleeps for 0.1 to 0.5 ms, at random, so that waiting processes take turns.
func nap() {
    var time = timespec(tv_sec: 0, tv_nsec: Int.random(in: 100_000...500_000))
    nanosleep(&time, nil)
}
