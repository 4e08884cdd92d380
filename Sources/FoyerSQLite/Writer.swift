import Synchronization

/// The one connection that writes, on an executor of its own.
///
/// Writes that come while another commit is on its way to the disk share the next one (group commit).
actor Writer {
    /// How long a checkpoint after a write waits for readers: everybody who wants to write waits with it.
    private static let automaticPatience = Duration.milliseconds(50)
    /// The most writes in one transaction: who comes first must not wait for all of a crowd.
    private static let largestGroup = 64

    private nonisolated let executor = SerialQueueExecutor(label: "foyer.sqlite.writer")
    nonisolated let waiting = Mutex<[QueuedWrite]>([])
    private let configuration: Database.Configuration
    private var connection: Connection?
    private var path = ""
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
        path = result.location.path
        lockPath = result.location.lockPath
        return (result.location, result.identity)
    }

    nonisolated func write<T: Sendable>(
        durability: Durability, isAlone: Bool, _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            enqueue(
                QueuedWrite(
                    durability: durability, isAlone: isAlone,
                    perform: { connection in
                        let value = try body(connection)
                        return { caller.resume(returning: value) }
                    },
                    fail: { caller.resume(throwing: $0) }))
        }
    }

    func checkpoint(patience: Duration?) throws(SQLiteError) -> CheckpointOutcome {
        guard let connection else { throw .closed }
        return try connection.checkpoint(lockPath: lockPath, patience: patience ?? configuration.busyTimeout)
    }

    func scan(for needles: [[UInt8]]) throws(SQLiteError) -> FileScan {
        guard let connection else { throw .closed }
        return try connection.scan(for: needles, at: path)
    }

    func rewrite() throws(SQLiteError) {
        guard let connection else { throw .closed }
        try connection.rewrite()
    }

    func close() {
        connection?.close()
        connection = nil
    }

    // MARK: Groups

    private nonisolated func enqueue(_ write: QueuedWrite) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(write)
            return waiting.count == 1
        }
        if isFirst { scheduleCommit() }
    }

    private nonisolated func scheduleCommit() {
        executor.schedule { self.assumeIsolated { $0.commitNext() } }
    }

    private func commitNext() {
        let (group, isMoreWaiting) = waiting.withLock { waiting in
            let count =
                waiting.first?.isAlone == true ? 1 : waiting.prefix(Self.largestGroup).prefix { !$0.isAlone }.count
            defer { waiting.removeFirst(count) }
            return (Array(waiting.prefix(count)), waiting.count > count)
        }
        if isMoreWaiting { scheduleCommit() }
        guard let connection else {
            for write in group { write.fail(SQLiteError.closed) }
            return
        }
        connection.commit(group) { connection in
            // Another process may have migrated the file since we opened it.
            let version = Int(try connection.integer("PRAGMA user_version"))
            let known = configuration.migrations.count
            guard version <= known else {
                throw SQLiteError.newerSchema(configuration.path, found: version, known: known)
            }
        }
        // Not in front of those who wait: the writes are done, and their callers need not wait for readers.
        if connection.walPages.count >= checkpointAt {
            executor.schedule { self.assumeIsolated { $0.checkpointIfDue() } }
        }
    }

    private func checkpointIfDue() {
        guard let connection, connection.walPages.count >= checkpointAt else { return }
        // A failure is no error of the write; the next attempt is made when the log has grown once more.
        let outcome = try? connection.checkpoint(lockPath: lockPath, patience: Self.automaticPatience)
        let grown = outcome == .truncated ? 0 : connection.walPages.count
        checkpointAt = grown + configuration.checkpointPages
    }
}
