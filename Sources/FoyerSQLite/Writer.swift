/// The one connection that writes, on an executor of its own.
actor Writer {
    /// How long a checkpoint after a write waits for readers: everybody who wants to write waits with it.
    private static let automaticPatience = Duration.milliseconds(50)

    private nonisolated let executor = SerialQueueExecutor(label: "foyer.sqlite.writer")
    private let configuration: Database.Configuration
    private var connection: Connection?
    private var lockPath = ""
    private var checkpointAt: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: Database.Configuration) {
        self.configuration = configuration
        checkpointAt = configuration.checkpointPages
    }

    /// Opens the file, and returns where it is.
    func open() throws(SQLiteError) -> (Location, FileStatus.Identity) {
        let result = try Opening(configuration: configuration).run()
        connection = result.connection
        lockPath = result.location.lockPath
        return (result.location, result.identity)
    }

    func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        guard let connection else { throw SQLiteError.closed }
        let result = try connection.transaction {
            // Another process may have migrated the file since we opened it.
            let version = Int(try connection.integer("PRAGMA user_version"))
            let known = configuration.migrations.count
            guard version <= known else {
                throw SQLiteError.newerSchema(configuration.path, found: version, known: known)
            }
            return try body(connection)
        }
        if connection.walPages.count >= checkpointAt {
            // Not awaited: the write is done, and its caller need not wait for readers.
            Task { [weak self] in await self?.checkpointIfDue() }
        }
        return result
    }

    func checkpoint() throws(SQLiteError) -> CheckpointOutcome {
        guard let connection else { throw .closed }
        return try connection.checkpoint(lockPath: lockPath, patience: configuration.busyTimeout)
    }

    func close() {
        connection?.close()
        connection = nil
    }

    private func checkpointIfDue() {
        guard let connection, connection.walPages.count >= checkpointAt else { return }
        // A failure is no error of the write; the next attempt is made when the log has grown once more.
        let outcome = try? connection.checkpoint(lockPath: lockPath, patience: Self.automaticPatience)
        let grown = outcome == .truncated ? 0 : connection.walPages.count
        checkpointAt = grown + configuration.checkpointPages
    }
}
