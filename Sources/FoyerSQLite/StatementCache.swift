/// The prepared statements of one connection.
struct StatementCache {
    /// What a statement is found by: the address of a literal, else the text that was composed.
    private enum Key: Hashable {
        /// The length guards against shared beginnings.
        case literal(address: UInt, count: Int)
        case composed(SQL.Composition)

        init?(_ sql: SQL) {
            switch sql.content {
            case .literal(let literal):
                guard literal.hasPointerRepresentation else { return nil }
                self = .literal(address: UInt(bitPattern: literal.utf8Start), count: literal.utf8CodeUnitCount)
            case .composed(let composition): self = .composed(composition)
            }
        }
    }

    // Not bounded: a program has only so many literals, and so many ways to put them together.
    private var statements: [Key: Statement] = [:]

    /// A statement for the SQL that nobody is using.
    mutating func statement(
        for sql: SQL, prepare: () throws(SQLiteError) -> Statement
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
