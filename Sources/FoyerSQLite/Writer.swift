import Synchronization

/// The one connection that writes, on an executor of its own.
///
/// Writes that come while another commit is on its way to the disk share the next one (group commit).
actor Writer {
    /// How long a checkpoint after a write waits for readers: everybody who wants to write waits with it.
    private static let automaticTimeout = Duration.milliseconds(50)
    /// The most writes in one transaction: who comes first must not wait for all of a crowd.
    private static let largestGroup = 64

    private nonisolated let executor = SerialQueueExecutor(label: "foyer.sqlite.writer")
    nonisolated let waiting = Mutex<[QueuedWrite]>([])
    private let configuration: Database.Configuration
    private var file: (connection: Connection, watch: FileWatch)?
    private var checkpointAt: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: Database.Configuration) {
        self.configuration = configuration
        checkpointAt = configuration.checkpointPages
    }

    /// Opens the file, and returns what tells whether it is still the one of its name.
    func open() throws(SQLiteError) -> FileWatch {
        let (connection, watch) = try DatabaseOpener(configuration: configuration).run()
        file = (connection, watch)
        return watch
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

    func checkpoint(timeout: Duration?) throws(SQLiteError) -> CheckpointOutcome {
        let file = try checked()
        return try file.connection.checkpoint(
            at: file.watch.location, timeout: timeout ?? configuration.busyTimeout)
    }

    func scan(for needles: [[UInt8]]) throws(SQLiteError) -> FileScan {
        let file = try checked()
        return try file.connection.scan(for: needles, at: file.watch.location.path)
    }

    func rewrite() throws(SQLiteError) {
        try checked().connection.rewrite()
    }

    func close() {
        guard let connection = file?.connection else { return }
        // SQLite removes the log by its name, which may belong to another database by now.
        if (try? checked()) == nil { try? connection.allowCheckpointOnClose(false) }
        connection.close()
        file = nil
    }

    /// The file, if it is still the one of its name.
    private func checked() throws(SQLiteError) -> (connection: Connection, watch: FileWatch) {
        guard let file else { throw .closed }
        try file.watch.check(file.connection)
        return file
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
        guard let (connection, watch) = file else {
            for write in group { write.fail(SQLiteError.closed) }
            return
        }
        connection.commit(group) { connection in
            try watch.check(connection)
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
        guard let file, file.connection.walPages.count >= checkpointAt else { return }
        // A failure is no error of the write; the next attempt is made when the log has grown once more.
        let outcome = try? checkpoint(timeout: Self.automaticTimeout)
        let grown = outcome == .truncated ? 0 : file.connection.walPages.count
        checkpointAt = grown + configuration.checkpointPages
    }
}
