import FoyerCSodium
import FoyerSQLite

extension Repositories {
    /// The versions of SQLite, of libsodium and of the newest schema that the program knows; no file is opened.
    package static var versions: (sqlite: String, libsodium: String, schema: Int) {
        (sqliteVersion(), String(cString: sodium_version_string()), migrations.map(\.version).max() ?? 0)
    }
}
