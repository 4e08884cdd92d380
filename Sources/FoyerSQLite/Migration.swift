/// One step of the schema's history.
public struct Migration: Sendable {
    /// Its number; the first is 1, and there are no gaps.
    public let version: Int
    /// What it is called, for people.
    public let name: String
    /// Its statements. They run in one transaction and must not end it; foreign keys are enforced meanwhile.
    public let sql: String

    /// Makes a migration.
    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// FNV-1a of the SQL, in hexadecimal: it notices edits, it does not resist forgery.
    var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
