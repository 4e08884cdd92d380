import FoyerPlatform

/// What the file system knows of a path; none of it opens the file.
struct FileStatus {
    /// Tells two files apart.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    let identity: Identity
    let mode: mode_t
    let owner: uid_t
    let links: Int
    let size: Int64
    /// When its content, its names or its permissions changed last, since 1970.
    let changed: Duration

    /// The time of day, which `changed` can be compared with.
    static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Duration(time)
    }

    /// Looks at the path itself, not at what a link leads to; `nil` if there is nothing.
    init?(_ path: String) throws(SQLiteError) {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            guard errno != ENOENT && errno != ENOTDIR else { return nil }
            throw .system(.cannotOpen, "look at", path)
        }
        self.init(info)
    }

    /// Looks at what is open; `nil` if it cannot be looked at.
    init?(of descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    private init(_ info: stat) {
        identity = Identity(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino))
        mode = info.st_mode
        owner = info.st_uid
        links = Int(info.st_nlink)
        size = Int64(info.st_size)
        #if canImport(Darwin)
        changed = Duration(info.st_ctimespec)
        #else
        changed = Duration(info.st_ctim)
        #endif
    }

    /// Whether others than its owner may use it.
    var isExposed: Bool { mode & 0o077 != 0 }

    /// A regular file, a folder or a link, in words; `nil` for a regular file.
    var peculiarity: String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}

extension Duration {
    fileprivate init(_ time: timespec) {
        self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

/// The few calls to the file system, with typed errors.
package enum Files {
    /// The absolute path of a folder, without links.
    static func resolve(_ path: String) throws(SQLiteError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw .system(errno == ENOENT ? .notFound : .unsafePath, "resolve the folder", path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes a folder for its owner only, and those above it that are missing.
    ///
    /// When this returns, the name of each new folder is on the disk: without it, nothing in the folder survives a
    /// loss of power.
    package static func makeFolder(_ path: String) throws(SQLiteError) {
        let parent = parentFolder(of: path)
        var isMade = mkdir(path, 0o700) == 0
        if !isMade, errno == ENOENT, parent != path {
            try makeFolder(parent)
            isMade = mkdir(path, 0o700) == 0
        }
        if isMade { return try synchronize(parent) }
        guard errno == EEXIST else { throw .system(.cannotCreate, "make the folder", path) }
    }

    /// The folder in which a path's last name stands.
    package static func parentFolder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes an empty file that only we can read, whatever the umask; fails if there is one.
    static func makeFile(_ path: String) throws(SQLiteError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
            let error = SQLiteError.system(.cannotCreate, "make", path)
            if descriptor >= 0 { close(descriptor) }
            throw error
        }
        close(descriptor)
    }

    /// Writes a file or folder through to the disk. Never for a database file that SQLite may have open.
    package static func synchronize(_ path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.cannotCreate, "open", path) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        // There fsync stops at the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .system(.cannotCreate, "write through", path) }
    }

    /// Gives a file a second name; false if something has that name.
    static func link(_ path: String, as name: String) throws(SQLiteError) -> Bool {
        if linkat(AT_FDCWD, path, AT_FDCWD, name, 0) == 0 { return true }
        guard errno == EEXIST else { throw .system(.cannotCreate, "name", name) }
        return false
    }

    /// Gives a file another name, and takes that name away from the file that had it.
    static func rename(_ path: String, to name: String) throws(SQLiteError) {
        guard renameat(AT_FDCWD, path, AT_FDCWD, name) == 0 else { throw .system(.cannotCreate, "replace", name) }
    }

    /// Removes a file; nothing happens if there is none.
    static func remove(_ path: String) throws(SQLiteError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(.cannotCreate, "remove", path) }
    }

    /// The names in a folder that begin so.
    static func names(in folder: String, beginningWith prefix: String) throws(SQLiteError) -> [String] {
        guard let directory = opendir(folder) else { throw .system(.cannotOpen, "list", folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }
}

extension SQLiteError {
    /// The error for a system call that just failed.
    static func system(_ code: Code, _ verb: String, _ path: String) -> SQLiteError {
        let reason = String(cString: strerror(errno))
        return SQLiteError(code, "Cannot \(verb) \(path): \(reason). Check the path and its permissions.")
    }
}
