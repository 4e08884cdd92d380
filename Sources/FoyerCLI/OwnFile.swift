import Foyer
import FoyerPlatform

/// A file that only its owner can have changed or read: it is ours or root's, and nobody else has the forbidden rights.
struct OwnFile: ~Copyable {
    private let descriptor: Int32

    /// Opens it for reading; nil where there is none.
    ///
    /// What was opened is looked at, not its name: a link or a pipe of the shell is as good as a file.
    /// - Parameters:
    ///   - rights: the permission bits that nobody may have.
    ///   - exit: how the program ends where the file cannot be used.
    init?(_ path: String, forbidding rights: mode_t, exit: ExitCode) throws(Failure) {
        // Not blocking: a pipe that nobody writes to would be waited for in vain.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            let reason = String(cString: strerror(errno))
            throw Failure(code: "io_error", message: "\(path) cannot be read: \(reason).", exit: exit)
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let kind = status.st_mode & S_IFMT
        guard isKnown, kind == S_IFREG || kind == S_IFIFO else {
            close(descriptor)
            throw Failure(code: "io_error", message: "\(path) is no file.", exit: exit)
        }
        guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & rights == 0 else {
            close(descriptor)
            throw Failure(
                code: "unsafe_permissions",
                message: "\(path) is not used, because others could \(rights & 0o044 == 0 ? "change" : "read") it: "
                    + "it has to be yours, with `chmod \(rights & 0o044 == 0 ? "go-w" : "600") \(path)`.",
                exit: .configuration)
        }
        if kind == S_IFIFO { _ = fcntl(descriptor, F_SETFL, 0) }
    }

    deinit {
        close(descriptor)
    }

    /// Its first bytes, in memory that is overwritten afterwards.
    func read(upTo limit: Int) -> Secret {
        Secret(
            SecretBytes(zeros: limit) { memory in
                var count = 0
                while count < limit {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[count...])
                    let more = systemRead(descriptor, rest)
                    if more < 0, errno == EINTR { continue }
                    if more <= 0 { break }
                    count += more
                }
                return count
            })
    }
}

/// `read(2)`, by a name that no method hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, bytes.baseAddress, bytes.count)
}
