// FoyerSQLite would do, but a dependent would then compile the engine twice: once for the build tool, once for the app.
import CSQLite
import Foundation

/// Runs migrations on an empty database in memory and gives the rows of its `sqlite_schema`, as elements of an array
/// in Swift. A migration that does not run is an error of the build.
func schemaRows(after migrations: [(file: URL, sql: String)]) -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(":memory:", &database) == SQLITE_OK else { fail("SQLite opens no database in memory") }
    func check(_ code: Int32, _ file: URL?) {
        guard code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE else { return }
        fail("\(file?.path(percentEncoded: false) ?? "sqlite_schema"): \(String(cString: sqlite3_errmsg(database)))")
    }
    check(sqlite3_exec(database, "PRAGMA foreign_keys = ON", nil, nil, nil), nil)
    for (file, sql) in migrations {
        check(sqlite3_exec(database, "BEGIN;\n\(sql)\n;COMMIT", nil, nil, nil), file)
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name, tbl_name, sql"
    check(sqlite3_prepare_v2(database, query, -1, &statement, nil), nil)
    var rows: [String] = []
    while true {
        let code = sqlite3_step(statement)
        check(code, nil)
        guard code == SQLITE_ROW else { return rows }
        let columns = (0..<4).map { column in
            sqlite3_column_text(statement, column).map { literal(String(cString: $0)) } ?? "nil"
        }
        rows.append("        (\(columns.joined(separator: ", "))),")
    }
}
