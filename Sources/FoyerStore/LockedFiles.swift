import FoyerPlatform

/// Files that are locked by whoever made them: the kernel frees the lock when that process dies, however it dies.
enum LockedFiles {
    /// Makes a file for its owner only and locks it; nil, with `errno`, when it cannot be made.
    static func make(_ path: String) -> Int32? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            var status = stat()
            if flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                return descriptor
            }
            // Somebody took it for abandoned before it was locked.
            close(descriptor)
        }
    }

    /// Whether nobody holds the file any more, which is then removed.
    static func removeIfAbandoned(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        unlink(path)
        return true
    }

    /// Removes the files in a folder whose makers are dead.
    static func removeAbandoned(in folder: String, where isOurs: (String) -> Bool) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != "..", isOurs(name) { _ = removeIfAbandoned("\(folder)/\(name)") }
        }
    }
}
