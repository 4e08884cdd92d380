/// Brings the schema of a file to the newest version, or refuses the file.
struct MigrationRunner {
    let migrations: [Migration]
    /// The file's name in messages.
    let path: String

    /// Makes the table that records what was applied.
    static let makeRecord: SQL = """
        CREATE TABLE IF NOT EXISTS migrations (
            version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL
        ) STRICT
        """

    /// The newest version that this program knows.
    var known: Int { migrations.count }

    /// Refuses a list with a gap, a double or a wrong order.
    func checkOrder() throws(SQLiteError) {
        for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
            throw SQLiteError(
                .misuse,
                "Migration \(migration.version) (\(migration.name)) stands where \(index + 1) is expected. "
                    + "Number them from 1 without gaps.")
        }
    }

    /// Refuses a version that is not ours to touch.
    func check(version: Int) throws(SQLiteError) {
        guard version <= known else { throw .newerSchema(path, found: version, known: known) }
        guard version >= 0 else {
            throw SQLiteError(.foreignDatabase, "\(path) has a negative schema version. Name another file.")
        }
    }

    /// Refuses a file whose schema was made by other migrations than ours, and one that is newer. Nothing is written.
    /// - Returns: the version of its schema.
    @discardableResult
    func checkRecord(of connection: Connection) throws(SQLiteError) -> Int {
        let version = Int(try connection.integer("PRAGMA user_version"))
        // A file of other migrations is not newer, whatever its number says.
        if version > 0 { try compare(connection, applied: min(version, known)) }
        try check(version: version)
        return version
    }

    /// Applies what is missing, each migration in a transaction of its own.
    /// - Parameter willApply: told the version of each before.
    func migrate(_ connection: Connection, willApply: (Int) -> Void = { _ in }) throws(SQLiteError) {
        let version = Int(try connection.integer("PRAGMA user_version"))
        try check(version: version)
        for migration in migrations.dropFirst(version) {
            willApply(migration.version)
            do {
                try connection.transaction { try apply(migration, to: connection) }
            } catch let error as SQLiteError {
                throw SQLiteError(
                    error.code, "Migration \(migration.version) (\(migration.name)) of \(path): \(error.message)",
                    sql: error.sql, schemaVersions: error.schemaVersions)
            } catch {
                throw SQLiteError(.error, "\(error)")
            }
        }
    }

    private func apply(_ migration: Migration, to connection: Connection) throws(SQLiteError) {
        // Read again under the lock: another process may have been faster.
        let version = Int(try connection.integer("PRAGMA user_version"))
        try check(version: version)
        guard version < migration.version else { return }
        try connection.run(Self.makeRecord)
        try connection.script(migration.sql)
        guard connection.isInTransaction else {
            throw SQLiteError(.misuse, "It ended its transaction. Remove COMMIT and ROLLBACK from it.")
        }
        try connection.run(
            """
            INSERT INTO migrations (version, name, checksum, applied_at)
            VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            """, migration.version, migration.name, migration.checksum)
        try connection.script("PRAGMA user_version = \(migration.version)")
    }

    private func compare(_ connection: Connection, applied: Int) throws(SQLiteError) {
        let recorded: [(version: Int64, checksum: String)]
        do {
            recorded = try connection.rows("SELECT version, checksum FROM migrations ORDER BY version") { row in
                (try row.integer(0), try row.text(1))
            }
        } catch let error as SQLiteError {
            guard error.code == .error else { throw error }
            throw SQLiteError(.foreignDatabase, "\(path) has no record of its migrations. Name another file.")
        } catch {
            throw SQLiteError(.error, "\(error)")
        }
        // Another process may have added some since the version was read.
        for (migration, record) in zip(migrations, recorded) {
            guard migration.version == record.version, migration.checksum == record.checksum else {
                throw unreleased(migration)
            }
        }
        if recorded.count < applied { throw unreleased(migrations[recorded.count]) }
    }

    private func unreleased(_ migration: Migration) -> SQLiteError {
        SQLiteError(
            .unreleasedSchema,
            "\(path) was made by an unreleased version of this program: its migration \(migration.version) is not "
                + "\(migration.name) as it is here. No release reads it. Export what you need with the program that made "
                + "it, move the file away, and begin anew.")
    }
}
