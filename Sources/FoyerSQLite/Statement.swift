import CSQLite

/// A prepared statement; it is finalised when the last reference goes.
@usableFromInline
final class Statement {
    private(set) var handle: OpaquePointer?
    private var boundCount: Int32 = 0
    /// The texts that are bound, one after the other.
    private let values = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var keptBytes = 0
    /// Set while a caller steps through it, so that the same SQL inside a decode closure gets a statement of its own.
    var isInUse = false

    init(handle: OpaquePointer) { self.handle = handle }

    deinit {
        finalize()
        values.deallocate()
    }

    /// The SQL, with parameters and without values.
    var sql: String? { handle.flatMap(sqlite3_sql).map { String(cString: $0) } }

    /// Binds a value to the parameter behind the one that was bound last.
    @usableFromInline
    func bindNext(_ value: SQLiteValue) throws(SQLiteError) {
        boundCount += 1
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, boundCount)
        case .integer(let number): code = sqlite3_bind_int64(handle, boundCount, number)
        case .real(let number): code = sqlite3_bind_double(handle, boundCount, number)
        case .text(var text):
            // With a byte count: a C string would end at the first NUL.
            code = text.withUTF8 { bytes in
                if let copy = kept(UnsafeRawBufferPointer(bytes)) {
                    return sqlite3_bind_text(handle, boundCount, copy, Int32(bytes.count), nil)
                }
                return bytes.withMemoryRebound(to: CChar.self) {
                    foyer_sqlite3_bind_text(handle, boundCount, $0.baseAddress, UInt64($0.count))
                }
            }
        case .blob(let bytes):
            // A null pointer would bind NULL, and an empty array may have one.
            code =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, boundCount, 0)
                : bytes.withUnsafeBytes {
                    foyer_sqlite3_bind_blob(handle, boundCount, $0.baseAddress, UInt64($0.count))
                }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Copies short values to where they stay until the statement is reset; nil where there is no room. SQLite would
    /// get memory for each of them.
    private func kept(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
        guard values.count - keptBytes >= bytes.count else { return nil }
        let copy = UnsafeMutableRawBufferPointer(rebasing: values[keptBytes...])
        copy.copyMemory(from: bytes)
        keptBytes += bytes.count
        return copy.baseAddress?.assumingMemoryBound(to: CChar.self)
    }

    /// Checks that no parameter was forgotten: SQLite would take it for NULL.
    @usableFromInline
    func checkParameters() throws(SQLiteError) {
        let expected = sqlite3_bind_parameter_count(handle)
        guard boundCount == expected else {
            throw SQLiteError(
                .misuse, "\(boundCount) values were given for \(expected) parameters. Give as many.", sql: sql)
        }
    }

    /// Moves to the next row; false when there is none.
    @usableFromInline
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Makes it ready for the next use, and lets go of the values.
    @usableFromInline
    func reset() {
        (boundCount, keptBytes) = (0, 0)
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
