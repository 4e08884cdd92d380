import CSQLite
import FoyerPlatform

extension Inspection {
    /// Copies the database, as it is at one moment, into a new file that only its owner can use.
    ///
    /// Others may read and write meanwhile. The copy is checked and on the disk before it gets its name.
    /// - Parameter progress: told how many pages of how many are copied.
    /// - Throws: `SQLiteError`: `.cannotCreate` where the name is taken or the folder cannot be written, `.corrupt`
    ///   when the copy is not sound, `.full`.
    public func backUp(to path: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
        let target = try Self.place(forCopyAt: path)
        guard try FileStatus(target.path) == nil else { throw SQLiteError.taken(target.path) }
        try target.refuseOrphans()
        let temporary = target.temporaryPath(process: getpid())
        defer { removeCopy(at: temporary) }
        guard try makeCopy(at: temporary, progress) else {
            throw SQLiteError(
                .corrupt, "\(self.path) is damaged, so no backup was made of it. Keep a copy of the file itself.")
        }
        try Files.synchronize(temporary)
        guard try Files.link(temporary, as: target.path) else { throw SQLiteError.taken(target.path) }
        try Files.remove(temporary)
        try Files.synchronize(target.folder)
    }

    private static func place(forCopyAt path: String) throws(SQLiteError) -> Location {
        do throws(SQLiteError) {
            return try Location(path, makingFolder: false)
        } catch {
            // What is not there is the place for the copy, and not the database.
            guard error.code == .notFound else { throw error }
            throw SQLiteError(.cannotCreate, error.message)
        }
    }

    /// Copies the database into a new file that only its owner can use; false when the copy is not sound.
    func makeCopy(at path: String, _ progress: (_ done: Int, _ total: Int) -> Void) throws -> Bool {
        // SQLite would make it readable for all.
        try Files.makeFile(path)
        try copy(to: path, progress)
        return try isSound(path)
    }

    func removeCopy(at path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { try? Files.remove(path + suffix) }
    }

    /// How many pages are copied between two words about it: some milliseconds' worth.
    private static let portion: Int32 = 1000

    private func copy(to temporary: String, _ progress: (Int, Int) -> Void) throws {
        let copy = try Connection.open(temporary, timeout: configuration.busyTimeout)
        defer { copy.close() }
        // Nobody waits for a half-made file, so it is written through once, at the end.
        try copy.script("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        guard let backup = sqlite3_backup_init(copy.handle, "main", connection.handle, "main") else {
            throw SQLiteError(result: sqlite3_extended_errcode(copy.handle), of: copy.handle, sql: nil)
        }
        // On one snapshot, or whoever writes meanwhile would let the copy begin anew.
        let code = try connection.snapshot {
            _ = try connection.integer("PRAGMA schema_version")
            return step(backup, progress)
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(result: code == SQLITE_DONE ? end : code, of: copy.handle, sql: nil)
        }
    }

    /// Copies all pages; gives SQLite's last word.
    private func step(_ backup: OpaquePointer, _ progress: (Int, Int) -> Void) -> Int32 {
        var start = ContinuousClock.now
        while true {
            let code = sqlite3_backup_step(backup, Self.portion)
            let total = Int(sqlite3_backup_pagecount(backup))
            progress(total - Int(sqlite3_backup_remaining(backup)), total)
            switch code & 0xFF {
            case SQLITE_OK: start = ContinuousClock.now
            case SQLITE_BUSY, SQLITE_LOCKED:
                guard ContinuousClock.now - start < configuration.busyTimeout else { return code }
                nap()
            default: return code
            }
        }
    }

    /// Reads the copy as whoever restores it will.
    private func isSound(_ temporary: String) throws -> Bool {
        let copy = try Connection.open(temporary, timeout: configuration.busyTimeout)
        defer { copy.close() }
        let inspection = Inspection(
            connection: copy, version: Int(try copy.integer("PRAGMA user_version")), location: location,
            configuration: configuration)
        return try FileHeader(of: copy, path: temporary).applicationID == configuration.applicationID
            && inspection.version == version && inspection.damages() == []
    }
}

extension SQLiteError {
    fileprivate static func taken(_ path: String) -> SQLiteError {
        SQLiteError(.cannotCreate, "\(path) is there already, and a backup overwrites nothing. Give another name.")
    }
}
