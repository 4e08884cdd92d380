#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Testing

@testable import FoyerSQLite

@Suite struct CreationTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A new database, its log and its lock are ours alone, whatever the umask; new folders, too")
    func modes() async throws {
        let path = scratch.folder + "/b/c/a.db"
        await #expect(processExitsWith: .success) { [path = path as String] in
            umask(0)
            let database = try await Database.open(configuration(path))
            try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
            for suffix in ["", "-wal", "-shm", ".lock"] {
                #expect(try permissions(path + suffix) == 0o600, "\(suffix)")
            }
        }
        for folder in ["/b", "/b/c"] {
            #expect(try permissions(scratch.folder + folder) == 0o700)
        }
        await #expect(processExitsWith: .success) { [path = (scratch.path) as String] in
            umask(0o777)
            try await Database.open(configuration(path)).close()
            #expect(try permissions(path) == 0o600)
        }
    }

    @Test("Of many that make one database, one does and all open it")
    func race() async throws {
        let path = scratch.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<12 {
                group.addTask {
                    let database = try await Database.open(configuration(path, [notes, tags]))
                    try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (?)", "\(index)") }
                    try await database.close()
                }
            }
            try await group.waitForAll()
        }
        let database = try await opened(scratch, [notes, tags])
        #expect(try await database.read { try count($0) } == 12)
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM migrations") } == 2)
        try await database.close()
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }

    @Test("Of many processes that make one database, one does and all open it")
    func processRace() async throws {
        let path = scratch.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let database = try await Database.open(configuration(path))
                        try await database.write {
                            _ = try $0.run("INSERT INTO notes (body) VALUES (?)", Int(getpid()).description)
                        }
                        try await database.close()
                    }
                }
            }
        }
        #expect(try await opened(scratch).read { try count($0) } == 4)
    }

    @Test("A kill at any step of making leaves no database or a whole one", arguments: Creation.Step.allCases)
    func killed(at step: Creation.Step) async throws {
        let path = scratch.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, step = step as Creation.Step] in
            var configuration = configuration(path, [notes, tags])
            configuration.creationStep = { if $0 == step { kill(getpid(), SIGKILL) } }
            _ = try await Database.open(configuration)
        }
        let isNamed = step == .named || step == .temporaryRemoved
        #expect(try permissions(path) == (isNamed ? 0o600 : nil))
        var again = configuration(path, [notes, tags])
        // A whole one needs no making.
        again.createIfMissing = !isNamed
        let database = try await Database.open(again)
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM migrations") } == 2)
        #expect(try await database.read { try $0.text("PRAGMA journal_mode") } == "wal")
        try await database.close()
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
        #expect(try FileStatus(path)?.links == 1)
    }

    @Test("Only temporaries of ours are cleared away")
    func othersFiles() async throws {
        for name in ["a.db.new-york", "a.db.new-1-york", "a.db.new-", "a.db.new-12", "a.db.new-12-journal"] {
            try scratch.write([1], to: "\(scratch.folder)/\(name)")
        }
        try await opened(scratch).close()
        #expect(try scratch.names() == ["a.db", "a.db.lock", "a.db.new-", "a.db.new-1-york", "a.db.new-york"])
    }

    @Test("A failing migration leaves no database and no temporary")
    func failing() async throws {
        let wrong = Migration(version: 1, name: "wrong", sql: "CREATE TABLE a (x); CREATE TABLE a (x);")
        #expect(await code { _ = try await opened(scratch, [wrong]) } == .error)
        #expect(try scratch.names() == ["a.db.lock"])
    }

    @Test("A log without its database is not played into a new one")
    func orphan() async throws {
        try scratch.write([1, 2, 3], to: scratch.path + "-wal")
        #expect(await code { _ = try await opened(scratch) } == .cannotCreate)
        #expect(try scratch.bytes(of: scratch.path + "-wal") == [1, 2, 3])
    }

    @Test("A maker that does not finish is waited for, and then reported as busy")
    func lockHeld() async throws {
        let lock = try #require(try FileLock.take(scratch.path + ".lock"))
        var configuration = configuration(scratch.path)
        configuration.busyTimeout = .milliseconds(20)
        #expect(await code { _ = try await Database.open(configuration) } == .busy)
        withExtendedLifetime(lock) {}
    }
}

extension Connection {
    /// The text that a statement without parameters returns.
    fileprivate func text(_ sql: SQL) throws -> String? { try first(sql) { try $0.text(0) } }
}

/// The mode of a file, without its type.
private func permissions(_ path: String) throws -> mode_t? { try FileStatus(path).map { $0.mode & 0o777 } }
