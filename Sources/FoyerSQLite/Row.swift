import CSQLite

/// The current row of a statement, by column index from 0.
///
/// It is a view: it is valid only inside the closure that received it. Afterwards every column reads as NULL.
public struct Row {
    let statement: Statement

    @usableFromInline
    init(statement: Statement) { self.statement = statement }

    /// Lends the bytes of a text, for what is read from them in place; nil for NULL.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is not text; and what the closure throws.
    public func withText<T>(
        _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T? {
        guard try holds(SQLITE_TEXT, "text", column) else { return nil }
        let bytes = sqlite3_column_text(statement.handle, Int32(column))
        return try body(
            UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement.handle, Int32(column)))))
    }

    /// The text of a column.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is NULL, not text, or not valid UTF-8.
    public func text(_ column: Int) throws(SQLiteError) -> String {
        try require(textOrNil(column), "text", column)
    }

    /// The text of a column, or `nil` for NULL.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is not text or not valid UTF-8.
    public func textOrNil(_ column: Int) throws(SQLiteError) -> String? {
        try withText(column) { bytes throws(SQLiteError) in
            // Validated by us: SQLite stores any bytes as text, and String(cString:) would repair them or stop at a NUL.
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw corrupt("text that is not valid UTF-8", expected: "text", column)
            }
            return text
        }
    }

    /// The whole number in a column.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is NULL or not a whole number.
    public func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        try require(integerOrNil(column), "an integer", column)
    }

    /// The whole number in a column, or `nil` for NULL.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is not a whole number.
    public func integerOrNil(_ column: Int) throws(SQLiteError) -> Int64? {
        guard try holds(SQLITE_INTEGER, "an integer", column) else { return nil }
        return sqlite3_column_int64(statement.handle, Int32(column))
    }

    /// The truth value in a column: 0 or 1.
    /// - Throws: `SQLiteError` with `.corruptValue` for any other value.
    public func bool(_ column: Int) throws(SQLiteError) -> Bool {
        switch try integer(column) {
        case 0: return false
        case 1: return true
        default: throw corrupt("an integer", expected: "0 or 1", column)
        }
    }

    /// The number in a column.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is NULL or not a number.
    public func real(_ column: Int) throws(SQLiteError) -> Double {
        try require(realOrNil(column), "a number", column)
    }

    /// The number in a column, or `nil` for NULL.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is not a number.
    public func realOrNil(_ column: Int) throws(SQLiteError) -> Double? {
        if type(of: column) != SQLITE_INTEGER {
            guard try holds(SQLITE_FLOAT, "a number", column) else { return nil }
        }
        return sqlite3_column_double(statement.handle, Int32(column))
    }

    /// The bytes in a column.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is NULL or not a blob.
    public func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        try require(blobOrNil(column), "a blob", column)
    }

    /// The bytes in a column, or `nil` for NULL.
    /// - Throws: `SQLiteError` with `.corruptValue` if the value is not a blob.
    public func blobOrNil(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        guard try holds(SQLITE_BLOB, "a blob", column) else { return nil }
        let bytes = sqlite3_column_blob(statement.handle, Int32(column))
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

extension Row {
    /// The storage class of a column; NULL if there is no such column.
    private func type(of column: Int) -> Int32 {
        guard let handle = statement.handle, let index = Int32(exactly: column) else { return SQLITE_NULL }
        return sqlite3_column_type(handle, index)
    }

    /// False for NULL, true for the expected storage class.
    private func holds(_ expected: Int32, _ name: String, _ column: Int) throws(SQLiteError) -> Bool {
        switch type(of: column) {
        case expected: return true
        case SQLITE_NULL: return false
        case SQLITE_INTEGER: throw corrupt("an integer", expected: name, column)
        case SQLITE_FLOAT: throw corrupt("a floating-point number", expected: name, column)
        case SQLITE_TEXT: throw corrupt("text", expected: name, column)
        default: throw corrupt("a blob", expected: name, column)
        }
    }

    private func require<T>(_ value: T?, _ name: String, _ column: Int) throws(SQLiteError) -> T {
        guard let value else { throw corrupt("NULL", expected: name, column) }
        return value
    }

    private func corrupt(_ found: String, expected: String, _ column: Int) -> SQLiteError {
        corrupt(column, "holds \(found) where \(expected) is expected")
    }

    /// The error for a value that cannot be one of this program's, with what is wrong with it in words.
    public func corrupt(_ column: Int, _ what: String) -> SQLiteError {
        var name = "number \(column)"
        if let handle = statement.handle, let index = Int32(exactly: column),
            let text = sqlite3_column_name(handle, index)
        {
            name = String(cString: text)
        }
        return SQLiteError(
            .corruptValue, "Column \(name) \(what). The file was changed by another program.", sql: statement.sql,
            column: name)
    }
}
