/// One step of the schema's history.
public struct Migration: Sendable {
    /// Its number; the first is 1, and there are no gaps.
    public let version: Int
    /// What it is called, for people.
    public let name: String
    /// Its statements. They run in one transaction and must not end it; foreign keys are enforced meanwhile.
    public let sql: String
    /// The fingerprint of the schema that it leads to, where that is known without running it.
    let schemaFingerprint: UInt64?

    /// Makes a migration.
    ///
    /// `schemaFingerprint` is one of `schemaFingerprints(of:)`: with it, opening a file of this version costs no run
    /// of the migrations in memory. A wrong one costs that run and nothing else.
    public init(version: Int, name: String, sql: String, schemaFingerprint: UInt64? = nil) {
        self.version = version
        self.name = name
        self.sql = sql
        self.schemaFingerprint = schemaFingerprint
    }

    /// The fingerprints of the schemas that a history leads to, one for each migration.
    /// - Throws: `SQLiteError` when one of them cannot be run.
    public static func schemaFingerprints(of history: [Migration]) throws(SQLiteError) -> [UInt64] {
        let runner = MigrationRunner(migrations: history, path: ":memory:")
        var fingerprints: [UInt64] = []
        for version in 1...max(1, history.count) where version <= history.count {
            fingerprints.append(try runner.schema(at: version).fingerprint)
        }
        return fingerprints
    }

    /// FNV-1a of the SQL, in hexadecimal: it notices edits, it does not resist forgery.
    var checksum: String {
        var hash = FNV1a()
        hash.add(sql)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
