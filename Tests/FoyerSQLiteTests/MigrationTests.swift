#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Testing

@testable import FoyerSQLite

@Suite struct MigrationTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Migrations run in order, each is recorded, and an up-to-date file is left alone")
    func order() async throws {
        try await opened(scratch).close()
        let database = try await opened(scratch, [notes, tags])
        let record = try await database.read { db in
            try db.rows("SELECT version, name, checksum, applied_at FROM migrations ORDER BY version") { row in
                [String(try row.integer(0)), try row.text(1), try row.text(2), try row.text(3)]
            }
        }
        #expect(record.map { Array($0.prefix(3)) } == [["1", "notes", notes.checksum], ["2", "tags", tags.checksum]])
        #expect(record.allSatisfy { $0[3].count == 24 && $0[3].hasSuffix("Z") })
        #expect(try await database.read { try $0.integer("PRAGMA user_version") } == 2)
        try await database.close()
        let modified = try scratch.modified(scratch.path)
        try await opened(scratch, [notes, tags]).close()
        #expect(try scratch.modified(scratch.path) == modified)
    }

    @Test("The checksum is FNV-1a")
    func checksum() {
        #expect(Migration(version: 1, name: "", sql: "").checksum == "cbf29ce484222325")
        #expect(Migration(version: 1, name: "", sql: "foobar").checksum == "85944171f73967e8")
    }

    @Test("A migration that was edited after it had been applied is named and refused")
    func edited() async throws {
        try await opened(scratch).close()
        let changed = Migration(version: 1, name: "notes", sql: notes.sql + " ")
        let error = await #expect(throws: SQLiteError.self) { _ = try await opened(scratch, [changed, tags]) }
        #expect(error?.code == .unreleasedSchema)
        #expect(error?.message.contains("notes") == true)
        #expect(try await opened(scratch).read { try $0.integer("PRAGMA user_version") } == 1)
    }

    @Test("A gap, a double and a wrong order are refused before anything is made")
    func gaps() async throws {
        for list in [[tags], [notes, notes], [tags, notes], [Migration(version: 0, name: "", sql: "")]] {
            #expect(await code { _ = try await opened(scratch, list) } == .misuse)
        }
        #expect(try scratch.names() == [])
    }

    @Test("A newer file is refused and not touched")
    func newer() async throws {
        try await opened(scratch, [notes, tags]).close()
        let bytes = try scratch.bytes(of: scratch.path)
        let modified = try scratch.modified(scratch.path)
        let error = await #expect(throws: SQLiteError.self) { _ = try await opened(scratch) }
        #expect(error?.code == .newerSchema)
        #expect(error?.schemaVersions == .init(found: 2, known: 1))
        #expect(try scratch.bytes(of: scratch.path) == bytes)
        #expect(try scratch.modified(scratch.path) == modified)
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }

    @Test("A file whose newer version is only in its log is refused; neither is touched")
    func newerInLog() async throws {
        let path = scratch.path
        try await opened(scratch).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try await Database.open(configuration(path, [notes, tags]))
            _ = withExtendedLifetime(database) { kill(getpid(), SIGKILL) }
        }
        let files = [path, path + "-wal"]
        let bytes = try files.map { try scratch.bytes(of: $0) }
        let modified = try files.map { try scratch.modified($0) }
        #expect(bytes[0][63] == 1)
        #expect(await code { _ = try await opened(scratch) } == .newerSchema)
        #expect(try files.map { try scratch.bytes(of: $0) } == bytes)
        #expect(try files.map { try scratch.modified($0) } == modified)
        #expect(try await opened(scratch, [notes, tags]).read { try $0.integer("PRAGMA user_version") } == 2)
    }

    @Test("A kill inside a migration leaves the old version whole")
    func killed() async throws {
        let path = scratch.path
        let old = try await opened(scratch)
        try await old.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('kept')") }
        try await old.close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let connection = try Connection.open(path, timeout: .seconds(1))
            try connection.transaction {
                try connection.script(tags.sql)
                try connection.script("PRAGMA user_version = 2; DELETE FROM notes")
                // Small enough a cache to have written some of it.
                try connection.script("PRAGMA cache_size = 1; CREATE TABLE big (x); ")
                for _ in 0..<100 { try connection.run("INSERT INTO big VALUES (zeroblob(4000))") }
                kill(getpid(), SIGKILL)
            }
        }
        let again = try await opened(scratch)
        #expect(try await again.read { try count($0) } == 1)
        #expect(try await again.read { try $0.integer("PRAGMA user_version") } == 1)
        try await again.close()
        try await opened(scratch, [notes, tags]).close()
    }

    @Test("A failing migration leaves the version before it, and says which one failed")
    func failing() async throws {
        try await opened(scratch).close()
        let wrong = Migration(version: 2, name: "wrong", sql: "DROP TABLE notes; SELECT * FROM nowhere")
        let error = await #expect(throws: SQLiteError.self) { _ = try await opened(scratch, [notes, wrong]) }
        #expect(error?.message.contains("wrong") == true)
        let committing = Migration(version: 2, name: "committing", sql: "COMMIT;")
        #expect(await code { _ = try await opened(scratch, [notes, committing]) } == .misuse)
        #expect(try await opened(scratch).read { try count($0) } == 0)
    }

    @Test("Several that migrate one file at once all succeed, and each migration runs once")
    func race() async throws {
        let path = scratch.path
        try await opened(scratch).close()
        let history =
            [notes, tags] + (3...8).map { Migration(version: $0, name: "t\($0)", sql: "CREATE TABLE t\($0) (x)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await Database.open(configuration(path, history)) } }
            try await group.waitForAll()
        }
        #expect(try await opened(scratch, history).read { try $0.integer("SELECT count(*) FROM migrations") } == 8)
    }

    @Test("Once another process has migrated the file, we write no more")
    func migratedMeanwhile() async throws {
        let database = try await opened(scratch)
        _ = try await opened(scratch, [notes, tags])
        #expect(await code { try await database.write { _ = try $0.run("DELETE FROM notes") } } == .newerSchema)
    }
}
