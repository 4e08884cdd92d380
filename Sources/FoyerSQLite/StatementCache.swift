/// The prepared statements of one connection, found by the address of their SQL: no text is hashed or copied.
struct StatementCache {
    /// A static string lies at one address for the life of the program; its length guards against shared beginnings.
    private struct Key: Hashable {
        let address: UInt
        let count: Int

        init?(_ sql: StaticString) {
            guard sql.hasPointerRepresentation else { return nil }
            address = UInt(bitPattern: sql.utf8Start)
            count = sql.utf8CodeUnitCount
        }
    }

    // Not bounded: a program has only so many literals.
    private var statements: [Key: Statement] = [:]

    /// A statement for the SQL that nobody is using.
    mutating func statement(
        for sql: StaticString, prepare: () throws(SQLiteError) -> Statement
    ) throws(SQLiteError) -> Statement {
        guard let key = Key(sql) else { return try prepare() }
        if let statement = statements[key] {
            guard statement.isInUse else { return statement }
            // In use further up the stack: this one lives until its own use ends.
            return try prepare()
        }
        let statement = try prepare()
        statements[key] = statement
        return statement
    }

    /// Finalises all statements.
    mutating func removeAll() {
        for statement in statements.values { statement.finalize() }
        statements.removeAll()
    }
}
