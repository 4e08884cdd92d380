import CSQLite

/// How a checkpoint ended.
public enum CheckpointOutcome: Sendable, Hashable {
    /// All of the log is in the file, and the log is empty.
    case truncated
    /// A reader, a writer or another checkpoint was in the way; some of the log may be left.
    case busy
}

extension Connection {
    /// Writes the log back into the file and empties it, in one process at a time.
    ///
    /// Never PASSIVE, and never without our lock: before SQLite 3.51.3 a checkpoint can corrupt the file when another
    /// connection resets the log meanwhile (https://sqlite.org/wal.html#walresetbug).
    func checkpoint(at location: Location, timeout: Duration) throws(SQLiteError) -> CheckpointOutcome {
        guard handle != nil else { throw .closed }
        guard let lock = try FileLock.take(location.lockPath) else { return .busy }
        defer { withExtendedLifetime(lock) {} }
        // A restoration that was killed leaves a copy of everything.
        try location.removeTemporaries()
        // Once in the checkpoint there is no giving up on the writer's lock, so it is tried before.
        let isFree = try busyHandler.with(timeout: timeout) { () throws(SQLiteError) in try canWrite() }
        return isFree ? try truncate(timeout: timeout) : .busy
    }

    /// The checkpoint itself, under our lock.
    func truncate(timeout: Duration) throws(SQLiteError) -> CheckpointOutcome {
        guard let handle else { throw .closed }
        return try busyHandler.with(timeout: timeout) { () throws(SQLiteError) in
            let code = busyHandler.duringCheckpoint(of: handle) {
                sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            }
            if code == SQLITE_OK {
                walPages.reset()
                return .truncated
            }
            let error = SQLiteError(result: code, of: handle, sql: nil)
            guard error.isRetryable else { throw error }
            return .busy
        }
    }

    /// Takes the lock that every connection holds on the file for as long as it is open.
    /// - Throws: `.busy` while another process restores a backup, which takes milliseconds.
    func lockShared() throws(SQLiteError) {
        guard let handle else { throw .closed }
        let start = ContinuousClock.now
        while true {
            let code = foyer_sqlite3_lock(handle, SQLITE_LOCK_SHARED)
            if code == SQLITE_OK { return }
            guard code == SQLITE_BUSY, ContinuousClock.now - start < busyHandler.timeout else {
                throw SQLiteError(result: code, of: nil, sql: nil)
            }
            nap()
        }
    }

    private func canWrite() throws(SQLiteError) -> Bool {
        do {
            try run("BEGIN IMMEDIATE")
            try run("ROLLBACK")
            return true
        } catch {
            guard error.isRetryable else { throw error }
            return false
        }
    }
}
