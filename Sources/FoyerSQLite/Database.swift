import Synchronization

/// A database file: one writer, some readers, and other processes that may use the same file.
///
/// The work runs on queues of its own, so waiting for a lock or for the disk never holds up other tasks.
public final class Database: Sendable {
    let writer: Writer
    private let readers: Readers
    private let executors: [SerialQueueExecutor]
    /// How many reads are under way on each executor.
    private let loads: Mutex<[Int]>

    private init(writer: Writer, readers: Readers, executors: Int) {
        self.writer = writer
        self.readers = readers
        self.executors = (0..<executors).map { _ in SerialQueueExecutor(label: "foyer.sqlite.reader") }
        loads = Mutex(Array(repeating: 0, count: executors))
    }

    /// Opens a database, makes it if asked, and brings its schema up to date.
    ///
    /// A file that is empty, foreign, newer or no database at all is refused and stays as it is.
    /// - Throws: `SQLiteError`, whose code tells why the file was refused.
    public static func open(_ configuration: Configuration) async throws(SQLiteError) -> Database {
        let writer = Writer(configuration)
        let readers = Readers(try await writer.open(), timeout: configuration.busyTimeout)
        return Database(writer: writer, readers: readers, executors: max(1, configuration.readers))
    }

    /// Runs the closure in one write transaction; when this returns, what it wrote is on the disk.
    ///
    /// Writes that come at the same time share a transaction. A closure that throws has written nothing, and does its
    /// neighbours no harm; where the commit of all fails, each runs once more by itself. A task that is cancelled
    /// meanwhile still writes.
    ///
    /// - Parameters:
    ///   - durability: how sure the write is when this returns.
    ///   - isAlone: whether it has to be the only one in its transaction, as when it changes what others rely on.
    /// - Throws: `SQLiteError`, with `.busy` after five seconds of waiting for another process, `.newerSchema` if
    ///   another process has migrated the file, `.databaseGone` if the file has lost its name, `.closed`; and what the
    ///   closure throws.
    @discardableResult
    public func write<T: Sendable>(
        durability: Durability = .full, isAlone: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        try await writer.write(durability: durability, isAlone: isAlone, body)
    }

    /// Runs a short query, one statement, on the caller's thread, beside any write.
    ///
    /// It takes no way to another thread, which would be several times as long as finding one row.
    /// - Throws: `SQLiteError`, with `.readOnly` if the closure writes, `.closed`; and what the closure throws.
    public func query<T>(_ body: (Connection) throws -> T) throws -> T {
        try readers.read(body)
    }

    /// Runs the closure on one snapshot of the file, beside any write.
    /// - Throws: as ``query(_:)``; `.databaseGone` if the file has lost its name.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        return try await executors[index].run { [readers] in
            try readers.snapshot(body)
        }
    }

    /// A number that changes whenever somebody, here or in another process, has changed the file.
    /// - Throws: `SQLiteError`, with `.databaseGone` if the file has lost its name.
    public func dataVersion() throws(SQLiteError) -> Int64 {
        try readers.dataVersion()
    }

    /// Writes the log back into the file and empties it; what was deleted is then gone from both.
    ///
    /// It is done by itself after enough writes. Waits up to `timeout`, or five seconds, for readers.
    /// - Throws: `SQLiteError` if the disk fails or the database is closed; being in somebody's way is no error.
    @discardableResult
    public func checkpoint(timeout: Duration? = nil) async throws(SQLiteError) -> CheckpointOutcome {
        try await writer.checkpoint(timeout: timeout)
    }

    /// Waits for the work under way and closes the file; later calls throw `.closed`. Closing twice is fine.
    /// - Throws: Nothing today; a failing disk may be reported here later.
    public func close() async throws {
        for executor in executors { try await executor.run {} }
        readers.close()
        // Last, so that SQLite can write the log back.
        await writer.close()
    }
}
