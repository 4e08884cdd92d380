import CSQLite

/// The first hundred bytes of a database file, which tell whose it is before SQLite makes anything of them.
struct FileHeader {
    let applicationID: Int32
    let userVersion: Int

    /// Reads the header through SQLite's own descriptor: closing one of ours would drop SQLite's locks.
    init(of connection: Connection, path: String) throws(SQLiteError) {
        var size: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: 100)
        var code = foyer_sqlite3_file_size(connection.handle, &size)
        if code == SQLITE_OK, size >= 100 {
            code = foyer_sqlite3_read_header(connection.handle, &bytes, Int32(bytes.count))
        }
        guard code == SQLITE_OK else { throw SQLiteError(result: code, of: nil, sql: nil) }
        guard size > 0 else { throw .emptyFile(path) }
        // 18 and 19 are the versions of the file format; others than 1 and 2 do not exist.
        guard size >= 100, bytes.starts(with: "SQLite format 3\0".utf8), (1...2).contains(bytes[18]),
            (1...2).contains(bytes[19])
        else {
            throw SQLiteError(.notADatabase, "\(path) is not an SQLite database. Name another file.")
        }
        // 2 and 3 are UTF-16, which nothing of ours writes.
        guard Self.number(bytes[56..<60]) < 2 else {
            throw SQLiteError(.foreignDatabase, "\(path) is in UTF-16, so another program made it. Name another file.")
        }
        userVersion = Int(Self.number(bytes[60..<64]))
        applicationID = Self.number(bytes[68..<72])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
        Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }
}

extension SQLiteError {
    static func emptyFile(_ path: String) -> SQLiteError {
        SQLiteError(.emptyFile, "\(path) is empty. If nothing was lost with it, remove it and start again.")
    }
}
