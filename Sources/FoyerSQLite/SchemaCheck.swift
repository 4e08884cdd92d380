extension MigrationRunner {
    /// Refuses a file that other migrations made, or whose schema is not what ours make of it, and only then lets its triggers and views act.
    ///
    /// Until here nothing that stands in the file was run: a trigger could copy a secret, a view could stand in for a
    /// table. Nothing is written.
    func admitSchema(of connection: Connection) throws(SQLiteError) {
        let found: (version: Int, schema: Schema)
        do {
            found = try connection.snapshot {
                (try checkRecord(of: connection), try Schema(of: connection))
            }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(.error, "\(error)")
        }
        if let difference = try difference(of: found.schema, at: found.version) {
            throw SQLiteError(
                .foreignSchema,
                "\(path) was not used, because \(difference): another program has changed it. "
                    + "Undo that with the sqlite3 shell, or restore a backup.")
        }
        try connection.allowTriggers(true)
        try connection.allowViews(true)
    }

    /// What of a schema is not what the migrations make up to that version; nil when all is.
    func difference(of schema: Schema, at version: Int) throws(SQLiteError) -> String? {
        if version > 0, schema == migrations[version - 1].schema { return nil }
        return schema.difference(from: try self.schema(at: version))
    }

    /// The schema that the migrations make up to that version, from a run in memory.
    func schema(at version: Int) throws(SQLiteError) -> Schema {
        let connection = try Connection.openInMemory()
        defer { connection.close() }
        let runner = MigrationRunner(migrations: Array(migrations.prefix(version)), path: path)
        try runner.migrate(connection)
        do {
            return try Schema(of: connection)
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(.error, "\(error)")
        }
    }
}
