/// What went wrong in the database, and what to do about it.
///
/// It carries the SQL that failed but never the values bound to it, so that it can be logged.
public struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// A file's schema version and the newest one that this program knows.
    public struct SchemaVersions: Sendable, Hashable {
        /// The version of the file.
        public let found: Int
        /// The newest version that this program knows.
        public let known: Int
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do, in a sentence or two.
    public let message: String
    /// The SQL that failed, without its values, or `nil` where no statement was running.
    public let sql: String?
    /// The two versions, for `Code.newerSchema` only.
    public let schemaVersions: SchemaVersions?
    /// The column with the value, for `Code.corruptValue` only.
    public let column: String?

    /// Makes an error with a message of one's own.
    public init(
        _ code: Code, _ message: String, sql: String? = nil, schemaVersions: SchemaVersions? = nil,
        column: String? = nil
    ) {
        self.column = column
        self.code = code
        self.message = message
        self.sql = sql
        self.schemaVersions = schemaVersions
    }

    /// The message, the code's number and the SQL.
    public var description: String {
        let number = code.rawValue > 0 ? " (SQLite code \(code.rawValue))" : ""
        guard let sql else { return message + number }
        return "\(message)\(number) In: \(sql)"
    }
}

extension SQLiteError {
    /// Whether the same call can succeed when repeated, because another connection was in the way.
    public var isRetryable: Bool { code.nature == .retryable }

    /// Whether the call broke a rule of the schema (unique, check, foreign key, not null).
    public var isConflict: Bool { code.nature == .conflict }

    /// Whether the file, the disk or the program is at fault, so that no call is expected to succeed until it is put right.
    public var isFatal: Bool { code.nature == .fatal }
}

extension SQLiteError {
    /// The file's schema is of a later program.
    static func newerSchema(_ path: String, found: Int, known: Int) -> SQLiteError {
        SQLiteError(
            .newerSchema,
            "\(path) has schema version \(found), and this program knows versions up to \(known). "
                + "Use the newer program; the file was not changed.",
            schemaVersions: SchemaVersions(found: found, known: known))
    }

    /// The connection or the database was closed before.
    static let closed = SQLiteError(.closed, "The database is closed. Open it again.")
}
