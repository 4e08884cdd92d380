import CSQLite

/// A connection to one database file, used by one task at a time.
///
/// Statements are ``SQL``, so they cannot be put together from values: values can only be bound.
public final class Connection {
    private(set) var handle: OpaquePointer?
    let busyHandler: BusyHandler
    private var cache = StatementCache()
    /// As the opening profile sets it.
    var durability = Durability.full
    /// The pages in the WAL after the last commit of this connection.
    let walPages = WALPages()

    init(handle: OpaquePointer, busyHandler: BusyHandler) {
        self.handle = handle
        self.busyHandler = busyHandler
    }

    deinit { close() }

    // These three are inlined into the rooms that call them: a list of values of any types would cost more to be taken
    // apart at run time than SQLite needs for the statement.

    /// Runs a statement and returns how many rows it inserted, updated or deleted.
    /// - Throws: `SQLiteError`.
    @inlinable
    @discardableResult
    public func run<each B: Bindable>(_ sql: SQL, _ values: repeat each B) throws(SQLiteError) -> Int {
        let statement = try checkOut(sql)
        defer { statement.reset() }
        repeat try statement.bindNext((each values).sqliteValue)
        try statement.checkParameters()
        return try changes(by: statement)
    }

    /// Runs a query and returns what `decode` makes of each row.
    /// - Throws: `SQLiteError`, and what `decode` throws.
    @inlinable
    public func rows<each B: Bindable, T>(
        _ sql: SQL, _ values: repeat each B, decode: (Row) throws -> T
    ) throws -> [T] {
        let statement = try checkOut(sql)
        defer { statement.reset() }
        repeat try statement.bindNext((each values).sqliteValue)
        try statement.checkParameters()
        var result: [T] = []
        while try statement.step() { result.append(try decode(Row(statement: statement))) }
        return result
    }

    /// Runs a query and returns what `decode` makes of its first row, or `nil` if there is none.
    /// - Throws: `SQLiteError`, and what `decode` throws.
    @inlinable
    public func first<each B: Bindable, T>(
        _ sql: SQL, _ values: repeat each B, decode: (Row) throws -> T
    ) throws -> T? {
        let statement = try checkOut(sql)
        defer { statement.reset() }
        repeat try statement.bindNext((each values).sqliteValue)
        try statement.checkParameters()
        return try statement.step() ? try decode(Row(statement: statement)) : nil
    }

    /// Runs a statement to its end, and tells how many rows it has changed.
    @usableFromInline
    func changes(by statement: Statement) throws(SQLiteError) -> Int {
        let before = sqlite3_total_changes64(handle)
        while try statement.step() {}
        // Statements that change no row leave the count of the one before.
        return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
    }

    /// The row id of the last row that this connection inserted; 0 if there is none.
    public var lastInsertedRowID: Int64 { handle.map(sqlite3_last_insert_rowid) ?? 0 }

    /// A number that changes when another connection has changed the file.
    /// - Throws: `SQLiteError`.
    public func dataVersion() throws(SQLiteError) -> Int64 {
        try integer("PRAGMA data_version")
    }

    /// Finalises the statements and closes the file; further calls throw `.closed`.
    package func close() {
        cache.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }
}

extension Connection {
    /// The whole number that a statement without parameters returns.
    package func integer(_ sql: SQL) throws(SQLiteError) -> Int64 {
        let statement = try checkOut(sql)
        defer { statement.reset() }
        guard try statement.step() else { return 0 }
        return try Row(statement: statement).integer(0)
    }

    /// A statement that is in use until it is reset.
    @usableFromInline
    func checkOut(_ sql: SQL) throws(SQLiteError) -> Statement {
        busyHandler.restart()
        let statement = try cache.statement(for: sql) { () throws(SQLiteError) in try prepare(sql) }
        statement.isInUse = true
        return statement
    }

    /// Prepares SQL, which must hold one statement.
    private func prepare(_ sql: SQL) throws(SQLiteError) -> Statement {
        var text = sql.description
        let result = text.withUTF8 { bytes in
            Result { () throws(SQLiteError) in
                var rest = bytes[...]
                let statement = try prepareNext(&rest, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
                // What comes after the first statement would be dropped in silence.
                while !rest.isEmpty {
                    guard try prepareNext(&rest, flags: 0) == nil else {
                        throw SQLiteError(.misuse, "Use script(_:) for several statements.", sql: sql.description)
                    }
                }
                return statement
            }
        }
        guard let statement = try result.get() else {
            throw SQLiteError(.misuse, "There is no statement in the SQL. Write one.", sql: sql.description)
        }
        return statement
    }

    /// Prepares the first statement and moves past it; `nil` if only blanks and comments are left.
    func prepareNext(
        _ sql: inout Slice<UnsafeBufferPointer<UInt8>>, flags: UInt32
    ) throws(SQLiteError) -> Statement? {
        guard let handle else { throw .closed }
        // An empty statement, as in ";;", is none; the next one may follow.
        while !sql.isEmpty {
            if let statement = try prepareOne(handle, &sql, flags) { return statement }
        }
        return nil
    }

    private func prepareOne(
        _ handle: OpaquePointer, _ sql: inout Slice<UnsafeBufferPointer<UInt8>>, _ flags: UInt32
    ) throws(SQLiteError) -> Statement? {
        let bytes = UnsafeBufferPointer(rebasing: sql)
        guard let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self) else {
            sql = sql[sql.endIndex...]
            return nil
        }
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(handle, start, Int32(clamping: bytes.count), flags, &statement, &tail)
        guard code == SQLITE_OK else {
            throw SQLiteError(result: code, of: handle, sql: String(decoding: bytes, as: UTF8.self))
        }
        // No progress means a NUL, at which SQLite stops.
        let used = tail.map { $0 - start } ?? 0
        sql = used > 0 ? sql[(sql.startIndex + used)...] : sql[sql.endIndex...]
        return statement.map(Statement.init(handle:))
    }
}
