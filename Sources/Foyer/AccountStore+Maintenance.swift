public import FoyerModel
import FoyerStore

/// What is done with the files of a store that need not be opened, or cannot be.
extension AccountStore {
    /// Checks the database, its key and its queue, and changes nothing.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - keyFile: as in `open`.
    ///   - key: as in `open`; a passphrase is asked for at the end, where the store has a key.
    ///   - progress: told how many checks of how many are made.
    /// - Returns: a finding for each check that could be made; a file that cannot be used ends the checks.
    /// - Throws: `noDatabase`.
    public static func examine(
        at path: String, keyFile: String? = nil, key: KeySource? = nil,
        progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) -> [Finding] {
        try await Repositories.examine(
            at: path, key: try Locations.key(key, inFile: keyFile), progress: progress)
    }

    /// Copies the database, as it is at one moment, into a new file that only its owner can use.
    ///
    /// The key is not in it. Others may use the store meanwhile; the copy is checked before it gets its name.
    /// - Parameters:
    ///   - path: the database file.
    ///   - copy: the new file; its name must be free.
    ///   - progress: told how many pages of how many are copied.
    /// - Throws: `noDatabase`, `cannotCreate` where the name is taken, `corrupt`, `diskFull`.
    public static func backUp(
        at path: String, to copy: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) {
        try await Repositories.backUp(at: path, to: copy, progress: progress)
    }

    /// Puts a backup in the place of the database, or where there is none.
    ///
    /// The backup is checked first, and one of an older schema is brought up to date. Killed at any moment, the database
    /// is whole: the earlier one, or the restored one. What waits in the backup may have been delivered since: it is
    /// sent again under the same idempotency keys, and the server answers as it did then, for as long as it remembers
    /// them. The key, and the file of the mock network, are not part of a backup.
    /// - Parameters:
    ///   - backup: what `backUp` made.
    ///   - path: the database file; what it held is lost.
    ///   - progress: told how many pages of how many are copied.
    /// - Throws: `databaseInUse` while anybody has the database open, also this process; `noDatabase`, `corrupt`,
    ///   `foreignDatabase`, `foreignSchema` or `newerSchema` when the backup cannot be used, or the file at `path` is no
    ///   database of Foyer; `cannotCreate`, `diskFull`.
    public static func restore(
        _ backup: String, to path: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) {
        try await Repositories.restore(backup, to: path, progress: progress)
    }

    /// Counts what a database or a backup holds, and changes nothing.
    /// - Throws: `StoreError`, such as `noDatabase`.
    package static func contents(at path: String) async throws(StoreError) -> StoreContents {
        try await Repositories.contents(at: path)
    }

    /// The versions of what the program was put together from; no file is opened.
    public static var versions: (sqlite: String, libsodium: String, schema: Int) {
        Repositories.versions
    }

    /// Brings the schema up to date, as `open` does, too.
    /// - Parameters:
    ///   - path: the database file.
    ///   - progress: told how many migrations of how many are applied.
    /// - Returns: the version of the schema before and after.
    /// - Throws: `StoreError`, such as `noDatabase`, `newerSchema`, `foreignSchema`.
    public static func migrate(
        at path: String, progress: @escaping ProgressReport = { _, _ in }
    ) async throws(StoreError) -> (from: Int, to: Int) {
        try await Repositories.migrate(at: path, progress: progress)
    }
}
