/// Opens the file of a configuration: makes it if asked, checks whose it is, and brings its schema up to date.
struct Opening {
    /// An open file.
    struct Result {
        let connection: Connection
        let location: Location
        let identity: FileStatus.Identity
    }

    let configuration: Database.Configuration

    func run() throws(SQLiteError) -> Result {
        let runner = MigrationRunner(migrations: configuration.migrations, path: configuration.path)
        try runner.checkOrder()
        let location = try Location(configuration.path, makingFolder: configuration.createIfMissing)
        let identity = try existingOrNew(at: location)
        let connection = try Connection.open(location.path, patience: configuration.busyTimeout)
        do {
            try admit(connection, runner, log: location.path + "-wal")
        } catch {
            connection.close()
            throw error
        }
        return Result(connection: connection, location: location, identity: identity)
    }

    private func existingOrNew(at location: Location) throws(SQLiteError) -> FileStatus.Identity {
        if let identity = try location.existingFile() { return identity }
        guard configuration.createIfMissing else { throw notFound }
        try Creation(location: location, configuration: configuration).run()
        guard let identity = try location.existingFile() else { throw notFound }
        return identity
    }

    /// Nothing is written before the file has proved to be ours and not newer.
    private func admit(_ connection: Connection, _ runner: MigrationRunner, log: String) throws(SQLiteError) {
        let header = try FileHeader(of: connection, path: configuration.path)
        guard header.applicationID == configuration.applicationID else {
            throw SQLiteError(
                .foreignDatabase, "\(configuration.path) is the database of another program. Name another file.")
        }
        try runner.check(version: header.userVersion)
        // What lies in the log stays there if the file is refused; an empty log is taken away again.
        try connection.allowCheckpointOnClose((try FileStatus(log)?.size ?? 0) == 0)
        try connection.applyProfile()
        // The header may be older than the log: a newer version can be there alone.
        try runner.admitSchema(of: connection)
        try connection.allowCheckpointOnClose(true)
        try connection.useWriteAheadLog()
        try runner.migrate(connection)
    }

    private var notFound: SQLiteError {
        SQLiteError(.notFound, "There is no database at \(configuration.path). Check the path, or create it.")
    }
}
