/// A connection that only reads, on an executor of its own; it is opened at its first use.
actor Reader {
    private nonisolated let executor = SerialQueueExecutor(label: "foyer.sqlite.reader")
    private let location: Location
    private let identity: FileStatus.Identity
    private let patience: Duration
    private var connection: Connection?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ location: Location, identity: FileStatus.Identity, patience: Duration) {
        self.location = location
        self.identity = identity
        self.patience = patience
    }

    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        let connection = try openConnection()
        return try connection.snapshot { try body(connection) }
    }

    func close() {
        isClosed = true
        connection?.close()
        connection = nil
    }

    private func openConnection() throws(SQLiteError) -> Connection {
        guard !isClosed else { throw .closed }
        if let connection { return connection }
        // Under the same name there may be another file by now, which the writer does not write.
        guard try location.existingFile() == identity else {
            throw SQLiteError(.unsafePath, "\(location.path) was replaced while it was open. Open the database again.")
        }
        let connection = try Connection.open(location.path, patience: patience)
        try connection.applyProfile()
        try connection.script("PRAGMA query_only = ON")
        // The writer has compared the schema of this same file; triggers have nothing to do in a reader.
        try connection.allowViews(true)
        self.connection = connection
        return connection
    }
}
