import FoyerPlatform

/// A lock of ours beside the database, for what must happen in one process at a time: creating it, and checkpoints.
///
/// The kernel frees it when the process dies. The file stays: removing it would let two processes lock two files.
final class FileLock {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { release(descriptor) }

    /// Takes the lock, or returns `nil` if somebody else has it.
    static func take(_ path: String) throws(SQLiteError) -> FileLock? {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw .system(errno == ELOOP ? .unsafePath : .cannotCreate, "open the lock file", path)
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
        let isTaken = errno == EWOULDBLOCK || errno == EINTR
        let error = SQLiteError.system(.ioError, "lock", path)
        release(descriptor)
        guard isTaken else { throw error }
        return nil
    }
}

private func release(_ descriptor: Int32) { close(descriptor) }
