import FoyerPlatform
import Synchronization

/// Tells whether the files of an open database are still those of their names, with what was written into them.
///
/// What is written to a file that has lost its name is lost with it.
final class FileWatch: Sendable {
    /// How often the names are looked up also where their folder has not changed: a second name in another folder shows
    /// only there.
    private static let longestTrust = Duration.milliseconds(100)

    let location: Location
    private let folder: WatchedFolder
    private let names: FileNames
    private let seen: Mutex<Seen>

    /// What the last looks have found.
    private struct Seen {
        var overwrites: OverwriteWatch
        /// When the folder had changed last while all names in it still led to the same files.
        var folderChange: Duration?
        /// When the names were looked up.
        var lookup = Duration.zero
    }

    /// Notes what an open connection has in front of it.
    /// - Throws: `.databaseGone` when the database is not the file that the connection has open.
    init(_ connection: Connection, at location: Location) throws(SQLiteError) {
        self.location = location
        folder = try WatchedFolder(location.folder)
        names = try FileNames(of: connection, at: location)
        seen = Mutex(Seen(overwrites: OverwriteWatch(try OverwriteWatch.Look(at: connection))))
    }

    /// Looks again, through any connection to the file: at the time of the folder's last change, and at the database's
    /// header.
    /// - Throws: `.databaseGone`, also for ever after the file was overwritten; `.unsafePath` when it has a second name.
    func check(_ connection: Connection) throws(SQLiteError) {
        let change = folder.lastChange(), now = FileStatus.now()
        let isKnown = seen.withLock { seen in
            let age = now - seen.lookup
            return change != nil && change == seen.folderChange && age >= .zero && age < Self.longestTrust
        }
        if !isKnown {
            try names.check()
            // Two changes in one tick of the file system's clock have one time.
            let isSettled = change.map { now - $0 > .milliseconds(50) } ?? false
            seen.withLock { ($0.folderChange, $0.lookup) = (isSettled ? change : nil, now) }
        }
        guard let look = try OverwriteWatch.Look(at: connection) else { return }
        guard seen.withLock({ $0.overwrites.accepts(look) }) else { throw .overwritten(location.path) }
    }

    /// Makes sure that the names lead to the same files as in the beginning.
    func checkNames() throws(SQLiteError) { try names.check() }
}

/// An open folder, which tells when something in it was made, renamed or removed, or when it was itself.
private final class WatchedFolder: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(SQLiteError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.cannotOpen, "open", path) }
    }

    deinit { close(descriptor) }

    func lastChange() -> Duration? { FileStatus(of: descriptor)?.changed }
}

/// The files of an open database by their names: the database, its log and the log's index.
private struct FileNames: Sendable {
    private let files: [(path: String, identity: FileStatus.Identity)]

    /// Notes which files the names of an open connection lead to.
    init(of connection: Connection, at location: Location) throws(SQLiteError) {
        var files: [(path: String, identity: FileStatus.Identity)] = []
        for path in [location.path, location.path + "-wal", location.path + "-shm"] {
            guard let status = try FileStatus(path) else { throw .gone(path) }
            files.append((path, status.identity))
        }
        self.files = files
        guard try connection.isNamed(location.path, files[0].identity) else { throw .gone(location.path) }
    }

    func check() throws(SQLiteError) {
        for (index, file) in files.enumerated() {
            guard let status = try FileStatus(file.path), status.identity == file.identity else {
                throw .gone(file.path)
            }
            guard index > 0 || status.size > 0 else { throw .overwritten(file.path) }
            guard index > 0 || status.links == 1 else { throw .secondName(file.path) }
        }
    }
}

extension SQLiteError {
    static func gone(_ path: String) -> SQLiteError {
        SQLiteError(
            .databaseGone,
            "\(path) is no longer the file that this program has open: it was moved, deleted or replaced. "
                + "Nothing can be saved. Bring it back and try again, or start anew with what is there now.")
    }

    static func overwritten(_ path: String) -> SQLiteError {
        SQLiteError(
            .databaseGone,
            "Another program has overwritten \(path) while this one had it open. Nothing can be saved. "
                + "End all programs that use it, and restore a backup.")
    }

    static func secondName(_ path: String) -> SQLiteError {
        SQLiteError(
            .unsafePath,
            "\(path) has a second name (hard link), and SQLite would keep a log for each. Remove one of them.")
    }
}
