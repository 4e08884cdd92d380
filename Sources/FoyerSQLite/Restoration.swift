import CSQLite
import FoyerPlatform

extension Inspection {
    /// Puts a copy of this file in the place of a database that nobody has open, or where there is none.
    ///
    /// The copy is checked, brought up to date and on the disk before it gets the name. Killed at any moment, the
    /// database is whole: the earlier one, or the restored one.
    /// - Parameter progress: told how many pages of how many are copied.
    /// - Throws: `SQLiteError`: `.databaseInUse`, `.corrupt` or `.foreignSchema` when the copy is not sound,
    ///   `.cannotCreate`, `.full`; and why the file that is to be replaced is not a database of this program.
    public func restore(to path: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
        let target = try Location(path, makingFolder: true)
        guard target.path != self.path else {
            throw SQLiteError(.cannotCreate, "\(path) is the database itself. Name a backup of it.")
        }
        // Nobody makes a database there meanwhile, and nobody else restores one.
        guard let lock = try FileLock.take(target.lockPath) else { throw SQLiteError.inUse(target.path) }
        defer { withExtendedLifetime(lock) {} }
        let earlier = try EarlierDatabase(at: target, configuration)
        defer { earlier?.close() }
        if earlier == nil { try target.refuseOrphans() }
        try target.removeTemporaries()
        let temporary = target.temporaryPath(process: getpid())
        defer { removeCopy(at: temporary) }
        guard try makeCopy(at: temporary, progress) else {
            throw SQLiteError(.corrupt, "\(self.path) is damaged, so it was not restored. Take another backup.")
        }
        try bringUpToDate(temporary)
        try Files.synchronize(temporary)
        try earlier?.takeLogAway()
        try Files.rename(temporary, to: target.path)
        try Files.synchronize(target.folder)
    }

    /// Checks the schema of the copy, and brings it to the version of this program.
    private func bringUpToDate(_ path: String) throws {
        let copy = try Connection.open(path, timeout: configuration.busyTimeout)
        defer { copy.close() }
        try copy.script("PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
        let runner = MigrationRunner(migrations: configuration.migrations, path: self.path)
        try runner.admitSchema(of: copy)
        try runner.checkRecord(of: copy)
        try runner.migrate(copy)
        try copy.useWriteAheadLog()
        copy.close()
        guard try FileStatus(path + "-wal") == nil else {
            throw SQLiteError(.cannotCreate, "The copy kept a log. Close what reads \(path).")
        }
    }
}

/// The database that is about to be replaced, locked so that nobody else can have it open.
///
/// A connection to a database with a write-ahead log holds SQLite's shared lock on the file for as long as it is open,
/// also while it is idle (https://sqlite.org/wal.html). The exclusive lock is refused while anybody holds that one.
private struct EarlierDatabase {
    private let connection: Connection
    private let location: Location

    /// Nil where there is no database.
    /// - Throws: `.databaseInUse`; and why the file is not a database of this program.
    init?(at location: Location, _ configuration: Database.Configuration) throws(SQLiteError) {
        guard let identity = try location.existingFile() else { return nil }
        self.location = location
        connection = try Connection.open(location.path, timeout: .zero)
        do throws(SQLiteError) {
            // Its log belongs to whatever has the name when it is closed.
            try connection.allowCheckpointOnClose(false)
            var configuration = configuration
            configuration.path = location.path
            _ = try configuration.ownHeader(of: connection)
            try connection.lockExclusively(location.path)
            guard try connection.isNamed(location.path, identity) else { throw .inUse(location.path) }
        } catch {
            connection.close()
            throw error
        }
    }

    /// Writes the log back and removes it: SQLite would play it into whatever has the name afterwards.
    func takeLogAway() throws(SQLiteError) {
        // The first read opens the log.
        _ = try connection.integer("PRAGMA schema_version")
        guard try connection.truncate(timeout: .zero) == .truncated else { throw .inUse(location.path) }
        // Reading lowers the lock where a journal had to be rolled back.
        try connection.lockExclusively(location.path)
        for suffix in ["-wal", "-shm"] { try Files.remove(location.path + suffix) }
    }

    func close() { connection.close() }
}

extension Connection {
    fileprivate func lockExclusively(_ path: String) throws(SQLiteError) {
        guard let handle else { throw .closed }
        for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
            let code = foyer_sqlite3_lock(handle, level)
            if code & 0xFF == SQLITE_BUSY { throw .inUse(path) }
            guard code == SQLITE_OK else { throw SQLiteError(result: code, of: nil, sql: nil) }
        }
    }
}

extension SQLiteError {
    fileprivate static func inUse(_ path: String) -> SQLiteError {
        SQLiteError(
            .databaseInUse, "\(path) is in use, so nothing was restored. End every program that uses it, and try again."
        )
    }
}
