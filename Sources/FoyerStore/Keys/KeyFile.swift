import FoyerCSodium
import FoyerModel
import FoyerPlatform
import FoyerSQLite

/// A file with a key, bare or sealed, that only its owner can use; it is read and made whole or not at all.
struct KeyFile: Sendable {
    let path: String
    /// How long it has to be: 32 bytes for the key itself.
    var size = DeviceKey.size
    /// Whether systemd has put it there: it may belong to root then, and be readable for a group that is ours alone.
    var isCredential = false

    /// What `decode` makes of the file; nil when there is no such file.
    /// - Throws: `unsafeKeyFile` when the file must not be used as it lies there; and what `decode` throws.
    func read<Value>(
        _ decode: (UnsafeRawBufferPointer) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unsafe(errno == ELOOP ? "it is a link" : message(errno))
        }
        defer { close(descriptor) }
        try check(descriptor)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer {
            sodium_memzero(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
        guard readWhole(descriptor, into: buffer) else { throw unsafe("it could not be read whole") }
        return try decode(UnsafeRawBufferPointer(buffer))
    }

    private func check(_ descriptor: Int32) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unsafe(message(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unsafe("it is not a regular file") }
        let isRoots = isCredential && status.st_uid == 0
        guard status.st_uid == geteuid() || isRoots else { throw unsafe("it belongs to another user") }
        // The access list that lets a service read root's file shows as rights of the group.
        guard status.st_mode & (isRoots ? 0o037 : 0o077) == 0 else {
            throw unsafe("others may read it; run: chmod 600 '\(path)'")
        }
        guard status.st_size == size else { throw unsafe("it is not \(size) bytes long") }
        guard isCredential || status.st_nlink == 1 || isAloneInTheEnd(descriptor) else {
            throw unsafe("it has a second name (a hard link); remove one of them")
        }
    }

    /// Whether the second name of the file is one of a maker, who is killed or about to take it away.
    private func isAloneInTheEnd(_ descriptor: Int32) -> Bool {
        removeAbandoned()
        // A maker holds the file's lock for as long as it has two names.
        guard flock(descriptor, LOCK_EX) == 0 else { return false }
        defer { flock(descriptor, LOCK_UN) }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 1
    }

    /// Makes the file, whole or not at all; one that another process made meanwhile is kept.
    func make(of bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let folder = Files.parentFolder(of: path)
        try makeFolders(folder)
        removeAbandoned()
        let temporary = try write(bytes)
        defer { temporary.remove() }
        guard link(temporary.path, path) == 0 || errno == EEXIST else { throw cannotCreate(message(errno)) }
        do { try Files.synchronize(folder) } catch { throw cannotCreate(error.message) }
    }

    /// A file beside this one that has no name of its own yet, locked by its maker.
    private struct Temporary {
        let path: String
        let descriptor: Int32

        func remove() {
            unlink(path)
            close(descriptor)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Temporary {
        // A name of its own for each maker: two tasks of one process must not write, or remove, each other's file.
        let path = "\(path).new-\(FoyerEnvironment.system.makeID())"
        guard let descriptor = LockedFiles.make(path) else { throw cannotCreate(message(errno)) }
        let temporary = Temporary(path: path, descriptor: descriptor)
        guard fchmod(descriptor, 0o600) == 0, writeWhole(descriptor, bytes), fsync(descriptor) == 0 else {
            let error = cannotCreate(message(errno))
            temporary.remove()
            throw error
        }
        return temporary
    }

    /// What killed makers left: a key that never came into use, or a second name of the one that did.
    private func removeAbandoned() {
        let prefix = "\(path.split(separator: "/").last ?? "").new-"
        // Only what we name so: "key.new-york" is somebody's own file.
        LockedFiles.removeAbandoned(in: Files.parentFolder(of: path)) {
            $0.hasPrefix(prefix) && UUIDv7(String($0.dropFirst(prefix.count))) != nil
        }
    }

    // MARK: Another key in its place

    /// Where the next key lies until the store is tied to it.
    var next: KeyFile { KeyFile(path: "\(path).next", size: size) }

    /// What `decode` makes of the key that is wanted, also where a rotation was ended by force before the new key came
    /// into its place; of another key where that is all there is.
    func read<Value>(
        where isWanted: (Value) -> Bool, _ decode: (UnsafeRawBufferPointer) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let present = try read(decode)
        if let present, isWanted(present) { return present }
        // Under the lock nobody else moves a key: what lies there now is what is moved.
        let lock = open(Files.parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { return present }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0, let waiting = try next.read(decode), isWanted(waiting) else {
            return try read(decode)
        }
        guard rename(next.path, path) == 0, fsync(lock) == 0 else { throw cannotCreate(message(errno)) }
        return try read(decode)
    }

    private func unsafe(_ reason: String) -> StoreError {
        StoreError(.unsafeKeyFile, "The key file \(path) cannot be used: \(reason).")
    }

    func cannotCreate(_ reason: String) -> StoreError {
        StoreError(.cannotCreate, "The key file \(path) cannot be made: \(reason).")
    }
}

/// The key itself, in a file.
extension KeyFile: KeyProvider {
    var title: String { "key file \(path)" }
    var file: String? { path }

    /// The key; nil when there is no such file.
    func load() throws(StoreError) -> DeviceKey? { try read(DeviceKey.init(copying:)) }

    func state(of name: String?) throws(StoreError) -> KeyState {
        let key = try read(where: { name == nil || $0.name == name }, DeviceKey.init(copying:))
        return key.map(KeyState.available) ?? .absent
    }

    func create() throws(StoreError) {
        try DeviceKey.random().withBytes { (bytes) throws(StoreError) in
            try make(of: UnsafeRawBufferPointer(start: bytes, count: DeviceKey.size))
        }
    }

    func makeNext() throws(StoreError) -> DeviceKey {
        // What an interrupted rotation made is taken.
        try next.create()
        guard let key = try next.load() else { throw cannotCreate("the new key vanished right after it was made") }
        return key
    }
}

// MARK: - Folders and descriptors

private func readWhole(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    read(descriptor, buffer.baseAddress, buffer.count) == buffer.count
}

private func writeWhole(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
}

func message(_ error: Int32) -> String {
    String(cString: strerror(error))
}

/// The path from the root down: what is opened later must not depend on the folder that the program is in by then.
func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
}

/// Makes a folder and what is missing above it, for its owner only; the new names are on the disk when this returns.
func makeFolders(_ path: String) throws(StoreError) {
    do { try Files.makeFolder(path) } catch { throw StoreError(error) }
}
