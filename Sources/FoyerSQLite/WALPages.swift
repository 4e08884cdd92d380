import CSQLite

/// How long the write-ahead log is, as of the last commit of one connection.
final class WALPages {
    /// The number of pages.
    private(set) var count = 0

    /// Takes the place of SQLite's automatic checkpoints, which are PASSIVE and so not safe before 3.51.3.
    func watch(_ database: OpaquePointer) {
        sqlite3_wal_autocheckpoint(database, 0)
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Must come after: automatic checkpoints are a hook, too.
        sqlite3_wal_hook(
            database,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<WALPages>.fromOpaque(context).takeUnretainedValue().count = Int(pages)
                return SQLITE_OK
            }, context)
    }

    /// The log was emptied.
    func reset() { count = 0 }
}
