import FoyerPlatform
import Synchronization

/// Tells whether the files of an open database are still those of their names, with what was written into them.
///
/// What is written to a file that has lost its name is lost with it.
final class FileWatch: Sendable {
    let location: Location
    private let names: FileNames
    private let seen: Mutex<Seen>

    /// What earlier looks have found.
    private struct Seen {
        var overwrites: OverwriteWatch
        /// When the folder had changed last, and all names in it still led to the same files.
        var folder = Settled()
        /// When the database had changed last, and was not overwritten.
        var database = Settled()
    }

    /// Notes what an open connection has in front of it.
    /// - Throws: `.databaseGone` when the database is not the file that the connection has open.
    init(_ connection: Connection, at location: Location) throws(SQLiteError) {
        self.location = location
        names = try FileNames(of: connection, at: location)
        seen = Mutex(Seen(overwrites: OverwriteWatch(try OverwriteWatch.Look(at: connection))))
    }

    /// Looks again, through any connection to the file.
    ///
    /// Two calls of `lstat` where neither the folder nor the database has changed since.
    /// - Throws: `.databaseGone`, also for ever after the file was overwritten; `.unsafePath` when it has a second name.
    func check(_ connection: Connection) throws(SQLiteError) {
        // Before the look at the file: a checkpoint that ends in between shows in its time, not in these marks.
        let marks = CheckpointMarks(of: connection)
        let database = try names.checkDatabase(), folder = try FileStatus(location.folder)
        let (hasNames, isWhole) = seen.withLock { seen in
            let isWhole = seen.database.covers(database)
            if isWhole, let marks, marks.isAtRest { seen.overwrites.headerIsTheSame(at: marks) }
            return (seen.folder.covers(folder), isWhole)
        }
        if !hasNames {
            try names.checkCompanions()
            seen.withLock { $0.folder = Settled(folder) }
        }
        guard !isWhole, let look = try OverwriteWatch.Look(at: connection) else { return }
        let isAccepted = seen.withLock { seen in
            guard seen.overwrites.accepts(look) else { return false }
            seen.database = Settled(database)
            return true
        }
        guard isAccepted else { throw .overwritten(location.path) }
    }

    /// Makes sure that the names lead to the same files as in the beginning.
    func checkNames() throws(SQLiteError) {
        _ = try names.checkDatabase()
        try names.checkCompanions()
    }
}

/// A file or folder as it was found, if that was so long after its last change that another change shows.
private struct Settled {
    /// File systems count in steps of up to ten milliseconds.
    private static let shortestAge = Duration.milliseconds(50)

    private var found: (identity: FileStatus.Identity, changed: Duration)?

    init() {}

    init(_ status: FileStatus?) {
        guard let status, FileStatus.now() - status.changed > Self.shortestAge else { return }
        found = (status.identity, status.changed)
    }

    /// Whether it has not changed since.
    func covers(_ status: FileStatus?) -> Bool {
        guard let found, let status else { return false }
        return found == (status.identity, status.changed)
    }
}

/// The files of an open database by their names: the database, its log and the log's index.
private struct FileNames: Sendable {
    private typealias File = (path: String, identity: FileStatus.Identity)

    private let database: File
    private let companions: [File]

    /// Notes which files the names of an open connection lead to.
    init(of connection: Connection, at location: Location) throws(SQLiteError) {
        func file(_ path: String) throws(SQLiteError) -> File {
            guard let status = try FileStatus(path) else { throw .gone(path) }
            return (path, status.identity)
        }
        database = try file(location.path)
        companions = [try file(location.path + "-wal"), try file(location.path + "-shm")]
        guard try connection.isNamed(location.path, database.identity) else { throw .gone(location.path) }
    }

    func checkDatabase() throws(SQLiteError) -> FileStatus {
        guard let status = try FileStatus(database.path), status.identity == database.identity else {
            throw .gone(database.path)
        }
        guard status.size > 0 else { throw .overwritten(database.path) }
        guard status.links == 1 else { throw .secondName(database.path) }
        return status
    }

    func checkCompanions() throws(SQLiteError) {
        for file in companions where try FileStatus(file.path)?.identity != file.identity { throw .gone(file.path) }
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
