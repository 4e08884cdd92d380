import CSodium
import FoyerModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file that holds the device's key: 32 random bytes, readable by its owner only.
struct KeyFile: Sendable {
    let path: String

    /// The key; nil when there is no such file.
    /// - Throws: `unsafeKeyFile` when the file must not be used as it lies there.
    func load() throws(StoreError) -> DeviceKey? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unsafe(errno == ELOOP ? "it is a link" : message(errno))
        }
        defer { close(descriptor) }
        try check(descriptor)
        return try readKey(from: descriptor)
    }

    private func check(_ descriptor: Int32) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unsafe(message(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unsafe("it is not a regular file") }
        guard status.st_uid == geteuid() else { throw unsafe("it belongs to another user") }
        guard status.st_mode & 0o077 == 0 else { throw unsafe("others may read it; run: chmod 600 '\(path)'") }
        guard status.st_size == DeviceKey.size else { throw unsafe("it is not \(DeviceKey.size) bytes long") }
        if status.st_nlink > 1 { removeAbandoned() }
    }

    private func readKey(from descriptor: Int32) throws(StoreError) -> DeviceKey {
        var bytes = [UInt8](repeating: 0, count: DeviceKey.size)
        defer { sodium_memzero(&bytes, bytes.count) }
        guard read(descriptor, &bytes, bytes.count) == bytes.count else { throw unsafe("it could not be read whole") }
        let key: Result<DeviceKey, StoreError> = bytes.withUnsafeBytes { buffer in
            do throws(StoreError) { return .success(try DeviceKey(copying: buffer)) } catch { return .failure(error) }
        }
        return try key.get()
    }

    /// Makes the file with a fresh key, whole or not at all; a file that another process made meanwhile is kept.
    func create() throws(StoreError) {
        guard sodium_init() >= 0 else { throw StoreError(.failed, "The cryptographic library could not be started.") }
        let folder = parentFolder(of: path)
        try makeFolders(folder)
        removeAbandoned()
        // A name of its own for each maker: two tasks of one process must not write, or remove, each other's file.
        let temporary = "\(path).new-\(FoyerEnvironment.system.makeID())"
        guard let descriptor = LockedFiles.make(temporary) else { throw cannotCreate(message(errno)) }
        var bytes = [UInt8](repeating: 0, count: DeviceKey.size)
        randombytes_buf(&bytes, bytes.count)
        defer {
            sodium_memzero(&bytes, bytes.count)
            unlink(temporary)
            close(descriptor)
        }
        let isWritten =
            fchmod(descriptor, 0o600) == 0 && write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0
        guard isWritten else { throw cannotCreate(message(errno)) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw cannotCreate(message(errno)) }
        synchronize(folder: folder)
    }

    /// What killed makers left: a key that never came into use, or a second name of the one that did.
    private func removeAbandoned() {
        let prefix = "\(path.split(separator: "/").last ?? "").new-"
        // Only what we name so: "key.new-york" is somebody's own file.
        LockedFiles.removeAbandoned(in: parentFolder(of: path)) {
            $0.hasPrefix(prefix) && UUIDv7(String($0.dropFirst(prefix.count))) != nil
        }
    }

    // MARK: Another key in its place

    /// Where the next key lies until the store is tied to it.
    private var next: KeyFile { KeyFile(path: "\(path).next") }

    /// The key of that name, also where a rotation was ended by force before the new key came into its place; another
    /// key where that is all there is.
    func load(named name: String) throws(StoreError) -> DeviceKey? {
        let present = try load()
        if present?.name == name { return present }
        // Under the lock nobody else moves a key: what lies there now is what is moved.
        let lock = open(parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { return present }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0, try next.load()?.name == name else { return try load() }
        guard rename(next.path, path) == 0, fsync(lock) == 0 else { throw cannotCreate(message(errno)) }
        return try load()
    }

    /// A key to be used from now on, on the disk beside the present one; what an interrupted rotation made is taken.
    func makeNext() throws(StoreError) -> DeviceKey {
        try next.create()
        guard let key = try next.load() else { throw cannotCreate("the new key vanished right after it was made") }
        return key
    }

    private func unsafe(_ reason: String) -> StoreError {
        StoreError(.unsafeKeyFile, "The key file \(path) cannot be used: \(reason).")
    }

    private func cannotCreate(_ reason: String) -> StoreError {
        StoreError(.cannotCreate, "The key file \(path) cannot be made: \(reason).")
    }
}

// MARK: - Folders and descriptors

func message(_ error: Int32) -> String {
    String(cString: strerror(error))
}

/// The path from the root down: what is opened later must not depend on the folder that the program is in by then.
func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
}

func parentFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes a folder and what is missing above it, for its owner only.
func makeFolders(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let parent = parentFolder(of: path)
    if errno == ENOENT, parent != path {
        try makeFolders(parent)
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    }
    throw StoreError(.cannotCreate, "The folder \(path) cannot be made: \(message(errno)).")
}

/// Brings a new name in a folder to the disk.
func synchronize(folder path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}
