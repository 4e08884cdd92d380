import Synchronization

/// Tells whether the files of an open database are still those of their names, with what was written into them.
///
/// What is written to a file that has lost its name is lost with it.
final class FileWatch: Sendable {
    let location: Location
    private let names: FileNames
    private let overwrites: Mutex<OverwriteWatch>

    /// Notes what an open connection has in front of it.
    /// - Throws: `.databaseGone` when the database is not the file that the connection has open.
    init(_ connection: Connection, at location: Location) throws(SQLiteError) {
        self.location = location
        names = try FileNames(of: connection, at: location)
        overwrites = Mutex(OverwriteWatch(try OverwriteWatch.Look(at: connection)))
    }

    /// Looks again, through any connection to the file; takes about two microseconds.
    /// - Throws: `.databaseGone`, also for ever after the file was overwritten; `.unsafePath` when it has a second name.
    func check(_ connection: Connection) throws(SQLiteError) {
        try names.check()
        guard let look = try OverwriteWatch.Look(at: connection) else { return }
        guard overwrites.withLock({ $0.accepts(look) }) else { throw .overwritten(location.path) }
    }

    /// Makes sure that the names lead to the same files as in the beginning.
    func checkNames() throws(SQLiteError) { try names.check() }
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
