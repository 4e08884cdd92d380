import Synchronization

/// A database file: one writer, some readers, and other processes that may use the same file.
///
/// The work runs on queues of its own, so waiting for a lock or for the disk never holds up other tasks.
public final class Database: Sendable {
    private let writer: Writer
    private let readers: [Reader]
    /// How many reads are under way on each reader.
    private let loads: Mutex<[Int]>

    private init(writer: Writer, readers: [Reader]) {
        self.writer = writer
        self.readers = readers
        loads = Mutex(Array(repeating: 0, count: readers.count))
    }

    /// Opens a database, makes it if asked, and brings its schema up to date.
    ///
    /// A file that is empty, foreign, newer or no database at all is refused and stays as it is.
    /// - Throws: `SQLiteError`, whose code tells why the file was refused.
    public static func open(_ configuration: Configuration) async throws(SQLiteError) -> Database {
        let writer = Writer(configuration)
        let (location, identity) = try await writer.open()
        let readers = (0..<max(1, configuration.readers)).map { _ in
            Reader(location, identity: identity, patience: configuration.busyTimeout)
        }
        return Database(writer: writer, readers: readers)
    }

    /// Runs the closure in one write transaction; when this returns, what it wrote is on the disk.
    ///
    /// A closure that throws has written nothing. A task that is cancelled meanwhile still writes.
    /// - Throws: `SQLiteError`, with `.busy` after five seconds of waiting for another process, `.newerSchema` if
    ///   another process has migrated the file, `.closed`; and what the closure throws.
    @discardableResult
    public func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    /// Runs the closure on one snapshot of the file, beside any write.
    /// - Throws: `SQLiteError`, with `.readOnly` if the closure writes, `.closed`; and what the closure throws.
    public func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        return try await readers[index].read(body)
    }

    /// A number that changes whenever somebody, here or in another process, has changed the file.
    /// - Throws: `SQLiteError`.
    public func dataVersion() async throws -> Int64 {
        // Each connection counts by itself, so it has to be the same one every time.
        try await readers[0].read { db in try db.dataVersion() }
    }

    /// Writes the log back into the file and empties it; what was deleted is then gone from both.
    ///
    /// It is done by itself after enough writes. Waits up to five seconds for readers.
    /// - Throws: `SQLiteError` if the disk fails or the database is closed; being in somebody's way is no error.
    @discardableResult
    public func checkpoint() async throws(SQLiteError) -> CheckpointOutcome {
        try await writer.checkpoint()
    }

    /// Waits for the work under way and closes the file; later calls throw `.closed`. Closing twice is fine.
    /// - Throws: Nothing today; a failing disk may be reported here later.
    public func close() async throws {
        for reader in readers { await reader.close() }
        // Last, so that SQLite can write the log back.
        await writer.close()
    }
}
