import CSQLite
import FoyerPlatform

/// How often some bytes were found in a database's files.
public struct FileScan: Sendable, Hashable {
    /// One file, as it was looked through.
    public struct File: Sendable, Hashable {
        /// Its path.
        public let path: String
        /// How many bytes it has.
        public let bytes: Int64
    }

    /// The files that are there: the database, its log, the log's index, a journal.
    public let files: [File]
    /// How often each of the needles was found, in all files together.
    public let hits: [Int]
}

extension Database {
    /// Looks through every byte of the database's files, free room and log included.
    ///
    /// Nothing is opened: the files are read as SQLite has them open, because closing a descriptor of ours would drop
    /// SQLite's locks.
    /// - Parameter needles: the bytes to look for, none of them empty.
    /// - Throws: `SQLiteError` when a file cannot be read, `.closed`.
    public func scan(for needles: [[UInt8]]) async throws(SQLiteError) -> FileScan {
        try await writer.scan(for: needles)
    }

    /// Writes the whole database anew, so that its pages hold nothing but what is in its tables.
    ///
    /// The log holds the new pages until the next checkpoint. It takes time and room in proportion to the file.
    /// - Throws: `SQLiteError`, with `.busy` when another process writes, `.full`, `.closed`.
    public func rewrite() async throws(SQLiteError) {
        try await writer.rewrite()
    }
}

extension Connection {
    /// Looks through the files at `path`, which are this connection's.
    func scan(for needles: [[UInt8]], at path: String) throws(SQLiteError) -> FileScan {
        guard let handle, let main = foyer_sqlite3_main_file(handle) else { throw .closed }
        var search = Search(needles: needles)
        try search.look(through: main, at: path)
        if let log = foyer_sqlite3_log_file(handle) { try search.look(through: log, at: path + "-wal") }
        search.lookThroughIndex(of: handle, at: path + "-shm")
        // With a write-ahead log SQLite has no journal open, so that one may be read like any other file.
        if try FileStatus(path + "-journal") != nil { try search.look(throughClosed: path + "-journal") }
        return FileScan(files: search.files, hits: search.hits)
    }

    func rewrite() throws(SQLiteError) {
        // VACUUM attaches the file that it writes meanwhile.
        let limit = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
        defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, limit) }
        try run("VACUUM")
    }
}

/// A search through one file after the other, a part at a time.
private struct Search {
    private static let part = 1 << 20

    let needles: [[UInt8]]
    private(set) var files: [FileScan.File] = []
    private(set) var hits: [Int]
    /// A needle may begin in one part and end in the next.
    private let overlap: Int

    init(needles: [[UInt8]]) {
        self.needles = needles
        hits = needles.map { _ in 0 }
        overlap = (needles.map(\.count).max() ?? 1) - 1
    }

    mutating func look(through file: UnsafeMutablePointer<sqlite3_file>, at path: String) throws(SQLiteError) {
        var length: Int64 = 0
        try Self.check(foyer_sqlite3_length(file, &length))
        var bytes = [UInt8](repeating: 0, count: Self.part + overlap)
        for offset in stride(from: 0, to: length, by: Self.part) {
            let count = Int(min(Int64(bytes.count), length - offset))
            try Self.check(foyer_sqlite3_read(file, &bytes, Int32(count), offset))
            look(through: bytes[..<count])
        }
        files.append(FileScan.File(path: path, bytes: length))
    }

    mutating func lookThroughIndex(of handle: OpaquePointer, at path: String) {
        let size = Int(FOYER_SQLITE3_INDEX_REGION)
        var all: [UInt8] = [], region = [UInt8](repeating: 0, count: size)
        while foyer_sqlite3_copy_index(handle, Int32(all.count / size), &region) != 0 { all += region }
        guard !all.isEmpty else { return }
        look(through: all[...], isWhole: true)
        files.append(FileScan.File(path: path, bytes: Int64(all.count)))
    }

    mutating func look(throughClosed path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(.ioError, "read", path) }
        defer { close(descriptor) }
        var all: [UInt8] = [], bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count >= 0 else { throw .system(.ioError, "read", path) }
            guard count > 0 else { break }
            all += bytes[..<count]
        }
        look(through: all[...], isWhole: true)
        files.append(FileScan.File(path: path, bytes: Int64(all.count)))
    }

    private mutating func look(through bytes: ArraySlice<UInt8>, isWhole: Bool = false) {
        let starts = isWhole ? bytes.count : Self.part
        for (index, needle) in needles.enumerated() where !needle.isEmpty {
            hits[index] += bytes.withUnsafeBufferPointer { bytes in
                foyer_count(bytes.baseAddress, bytes.count, starts, needle, needle.count)
            }
        }
    }

    private static func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(result: code, of: nil, sql: nil) }
    }
}
