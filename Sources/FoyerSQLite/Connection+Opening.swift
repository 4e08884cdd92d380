import CSQLite

extension Connection {
    /// Opens an existing file without running any SQL on it.
    static func open(_ path: String, timeout: Duration) throws(SQLiteError) -> Connection {
        var handle: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
            | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            guard code != (SQLITE_CANTOPEN | (6 << 8)) else {
                throw SQLiteError(.unsafePath, "\(path) leads through a symbolic link. Name the file itself.")
            }
            let error = SQLiteError(result: code, of: handle, sql: nil)
            throw SQLiteError(error.code, "\(path): \(error.message)")
        }
        let connection = Connection(handle: handle, busyHandler: BusyHandler(timeout: timeout))
        connection.busyHandler.install(on: handle)
        connection.walPages.watch(handle)
        try connection.harden()
        return connection
    }

    /// An empty database that lies in no file.
    package static func openInMemory() throws(SQLiteError) -> Connection {
        let connection = try open(":memory:", timeout: .zero)
        try connection.allowTriggers(true)
        try connection.allowViews(true)
        return connection
    }

    /// Closes what a hostile file could use, its triggers and views among it. Touches no file.
    private func harden() throws(SQLiteError) {
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
        try configure(SQLITE_DBCONFIG_DQS_DML, false)
        try configure(SQLITE_DBCONFIG_DQS_DDL, false)
        try configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try configure(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false)
        try allowTriggers(false)
        try allowViews(false)
        for (limit, value) in Self.limits { sqlite3_limit(handle, limit, value) }
    }

    /// More than anything of ours needs, and far less than a planted value or statement could take.
    private static let limits: [(limit: Int32, value: Int32)] = [
        (SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 16), (SQLITE_LIMIT_COLUMN, 64),
        (SQLITE_LIMIT_EXPR_DEPTH, 64), (SQLITE_LIMIT_COMPOUND_SELECT, 4), (SQLITE_LIMIT_VDBE_OP, 25_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 64), (SQLITE_LIMIT_TRIGGER_DEPTH, 4), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Whether the triggers that stand in the file act.
    func allowTriggers(_ allowed: Bool) throws(SQLiteError) { try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, allowed) }

    /// Whether the views that stand in the file can be read.
    func allowViews(_ allowed: Bool) throws(SQLiteError) { try configure(SQLITE_DBCONFIG_ENABLE_VIEW, allowed) }

    /// Whether closing the last connection may write the log back into the file.
    func allowCheckpointOnClose(_ allowed: Bool) throws(SQLiteError) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !allowed)
    }

    private func configure(_ option: Int32, _ on: Bool) throws(SQLiteError) {
        let code = foyer_sqlite3_db_config(handle, option, on ? 1 : 0)
        guard code == SQLITE_OK else { throw SQLiteError(result: code, of: handle, sql: nil) }
    }

    /// What each connection needs, whatever SQLite was built with.
    ///
    /// The inner pages of a million rows stay in eight megabytes; SQLite's usual two would read them again and again.
    /// `fullfsync` matters on Apple's systems alone, where a plain fsync stops at the drive's cache.
    func applyProfile() throws(SQLiteError) {
        try script(
            """
            PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -8192; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON
            """)
    }

    /// Makes sure that the file has a write-ahead log.
    func useWriteAheadLog() throws(SQLiteError) {
        let mode: String?
        do {
            mode = try first("PRAGMA journal_mode = WAL") { try $0.text(0) }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(.error, "\(error)")
        }
        guard mode == "wal" else {
            throw SQLiteError(
                .cannotOpen, "The file system cannot share memory between processes. Move the database to a local disk."
            )
        }
    }
}
