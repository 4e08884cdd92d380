import FoyerCSodium
import FoyerSQLite

extension AccountStore {
    /// The versions of SQLite, of libsodium and of the newest schema that the program knows; no file is opened.
    public static var versions: (sqlite: String, libsodium: String, schema: Int) {
        (sqliteVersion(), String(cString: sodium_version_string()), migrations.map(\.version).max() ?? 0)
    }
}
