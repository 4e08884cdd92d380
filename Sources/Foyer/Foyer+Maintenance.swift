public import FoyerModel
import FoyerStore

/// What is done with the files of a store that need not be opened, or cannot be.
extension Foyer {
    /// Checks the database, its key and its queue, and changes nothing.
    ///
    /// - Parameter keyFile: as in `open`.
    /// - Returns: a finding for each check that could be made; a file that cannot be used ends the checks.
    /// - Throws: `noDatabase`.
    public static func examine(at path: String, keyFile: String? = nil) async throws(StoreError) -> [Finding] {
        let key = if let keyFile { keyFile } else { try Locations.defaultKeyFile() }
        return try await AccountStore.examine(at: path, keyFile: key)
    }

    /// Copies the database, as it is at one moment, into a new file that only its owner can use.
    ///
    /// The key is not in it. Others may use the store meanwhile; the copy is checked before it gets its name.
    /// - Throws: `noDatabase`, `cannotCreate` where the name is taken, `corrupt`, `diskFull`.
    public static func backUp(at path: String, to copy: String) async throws(StoreError) {
        try await AccountStore.backUp(at: path, to: copy)
    }

    /// Brings the schema up to date, as `open` does, too.
    /// - Returns: the version of the schema before and after.
    /// - Throws: `StoreError`, such as `noDatabase`, `newerSchema`, `foreignSchema`.
    public static func migrate(at path: String) async throws(StoreError) -> (from: Int, to: Int) {
        try await AccountStore.migrate(at: path)
    }
}
