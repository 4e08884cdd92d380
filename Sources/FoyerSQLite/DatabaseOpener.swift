/// Opens the file of a configuration: makes it if asked, checks whose it is, and brings its schema up to date.
struct DatabaseOpener {
    let configuration: Database.Configuration

    var runner: MigrationRunner { MigrationRunner(migrations: configuration.migrations, path: configuration.path) }

    func run() throws(SQLiteError) -> (Connection, FileWatch) {
        try runner.checkOrder()
        let location = try Location(configuration.path, makingFolder: configuration.createIfMissing)
        try makeIfMissing(at: location)
        let connection = try open(location)
        do {
            // The header may be older than the log: a newer version can be there alone.
            try runner.admitSchema(of: connection)
            try connection.useWriteAheadLog()
            try runner.migrate(connection, willApply: configuration.willMigrate)
            let watch = try FileWatch(connection, at: location)
            try connection.allowCheckpointOnClose(true)
            return (connection, watch)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Opens the file as it is, if there is one and its header is ours; its schema is not known by then.
    func openExisting() throws(SQLiteError) -> (Connection, Location) {
        let location = try Location(configuration.path, makingFolder: false)
        return (try open(location), location)
    }

    private func makeIfMissing(at location: Location) throws(SQLiteError) {
        guard try location.existingFile() == nil, configuration.createIfMissing else { return }
        try Creation(location: location, configuration: configuration).run()
    }

    /// Opens the file that has the name, and keeps anybody from restoring another one over it from then on.
    private func connect(to location: Location) throws(SQLiteError) -> Connection {
        while let identity = try location.existingFile() {
            let connection = try Connection.open(location.path, timeout: configuration.busyTimeout)
            do throws(SQLiteError) {
                try connection.lockShared()
                if try connection.isNamed(location.path, identity) { return connection }
            } catch {
                connection.close()
                throw error
            }
            // It was replaced meanwhile.
            connection.close()
        }
        throw notFound
    }

    /// Nothing is written before the file has proved to be ours and not newer.
    private func open(_ location: Location) throws(SQLiteError) -> Connection {
        let connection = try connect(to: location)
        do throws(SQLiteError) {
            _ = try configuration.ownHeader(of: connection)
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

extension Database.Configuration {
    /// The header of the file, if it is a database of this program.
    func ownHeader(of connection: Connection) throws(SQLiteError) -> FileHeader {
        let header = try FileHeader(of: connection, path: path)
        guard header.applicationID == applicationID else {
            throw SQLiteError(.foreignDatabase, "\(path) is the database of another program. Name another file.")
        }
        return header
    }
}
