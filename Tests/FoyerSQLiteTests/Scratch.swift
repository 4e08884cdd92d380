#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Testing

@testable import FoyerSQLite

/// A folder of the test's own, removed with what is in it.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        var template = Array("/tmp/foyer-sqlite-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer {
            mkdtemp($0.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
        }
        try #require(made != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(folder) }

    var path: String { folder + "/a.db" }

    static func remove(_ path: String) {
        guard let status = try? FileStatus(path) else { return }
        if status.mode & S_IFMT == S_IFDIR {
            for name in (try? Files.names(in: path, beginningWith: "")) ?? [] where name != "." && name != ".." {
                remove("\(path)/\(name)")
            }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Everything in the folder.
    func names() throws -> [String] {
        try Files.names(in: folder, beginningWith: "").filter { $0 != "." && $0 != ".." }.sorted()
    }

    func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(bytes)
        try #require(bytes.isEmpty || posixWrite(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// The bytes of a file that SQLite does not have open in this process.
    func bytes(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return all }
            all += buffer[..<count]
        }
    }

    func modified(_ path: String) throws -> [Int] {
        var info = stat()
        try #require(lstat(path, &info) == 0)
        #if canImport(Darwin)
        return [Int(info.st_mtimespec.tv_sec), Int(info.st_mtimespec.tv_nsec)]
        #else
        return [Int(info.st_mtim.tv_sec), Int(info.st_mtim.tv_nsec)]
        #endif
    }
}

/// Inside `Scratch` the name means its own method.
private func posixWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int { write(descriptor, bytes, count) }

/// A small schema.
let notes = Migration(
    version: 1, name: "notes",
    sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT;")
let tags = Migration(
    version: 2, name: "tags",
    sql: "CREATE TABLE tags (note INTEGER NOT NULL REFERENCES notes (id), name TEXT NOT NULL) STRICT;")

func configuration(_ path: String, _ migrations: [Migration] = [notes]) -> Database.Configuration {
    Database.Configuration(path: path, applicationID: 0x466f_7965, migrations: migrations)
}

func opened(_ scratch: Scratch, _ migrations: [Migration] = [notes]) async throws -> Database {
    try await Database.open(configuration(scratch.path, migrations))
}

/// A connection beside the database, as another process has one.
func stranger(_ path: String, timeout: Duration = .milliseconds(20)) throws -> Connection {
    let connection = try Connection.open(path, timeout: timeout)
    try connection.applyProfile()
    return connection
}

func count(_ db: Connection) throws -> Int {
    Int(try db.first("SELECT count(*) FROM notes") { try $0.integer(0) } ?? -1)
}

/// The code of the error that the closure throws.
func code(_ body: () async throws -> Void) async -> SQLiteError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? SQLiteError)?.code
    }
}
