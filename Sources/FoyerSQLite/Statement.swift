import CSQLite

/// A prepared statement; it is finalised when the last reference goes.
final class Statement {
    private(set) var handle: OpaquePointer?
    /// Set while a caller steps through it, so that the same SQL inside a decode closure gets a statement of its own.
    var isInUse = false

    init(handle: OpaquePointer) { self.handle = handle }

    deinit { finalize() }

    /// The SQL, with parameters and without values.
    var sql: String? { handle.flatMap(sqlite3_sql).map { String(cString: $0) } }

    /// Binds a value to the parameter at an index from 1.
    func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
        case .real(let number): code = sqlite3_bind_double(handle, index, number)
        case .text(var text):
            // With a byte count: a C string would end at the first NUL.
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let start = bytes.baseAddress else { return foyer_sqlite3_bind_text(handle, index, "", 0) }
                    return foyer_sqlite3_bind_text(handle, index, start, UInt64(bytes.count))
                }
            }
        case .blob(let bytes):
            // A null pointer would bind NULL, and an empty array may have one.
            code =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : bytes.withUnsafeBytes { foyer_sqlite3_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Moves to the next row; false when there is none.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Makes it ready for the next use, and lets go of the values.
    func reset() {
        guard let handle else { return }
        // The result repeats the error of the last step, which was thrown there.
        _ = sqlite3_reset(handle)
        _ = sqlite3_clear_bindings(handle)
        isInUse = false
    }

    func finalize() {
        sqlite3_finalize(handle)
        handle = nil
    }

    /// The error for a result code of this statement.
    private func failure(_ code: Int32) -> SQLiteError {
        guard let handle else { return .closed }
        return SQLiteError(result: code, of: sqlite3_db_handle(handle), sql: sql)
    }
}

extension SQLiteError {
    /// The error for a result code of SQLite, with SQLite's message and our advice.
    init(result: Int32, of database: OpaquePointer?, sql: String?) {
        // The connection's message belongs to its last failure, which need not be this one.
        let isLast = database != nil && sqlite3_extended_errcode(database) == result
        let text = isLast ? sqlite3_errmsg(database) : sqlite3_errstr(result)
        let code = Code(rawValue: result)
        let what = text.map { String(cString: $0) } ?? "unknown error"
        self.init(code, "SQLite: \(what). \(code.advice)", sql: sql)
    }
}
