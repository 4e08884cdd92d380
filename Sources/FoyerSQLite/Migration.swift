/// One step of the schema's history.
public struct Migration: Sendable {
    /// A row of `sqlite_schema`.
    public typealias SchemaRow = (type: String, name: String, table: String, sql: String?)

    /// Its number; the first is 1, and there are no gaps.
    public let version: Int
    /// What it is called, for people.
    public let name: String
    /// Its statements. They run in one transaction and must not end it; foreign keys are enforced meanwhile.
    public let sql: String
    /// The schema that it leads to, where the build has found that out.
    let schema: Schema?

    /// Makes a migration.
    ///
    /// - Parameter schema: all rows of `sqlite_schema` after this migration. With them, opening a file of this version
    ///   does not run the migrations in memory. Wrong rows cost that run and nothing else.
    public init(version: Int, name: String, sql: String, schema: [SchemaRow]? = nil) {
        self.version = version
        self.name = name
        self.sql = sql
        self.schema = schema.map { Schema(built: $0) }
    }

    /// FNV-1a of the SQL, in hexadecimal: it notices edits, it does not resist forgery.
    var checksum: String {
        var hash = FNV1a()
        hash.add(sql)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The FNV-1a hash with 64 bits.
struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
