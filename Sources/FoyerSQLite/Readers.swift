import Synchronization

/// The connections that only read: each is opened when it is needed, and kept for the next who reads.
final class Readers: Sendable {
    /// So many are kept while nobody uses them: more reads than these at one moment are rare.
    private static let kept = 8

    /// A connection in a place for one.
    ///
    /// `@unchecked Sendable`: whoever takes it out of its place, under the lock, is the only one who has it.
    private struct Connected: @unchecked Sendable {
        let connection: Connection
    }

    private let watch: FileWatch
    private let timeout: Duration
    private let pool = Mutex<(idle: [Connected], isClosed: Bool)>(([], false))
    /// The connection that is asked for changes: each counts by itself, so it has to be the same one every time.
    private let watcher = Mutex<Connected?>(nil)

    init(_ watch: FileWatch, timeout: Duration) {
        self.watch = watch
        self.timeout = timeout
    }

    /// Lends a connection to the closure, on this thread, with one snapshot of the file that has the name.
    func snapshot<T>(_ body: (Connection) throws -> T) throws -> T {
        try read { connection in
            try watch.check(connection)
            return try connection.snapshot { try body(connection) }
        }
    }

    /// Lends a connection to the closure, on this thread.
    func read<T>(_ body: (Connection) throws -> T) throws -> T {
        let idle = try pool.withLock { pool throws(SQLiteError) in
            guard !pool.isClosed else { throw .closed }
            return pool.idle.popLast()
        }
        let reader = try idle ?? connect()
        defer { giveBack(reader) }
        return try body(reader.connection)
    }

    func dataVersion() throws(SQLiteError) -> Int64 {
        try watcher.withLock { watcher throws(SQLiteError) in
            guard !pool.withLock({ $0.isClosed }) else { throw .closed }
            if watcher == nil { watcher = try connect() }
            guard let connection = watcher?.connection else { throw .closed }
            try watch.check(connection)
            return try connection.dataVersion()
        }
    }

    /// Closes what nobody uses; what is in use is closed when it is given back.
    func close() {
        let idle = pool.withLock { pool in
            pool.isClosed = true
            defer { pool.idle = [] }
            return pool.idle
        }
        for reader in idle { reader.connection.close() }
        watcher.withLock { watcher in
            watcher?.connection.close()
            watcher = nil
        }
    }

    private func giveBack(_ reader: Connected) {
        let isKept = pool.withLock { pool in
            guard !pool.isClosed, pool.idle.count < Self.kept else { return false }
            pool.idle.append(reader)
            return true
        }
        if !isKept { reader.connection.close() }
    }

    private func connect() throws(SQLiteError) -> Connected {
        // Under the same name there may be another file by now, which the writer does not write.
        try watch.checkNames()
        let connection = try Connection.open(watch.location.path, timeout: timeout)
        try connection.applyProfile()
        try connection.script("PRAGMA query_only = ON")
        // The writer has compared the schema of this same file; triggers have nothing to do in a reader.
        try connection.allowViews(true)
        return Connected(connection: connection)
    }
}
