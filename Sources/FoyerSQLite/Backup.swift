import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Inspection {
    /// Copies the database, as it is at one moment, into a new file that only its owner can use.
    ///
    /// Others may read and write meanwhile. The copy is checked and on the disk before it gets its name.
    /// - Throws: `SQLiteError`: `.cannotCreate` where the name is taken or the folder cannot be written, `.corrupt`
    ///   when the copy is not sound, `.full`.
    public func backUp(to path: String) throws {
        let target = try Location(path, makingFolder: false)
        guard try FileStatus(target.path) == nil else { throw SQLiteError.taken(target.path) }
        try target.refuseOrphans()
        let temporary = target.temporaryPath(process: getpid())
        // SQLite would make it readable for all.
        try Files.makeFile(temporary)
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { try? Files.remove(temporary + suffix) } }
        try copy(to: temporary)
        try verify(temporary)
        try Files.synchronize(temporary)
        guard try Files.link(temporary, as: target.path) else { throw SQLiteError.taken(target.path) }
        try Files.remove(temporary)
        try Files.synchronize(target.folder)
    }

    private func copy(to temporary: String) throws {
        let copy = try Connection.open(temporary, patience: configuration.busyTimeout)
        defer { copy.close() }
        // Nobody waits for a half-made file, so it is written through once, at the end.
        try copy.script("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        guard let backup = sqlite3_backup_init(copy.handle, "main", connection.handle, "main") else {
            throw SQLiteError(result: sqlite3_extended_errcode(copy.handle), of: copy.handle, sql: nil)
        }
        let start = ContinuousClock.now
        var code = sqlite3_backup_step(backup, -1)
        while [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF),
            ContinuousClock.now - start < configuration.busyTimeout
        {
            nap()
            code = sqlite3_backup_step(backup, -1)
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(result: code == SQLITE_DONE ? end : code, of: copy.handle, sql: nil)
        }
    }

    /// Reads the copy as whoever restores it will.
    private func verify(_ temporary: String) throws {
        let copy = try Connection.open(temporary, patience: configuration.busyTimeout)
        defer { copy.close() }
        let inspection = Inspection(
            connection: copy, version: Int(try copy.integer("PRAGMA user_version")), location: location,
            configuration: configuration)
        guard try FileHeader(of: copy, path: temporary).applicationID == configuration.applicationID,
            inspection.version == version, try inspection.damages() == []
        else {
            throw SQLiteError(
                .corrupt, "\(path) is damaged, so no backup was made of it. Keep a copy of the file itself.")
        }
    }
}

extension SQLiteError {
    fileprivate static func taken(_ path: String) -> SQLiteError {
        SQLiteError(.cannotCreate, "\(path) is there already, and a backup overwrites nothing. Give another name.")
    }
}
