/// The tables, indexes, views and triggers of a file, as they stand in its `sqlite_schema`.
struct Schema: Equatable {
    /// One row of it.
    struct Entry: Hashable {
        let type: String
        let name: String
        let table: String
        /// Nil for the indexes that SQLite makes by itself.
        let sql: String?
    }

    let entries: [Entry]

    /// Reads it; SQLite's own statistics are left out, which anybody may gather with ANALYZE.
    init(of connection: Connection) throws {
        entries = try connection.rows(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')
            ORDER BY type, name, tbl_name, sql
            """
        ) { row in
            Entry(type: try row.text(0), name: try row.text(1), table: try row.text(2), sql: try row.textOrNil(3))
        }
    }

    /// The rows that the build found, in the order of `init(of:)`, and the table in which the runner records what it
    /// applied.
    init(built rows: [Migration.SchemaRow]) {
        // SQLite keeps the statement without its condition.
        let sql = MigrationRunner.makeRecord.description.replacing("IF NOT EXISTS ", with: "", maxReplacements: 1)
        let record = Entry(type: "table", name: "migrations", table: "migrations", sql: sql)
        var entries = rows.map { Entry(type: $0.type, name: $0.name, table: $0.table, sql: $0.sql) }
        let place = entries.firstIndex { ($0.type, $0.name) > (record.type, record.name) } ?? entries.endIndex
        entries.insert(record, at: place)
        self.entries = entries
    }

    /// What is not as it was expected, in words; nil when all is.
    func difference(from expected: Schema) -> String? {
        let found = Set(entries), wanted = Set(expected.entries)
        let names = Set(expected.entries.map { "\($0.type) \($0.name)" })
        if let entry = entries.first(where: { !wanted.contains($0) }) {
            return names.contains("\(entry.type) \(entry.name)")
                ? "its \(entry.type) \"\(entry.name)\" was changed" : "it has a strange \(entry.type) \"\(entry.name)\""
        }
        return expected.entries.first { !found.contains($0) }.map { "its \($0.type) \"\($0.name)\" is gone" }
    }
}
