#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Testing

@testable import FoyerSQLite

@Suite struct OpeningTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func refusal(_ path: String) async -> SQLiteError.Code? {
        await code { _ = try await Database.open(configuration(path)) }
    }

    @Test("A missing file is not found unless it may be made")
    func missing() async throws {
        var configuration = configuration(scratch.path)
        configuration.createIfMissing = false
        #expect(await code { _ = try await Database.open(configuration) } == .notFound)
        configuration.path = scratch.folder + "/no/a.db"
        #expect(await code { _ = try await Database.open(configuration) } == .notFound)
        #expect(try scratch.names() == [])
    }

    @Test("Every connection writes through to the medium, also where a plain fsync stops at the drive's cache")
    func writesThrough() async throws {
        let database = try await Database.open(configuration(scratch.path))
        @Sendable func settings(_ db: Connection) throws -> [Int64?] {
            [
                try db.first("PRAGMA fullfsync") { try $0.integer(0) },
                try db.first("PRAGMA checkpoint_fullfsync") { try $0.integer(0) },
            ]
        }
        #expect(try await database.write { try settings($0) } == [1, 1])
        #expect(try await database.read { try settings($0) } == [1, 1])
    }

    @Test("An empty file is refused and left alone")
    func empty() async throws {
        try scratch.write([], to: scratch.path)
        #expect(await refusal(scratch.path) == .emptyFile)
        #expect(try scratch.names() == ["a.db"])
        #expect(try scratch.bytes(of: scratch.path) == [])
    }

    @Test("What is not a database is refused and left alone", arguments: [10, 99, 100, 5000])
    func text(length: Int) async throws {
        let text = Array(repeating: UInt8(ascii: "x"), count: length)
        try scratch.write(text, to: scratch.path)
        #expect(await refusal(scratch.path) == .notADatabase)
        #expect(try scratch.names() == ["a.db"])
        #expect(try scratch.bytes(of: scratch.path) == text)
    }

    @Test("The database of another program is refused and left alone")
    func foreign() async throws {
        var other = configuration(scratch.path)
        other.applicationID = 7
        try await Database.open(other).close()
        let bytes = try scratch.bytes(of: scratch.path)
        let modified = try scratch.modified(scratch.path)
        #expect(await refusal(scratch.path) == .foreignDatabase)
        #expect(try scratch.bytes(of: scratch.path) == bytes)
        #expect(try scratch.modified(scratch.path) == modified)
    }

    @Test("A link, a pipe, a folder, a device and a file with a second name are refused, without waiting for any")
    func peculiar() async throws {
        let path = scratch.path
        try await Database.open(configuration(path)).close()
        try #require(symlink(path, scratch.folder + "/link") == 0)
        try #require(symlink(scratch.folder + "/nowhere", scratch.folder + "/dangling") == 0)
        try #require(mkfifo(scratch.folder + "/pipe", 0o600) == 0)
        try Files.makeFolder(scratch.folder + "/folder")
        for name in ["link", "dangling", "pipe", "folder", "folder/", "."] {
            #expect(await refusal("\(scratch.folder)/\(name)") == .unsafePath, "\(name)")
        }
        #expect(await refusal("/dev/zero") == .unsafePath)
        #expect(try Files.link(path, as: scratch.folder + "/second"))
        #expect(await refusal(path) == .unsafePath)
    }

    @Test("An empty path, a URI and a NUL are refused")
    func badPaths() async {
        for path in ["", "file:a.db?mode=memory", "a\0.db", "/"] {
            #expect(await refusal(path) == .unsafePath, "\(path)")
        }
    }

    @Test("A folder that everybody can write to is refused")
    func openFolder() async throws {
        try #require(chmod(scratch.folder, 0o777) == 0)
        #expect(await refusal(scratch.path) == .unsafePath)
        try #require(chmod(scratch.folder, 0o1777) == 0)
        #expect(await refusal(scratch.path) == nil)
    }

    @Test("The folder may be reached through a link")
    func linkedFolder() async throws {
        try Files.makeFolder(scratch.folder + "/real")
        try #require(symlink(scratch.folder + "/real", scratch.folder + "/link") == 0)
        let database = try await Database.open(configuration(scratch.folder + "/link/a.db"))
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
        #expect(try FileStatus(scratch.folder + "/real/a.db") != nil)
    }

    @Test("After closing, every call fails as closed; closing twice is fine")
    func closing() async throws {
        let database = try await opened(scratch)
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
        #expect(try await database.read { try count($0) } == 1)
        try await database.close()
        try await database.close()
        #expect(await code { _ = try await database.read { try count($0) } } == .closed)
        #expect(await code { try await database.write { _ = try $0.run("DELETE FROM notes") } } == .closed)
        #expect(await code { _ = try await database.checkpoint() } == .closed)
        // The last one writes the log back and takes it away.
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }

    @Test("Closing waits for the writes under way")
    func closingWaits() async throws {
        let database = try await opened(scratch)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask {
                    await code {
                        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (?)", "\(index)") }
                    } == nil
                }
            }
            try await database.close()
            let written = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            let again = try await Database.open(configuration(scratch.path))
            #expect(try await again.read { try count($0) } == written)
        }
    }

    @Test("A database that is let go without closing leaves no file open")
    func letGo() async throws {
        do {
            let database = try await opened(scratch)
            try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
            _ = try await database.read { try count($0) }
        }
        // SQLite takes the log away with the last connection; the executors may need a moment to let go.
        let start = ContinuousClock.now
        while try FileStatus(scratch.path + "-wal") != nil, ContinuousClock.now - start < .seconds(10) {
            await Task.yield()
        }
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }

    @Test("A reader refuses a file that took the place of the one that was opened")
    func replaced() async throws {
        let database = try await opened(scratch)
        for suffix in ["", "-wal", "-shm"] { _ = rename(scratch.path + suffix, scratch.folder + "/old" + suffix) }
        let other = try await opened(scratch)
        #expect(await code { _ = try await database.read { try count($0) } } == .databaseGone)
        try await other.close()
    }
}
