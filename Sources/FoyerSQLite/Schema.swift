/// The tables, indexes, views and triggers of a file, as they stand in its `sqlite_schema`.
struct Schema {
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

    /// FNV-1a of all rows: it tells schemas apart, it does not resist forgery by who can choose whole schemas.
    var fingerprint: UInt64 {
        var hash = FNV1a()
        for entry in entries {
            for text in [entry.type, entry.name, entry.table, entry.sql ?? ""] {
                hash.add(text)
                hash.add("\0")
            }
        }
        return hash.value
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

/// The FNV-1a hash with 64 bits.
struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
