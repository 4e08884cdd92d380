import CSQLite

/// The version of SQLite that the program runs with, such as `3.40.1`.
public func sqliteVersion() -> String { String(cString: sqlite3_libversion()) }
