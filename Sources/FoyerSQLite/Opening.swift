/// Opens the file of a configuration: makes it if asked, checks whose it is, and brings its schema up to date.
struct Opening {
    /// An open file.
    struct Result {
        let connection: Connection
        let location: Location
        let identity: FileStatus.Identity
    }

    let configuration: Database.Configuration

    var runner: MigrationRunner { MigrationRunner(migrations: configuration.migrations, path: configuration.path) }

    func run() throws(SQLiteError) -> Result {
        try runner.checkOrder()
        let location = try Location(configuration.path, makingFolder: configuration.createIfMissing)
        let identity = try existingOrNew(at: location)
        let connection = try open(location)
        do {
            // The header may be older than the log: a newer version can be there alone.
            try runner.admitSchema(of: connection)
            try runner.checkRecord(of: connection)
            try connection.allowCheckpointOnClose(true)
            try connection.useWriteAheadLog()
            try runner.migrate(connection, willApply: configuration.willMigrate)
        } catch {
            connection.close()
            throw error
        }
        return Result(connection: connection, location: location, identity: identity)
    }

    /// Opens the file as it is, if there is one and its header is ours; its schema is not known by then.
    func openExisting() throws(SQLiteError) -> (Connection, Location) {
        let location = try Location(configuration.path, makingFolder: false)
        guard try location.existingFile() != nil else { throw notFound }
        return (try open(location), location)
    }

    private func existingOrNew(at location: Location) throws(SQLiteError) -> FileStatus.Identity {
        if let identity = try location.existingFile() { return identity }
        guard configuration.createIfMissing else { throw notFound }
        try Creation(location: location, configuration: configuration).run()
        guard let identity = try location.existingFile() else { throw notFound }
        return identity
    }

    /// Nothing is written before the file has proved to be ours and not newer.
    private func open(_ location: Location) throws(SQLiteError) -> Connection {
        let connection = try Connection.open(location.path, patience: configuration.busyTimeout)
        do throws(SQLiteError) {
            let header = try FileHeader(of: connection, path: configuration.path)
            guard header.applicationID == configuration.applicationID else {
                throw SQLiteError(
                    .foreignDatabase, "\(configuration.path) is the database of another program. Name another file.")
            }
            try runner.check(version: header.userVersion)
            // What lies in the log stays there if the file is refused; an empty log is taken away again.
            let log = try FileStatus(location.path + "-wal")
            try connection.allowCheckpointOnClose(log == nil || log?.size == 0)
            try connection.applyProfile()
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    private var notFound: SQLiteError {
        SQLiteError(.notFound, "There is no database at \(configuration.path). Check the path, or create it.")
    }
}
