import FoyerPlatform

/// Where a database is: a folder without links in it, and a name.
struct Location: Sendable {
    let folder: String
    let name: String

    var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    var lockPath: String { "\(path).lock" }
    /// What a database in the making is called in one process.
    func temporaryPath(process: Int32) -> String { "\(path).new-\(process)" }

    /// The paths of all databases in the making, and of SQLite's files beside them.
    func temporaries() throws(SQLiteError) -> [String] {
        let prefix = "\(name).new-"
        return try Files.names(in: folder, beginningWith: prefix).filter { name in
            // Only what we name so: "accounts.new-york" is somebody's own file.
            let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
            guard let process = parts.first, Int32(process) != nil else { return false }
            return parts.count == 1 || parts.count == 2 && ["wal", "shm", "journal"].contains(parts[1])
        }.map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
    }

    /// Removes what killed makers left: whoever has our lock is the only one alive.
    func removeTemporaries() throws(SQLiteError) {
        for path in try temporaries() { try Files.remove(path) }
    }

    /// Checks the path and resolves its folder, which is made if asked.
    init(_ path: String, makingFolder: Bool) throws(SQLiteError) {
        // SQLite of Debian takes "file:" for a URI with options; a NUL would end the path early.
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasPrefix("file:") else {
            throw SQLiteError(.unsafePath, "The path is empty, is a URI or has a NUL in it. Give a plain path.")
        }
        let slash = path.lastIndex(of: "/")
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty, name != ".", name != ".." else {
            throw SQLiteError(.unsafePath, "\(path) names a folder. Give the path of a file.")
        }
        let parent = Files.parentFolder(of: path)
        if makingFolder { try Files.makeFolder(parent) }
        folder = try Files.resolve(parent)
        try Self.checkFolder(folder)
    }

    /// Whoever owns or can write the folder could put another file in the database's place.
    private static func checkFolder(_ folder: String) throws(SQLiteError) {
        guard let status = try FileStatus(folder), status.mode & S_IFMT == S_IFDIR else {
            throw SQLiteError(.unsafePath, "\(folder) is not a folder. Name one.")
        }
        guard status.owner == geteuid() || status.owner == 0 else {
            throw SQLiteError(.unsafePath, "\(folder) belongs to another user. Use a folder of your own.")
        }
        guard status.mode & S_IWOTH == 0 || status.mode & S_ISVTX != 0 else {
            throw SQLiteError(.unsafePath, "Everybody can write to \(folder). Run: chmod o-w '\(folder)'")
        }
    }

    /// The file, checked as far as that goes without opening it; `nil` if there is none.
    func existingFile() throws(SQLiteError) -> FileStatus.Identity? {
        guard let status = try regularFile() else { return nil }
        try checkPermissions(of: status)
        guard status.size > 0 else { throw .emptyFile(path) }
        if status.links > 1 {
            try removeSecondName(of: status.identity)
            // Looked at again, because its maker may have removed that name meanwhile.
            guard let status = try regularFile() else { return nil }
            guard status.links == 1 else {
                throw .secondName(path)
            }
        }
        return status.identity
    }

    /// A log without its database would be played into the new one, page by page.
    func refuseOrphans() throws(SQLiteError) {
        for suffix in ["-wal", "-journal"] {
            guard let status = try FileStatus(path + suffix), status.size > 0 else { continue }
            throw SQLiteError(
                .cannotCreate,
                "\(path)\(suffix) is there without its database. Bring the database back, or move that away.")
        }
    }

    private func checkPermissions(of status: FileStatus) throws(SQLiteError) {
        guard status.owner == geteuid() else {
            throw SQLiteError(.unsafePermissions, "\(path) belongs to another user. Use a file of your own.")
        }
        guard !status.isExposed else {
            throw SQLiteError(.unsafePermissions, "Others may use \(path). Run: chmod 600 '\(path)'")
        }
    }

    private func regularFile() throws(SQLiteError) -> FileStatus? {
        guard let status = try FileStatus(path) else { return nil }
        guard let peculiarity = status.peculiarity else { return status }
        throw SQLiteError(.unsafePath, "\(path) is \(peculiarity). Name a regular file.")
    }

    /// Its maker was killed after naming it and before removing the temporary name.
    private func removeSecondName(of identity: FileStatus.Identity) throws(SQLiteError) {
        for path in try temporaries() where try FileStatus(path)?.identity == identity {
            try Files.remove(path)
        }
    }
}
