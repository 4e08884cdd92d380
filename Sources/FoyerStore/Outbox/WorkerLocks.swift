package import FoyerModel
import FoyerPlatform

/// One locked file for each worker that delivers: the kernel frees the lock when the worker dies, however it dies.
struct WorkerLocks: Sendable {
    let folder: String

    /// Whether the worker holds its lock no more.
    func isDead(_ worker: String) -> Bool {
        LockedFiles.removeIfAbandoned(path(of: worker))
    }

    /// Makes the folder for the locks, and removes those of workers that are dead.
    /// - Throws: `unsafePath` when something else lies in its place, such as a link to a folder with other files.
    fileprivate func prepare() throws(StoreError) {
        try makeFolders(folder)
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw StoreError(.unsafePath, "\(folder) is not a folder of your own; move away what lies there.")
        }
        LockedFiles.removeAbandoned(in: folder, where: Self.isName)
    }

    /// A process's number, a hyphen and eight hexadecimal digits: no other file in the folder is ours.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && Int32(parts[0]) != nil && parts[1].count == 8 && parts[1].allSatisfy(\.isHexDigit)
    }

    fileprivate func path(of worker: String) -> String {
        // A name from the database is never followed out of the folder.
        folder + "/" + worker.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "_")
    }
}

/// A worker's locked file.
private final class LockedFile: WorkerLease {
    let worker: WorkerID
    private let path: String
    private let descriptor: Int32

    init(worker: WorkerID, in locks: WorkerLocks) throws(StoreError) {
        try locks.prepare()
        self.worker = worker
        path = locks.path(of: worker.text)
        guard let descriptor = LockedFiles.make(path) else {
            throw StoreError(.cannotCreate, "The file \(path) cannot be made: \(message(errno)).")
        }
        self.descriptor = descriptor
    }

    deinit {
        unlink(path)
        close(descriptor)
    }
}

extension Repositories {
    /// Registers this process, or a part of it, as a worker that may claim submissions.
    /// - Throws: `cannotCreate` when its lock file cannot be made beside the database.
    package func makeWorker() throws(StoreError) -> any WorkerLease {
        let name = "\(getpid())-\(environment.makeID().text.suffix(8))"
        return try LockedFile(worker: WorkerID(name), in: workers)
    }
}
