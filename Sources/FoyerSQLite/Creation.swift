import FoyerPlatform

/// Makes a new database so that a kill at any moment leaves either none or a whole one.
struct Creation {
    /// How far it is; tests kill the process at each.
    enum Step: String, CaseIterable, Codable, Sendable {
        case locked, fileMade, migrated, synchronized, named, temporaryRemoved
    }

    let location: Location
    let configuration: Database.Configuration

    private var temporary: String { location.temporaryPath(process: getpid()) }

    /// Makes the database unless somebody else does it first.
    func run() throws(SQLiteError) {
        guard let lock = try waitForLock() else { return }
        defer { withExtendedLifetime(lock) {} }
        report(.locked)
        guard try FileStatus(location.path) == nil else { return }
        try location.refuseOrphans()
        try location.removeTemporaries()
        do {
            try build()
            try Files.synchronize(temporary)
            report(.synchronized)
            // If the name is taken, somebody made the file without our lock: theirs is opened.
            _ = try Files.link(temporary, as: location.path)
            report(.named)
            try Files.remove(temporary)
            report(.temporaryRemoved)
            try Files.synchronize(location.folder)
        } catch {
            try? location.removeTemporaries()
            throw error
        }
    }

    /// The lock, or `nil` once there is a database.
    private func waitForLock() throws(SQLiteError) -> FileLock? {
        let start = ContinuousClock.now
        while true {
            if let lock = try FileLock.take(location.lockPath) { return lock }
            guard try FileStatus(location.path) == nil else { return nil }
            guard ContinuousClock.now - start < configuration.busyTimeout else {
                throw SQLiteError(.busy, "Another process is making \(location.path) and does not finish. Try again.")
            }
            nap()
        }
    }

    private func build() throws(SQLiteError) {
        // SQLite would make it readable for all.
        try Files.makeFile(temporary)
        report(.fileMade)
        let connection = try Connection.open(temporary, timeout: configuration.busyTimeout)
        defer { connection.close() }
        // It is empty, and nobody else knows of it.
        try connection.allowTriggers(true)
        try connection.allowViews(true)
        // Nobody waits for a half-made file, so it is written through once, at the end.
        try connection.script(
            """
            PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA temp_store = MEMORY;
            PRAGMA application_id = \(configuration.applicationID)
            """)
        try MigrationRunner(migrations: configuration.migrations, path: location.path).migrate(connection)
        try connection.useWriteAheadLog()
        connection.close()
        guard try FileStatus(temporary + "-wal") == nil else {
            throw SQLiteError(.cannotCreate, "The new database kept a log. Close what reads \(temporary).")
        }
        report(.migrated)
    }

    private func report(_ step: Step) { configuration.creationStep?(step) }
}
