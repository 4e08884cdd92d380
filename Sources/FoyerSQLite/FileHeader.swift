import CSQLite

/// The first hundred bytes of a database file, which tell whose it is before SQLite makes anything of them.
struct FileHeader {
    fileprivate static let size = 100

    let applicationID: Int32
    let userVersion: Int

    /// Reads the header through SQLite's own descriptor: closing one of ours would drop SQLite's locks.
    init(of connection: Connection, path: String) throws(SQLiteError) {
        var size: Int64 = 0
        let code = foyer_sqlite3_file_size(connection.handle, &size)
        guard code == SQLITE_OK else { throw SQLiteError(result: code, of: nil, sql: nil) }
        let bytes = size >= Self.size ? try connection.headerBytes() : []
        guard size > 0 else { throw .emptyFile(path) }
        // 18 and 19 are the versions of the file format; others than 1 and 2 do not exist.
        guard size >= Self.size, bytes.starts(with: "SQLite format 3\0".utf8), (1...2).contains(bytes[18]),
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

extension Connection {
    /// The bytes of the header, as they are in the file.
    func headerBytes() throws(SQLiteError) -> [UInt8] {
        guard let handle else { throw .closed }
        var bytes = [UInt8](repeating: 0, count: FileHeader.size)
        let code = foyer_sqlite3_read_header(handle, &bytes, Int32(bytes.count))
        // What a file that was cut short lacks is zero.
        let isShort = code == SQLITE_IOERR | 2 << 8
        guard code == SQLITE_OK || isShort else { throw SQLiteError(result: code, of: nil, sql: nil) }
        return bytes
    }

    /// Whether the file that SQLite has open is the one of that name and identity.
    func isNamed(_ path: String, _ identity: FileStatus.Identity) throws(SQLiteError) -> Bool {
        guard let handle, foyer_sqlite3_has_moved(handle) == 0 else { return false }
        return try FileStatus(path)?.identity == identity
    }
}

extension SQLiteError {
    static func emptyFile(_ path: String) -> SQLiteError {
        SQLiteError(.emptyFile, "\(path) is empty. If nothing was lost with it, remove it and start again.")
    }
}
