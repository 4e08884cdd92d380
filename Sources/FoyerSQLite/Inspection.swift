import CSQLite

extension Database {
    /// Looks into a file as it lies there: nothing is made, migrated or changed, no trigger acts, no view can be read.
    ///
    /// - Throws: `SQLiteError` when the file is not a database of this program (`.notFound`, `.notADatabase`,
    ///   `.foreignDatabase`, `.newerSchema`, `.unsafePermissions`, …); and what the closure throws.
    public static func inspect<T: Sendable>(
        _ configuration: Configuration, _ body: @Sendable (Inspection) throws -> T
    ) async throws -> T {
        try await Inspector().inspect(configuration, body)
    }
}

/// A database file that is looked at and not changed; for use inside the closure that received it.
public struct Inspection {
    /// For queries of one's own; it refuses to write.
    public let connection: Connection
    /// The version of the file's schema.
    public let version: Int
    /// Where the file is, without links.
    public var path: String { location.path }

    let location: Location
    let configuration: Database.Configuration

    /// What the migrations did not make, or made otherwise, in words; nil when the schema is theirs.
    /// - Throws: `SQLiteError`.
    public func schemaDifference() throws -> String? {
        let runner = MigrationRunner(migrations: configuration.migrations, path: configuration.path)
        return try runner.difference(of: Schema(of: connection), at: version)
    }

    /// What is damaged, in SQLite's words, up to twenty; none when every page and every index is right.
    /// - Throws: `SQLiteError`.
    public func damages() throws -> [String] {
        try connection.rows("PRAGMA integrity_check(20)") { try $0.text(0) }.filter { $0 != "ok" }
    }

    /// The tables with rows that belong to a row that is not there.
    /// - Throws: `SQLiteError`.
    public func tablesWithDanglingRows() throws -> [String] {
        try connection.rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check") { try $0.text(0) }
    }

    /// The files beside the database, its log among them, that others may use.
    /// - Throws: `SQLiteError`.
    public func exposedFiles() throws(SQLiteError) -> [String] {
        var exposed: [String] = []
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
            guard let status = try FileStatus(location.path + suffix), status.isExposed else { continue }
            exposed.append(location.path + suffix)
        }
        return exposed
    }
}

/// Runs inspections on a queue of its own.
private actor Inspector {
    private nonisolated let executor = SerialQueueExecutor(label: "foyer.sqlite.inspector")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func inspect<T: Sendable>(
        _ configuration: Database.Configuration, _ body: @Sendable (Inspection) throws -> T
    ) throws -> T {
        let opening = DatabaseOpener(configuration: configuration)
        let (connection, location) = try opening.openExisting()
        defer { connection.close() }
        try connection.script("PRAGMA query_only = ON")
        let version = try opening.runner.checkRecord(of: connection)
        return try body(
            Inspection(connection: connection, version: version, location: location, configuration: configuration))
    }
}
