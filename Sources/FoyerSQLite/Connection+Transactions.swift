import CSQLite

extension Connection {
    /// Runs the closure in a write transaction, which is committed when it returns and rolled back when it throws.
    ///
    /// Not inside another transaction, so not inside `Database.write` either: use `savepoint(_:)` there.
    /// - Throws: `SQLiteError`, with `.busy` if another connection keeps the lock, and what the closure throws.
    @discardableResult
    public func transaction<T>(_ body: () throws -> T) throws -> T {
        try enclosed(by: "BEGIN IMMEDIATE", body)
    }

    /// Runs the closure in a savepoint: what it did is undone when it throws. Savepoints nest.
    /// - Throws: `SQLiteError`, and what the closure throws.
    @discardableResult
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        try run("SAVEPOINT foyer")
        do {
            let result = try body()
            try run("RELEASE foyer")
            return result
        } catch {
            // After a full disk or an I/O error SQLite has rolled back everything by itself.
            if isInTransaction {
                try run("ROLLBACK TO foyer")
                try run("RELEASE foyer")
            }
            throw error
        }
    }

    /// Runs several statements, as migrations have them. Values cannot be bound.
    /// - Throws: `SQLiteError`; what the statements before the failing one did stays, outside a transaction.
    public func script(_ sql: String) throws(SQLiteError) {
        guard !sql.utf8.contains(0) else {
            throw SQLiteError(.misuse, "The script has a NUL byte, at which SQLite would stop. Remove it.")
        }
        var sql = sql
        let result = sql.withUTF8 { bytes in
            Result { () throws(SQLiteError) in
                var rest = bytes[...]
                while !rest.isEmpty {
                    busyHandler.restart()
                    guard let statement = try prepareNext(&rest, flags: 0) else { return }
                    while try statement.step() {}
                }
            }
        }
        try result.get()
    }

    /// Runs the closure in a transaction with one snapshot of the file.
    func snapshot<T>(_ body: () throws -> T) throws -> T {
        try enclosed(by: "BEGIN DEFERRED", body)
    }

    /// Sets how sure the following transactions are when they return.
    func synchronize(_ wanted: Durability) throws(SQLiteError) {
        guard wanted != durability else { return }
        switch wanted {
        case .full: try run("PRAGMA synchronous = FULL")
        case .normal: try run("PRAGMA synchronous = NORMAL")
        }
        durability = wanted
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    private func enclosed<T>(by begin: SQL, _ body: () throws -> T) throws -> T {
        try run(begin)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // The first error is the one to tell; SQLite may have rolled back by itself.
            if isInTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }
}
