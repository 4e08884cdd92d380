import TestSupport
import Testing

@testable import FoyerSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Files whose tables, indexes, views or triggers somebody else has had a hand in.
@Suite(.timeLimit(.minutes(3))) struct HostileSchemaTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What somebody does to the file at the sqlite3 shell, and what a program makes of it.
    struct Deed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        var code: SQLiteError.Code? = .foreignSchema
        var names = ""
    }

    static let writable = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET "

    static let deeds = [
        Deed(
            testDescription: "a trigger that copies",
            sql: "CREATE TRIGGER steal AFTER INSERT ON notes BEGIN INSERT INTO notes (body) VALUES ('copy'); END",
            names: "strange trigger \"steal\""),
        Deed(
            testDescription: "a trigger that is called like SQLite's own",
            sql: "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END; \(writable)"
                + "name = 'sqlite_t', sql = replace(sql, ' t ', ' sqlite_t ') WHERE name = 't'",
            names: "strange trigger \"sqlite_t\""),
        Deed(
            testDescription: "a view in a table's place",
            sql: "ALTER TABLE notes RENAME TO hidden; CREATE VIEW notes AS SELECT id, 'seen' AS body FROM hidden",
            names: "strange"),
        Deed(
            testDescription: "a check that loads an extension",
            sql: "\(writable)sql = replace(sql, 'UNIQUE', 'UNIQUE CHECK (load_extension(''x''))') WHERE name = 'notes'",
            names: "\"notes\" was changed"),
        Deed(
            testDescription: "a generated column", sql: "ALTER TABLE notes ADD COLUMN loud TEXT AS (upper(body))",
            names: "\"notes\" was changed"),
        Deed(
            testDescription: "an index on an expression", sql: "CREATE INDEX loud ON notes (upper(body))",
            names: "strange index \"loud\""),
        Deed(testDescription: "a virtual table", sql: "CREATE VIRTUAL TABLE v USING fts5(x)", names: "strange"),
        Deed(testDescription: "one more table", sql: "CREATE TABLE more (x)", names: "strange table \"more\""),
        Deed(testDescription: "one more view", sql: "CREATE VIEW more AS SELECT 1", names: "strange view \"more\""),
        Deed(testDescription: "no table", sql: "DROP TABLE notes", names: "is gone"),
        Deed(
            testDescription: "a type that gave way",
            sql: "\(writable)sql = replace(sql, 'NOT NULL', '') WHERE name = 'notes'", names: "\"notes\" was changed"),
        Deed(
            testDescription: "a definition that cannot be read",
            sql: "\(writable)sql = 'CREATE TABLE notes (' WHERE name = 'notes'", code: .corrupt),
        Deed(testDescription: "version 0", sql: "PRAGMA user_version = 0", names: "strange"),
        Deed(testDescription: "a negative version", sql: "PRAGMA user_version = -1", code: .foreignDatabase),
        Deed(
            testDescription: "no record of migrations", sql: "DROP TABLE migrations", code: .foreignDatabase,
            names: "no record"),
        Deed(testDescription: "statistics", sql: "INSERT INTO notes (body) VALUES ('x'); ANALYZE", code: nil),
    ]

    @Test("A schema that is not ours is told, nothing in it acts, and the file stays as it is", arguments: deeds)
    func refused(deed: Deed) async throws {
        try await opened(scratch).close()
        let shell = try await Program("sqlite3", ["-bail", scratch.path, deed.sql]).run()
        try #require(shell.exit == .code(0), "\(shell.stderr)")
        let bytes = try scratch.bytes(of: scratch.path)
        var refusal: SQLiteError?
        do { try await opened(scratch).close() } catch { refusal = error as? SQLiteError }
        #expect(refusal?.code.primary == deed.code)
        if let refusal, deed.names != "" {
            #expect(refusal.message.contains(deed.names) && refusal.message.contains(scratch.path), "\(refusal)")
        }
        if deed.code != nil { #expect(try scratch.bytes(of: scratch.path) == bytes) }
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }

    @Test(
        "What a refused file has in its log stays there",
        arguments: ["CREATE TABLE more (x)", "UPDATE migrations SET checksum = 'another'"])
    func log(sql: String) async throws {
        let path = scratch.path
        try await opened(scratch).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, sql = sql as String] in
            let connection = try Connection.open(path, timeout: .seconds(1))
            try connection.script(sql)
            kill(getpid(), SIGKILL)
        }
        let before = try [path, path + "-wal"].map { try scratch.bytes(of: $0) }
        #expect(
            await code { try await opened(scratch).close() }
                == (sql.hasPrefix("CREATE") ? .foreignSchema : .unreleasedSchema))
        #expect(try [path, path + "-wal"].map { try scratch.bytes(of: $0) } == before)
    }

    @Test("Before the schema is known no trigger acts and no view can be read; afterwards ours do")
    func order() async throws {
        let guarded = Migration(
            version: 1, name: "guarded",
            sql: """
                CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT) STRICT;
                CREATE VIEW bodies AS SELECT body FROM notes;
                CREATE TRIGGER twice AFTER INSERT ON notes WHEN new.body = 'once'
                BEGIN INSERT INTO notes (body) VALUES ('again'); END;
                """)
        let database = try await opened(scratch, [guarded])
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('once')") }
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM bodies") } == 2)
        #expect(try await database.write { try $0.integer("SELECT count(*) FROM bodies") } == 2)
        let early = try stranger(scratch.path)
        #expect(await code { _ = try early.integer("SELECT count(*) FROM bodies") } == .error)
        try early.run("INSERT INTO notes (body) VALUES ('once')")
        #expect(try early.integer("SELECT count(*) FROM notes") == 3)
    }

    @Test("A schema known from the build stands for the run in memory, and a wrong one only costs that run")
    func builtSchema() async throws {
        func history(_ rows: [Migration.SchemaRow]) -> [Migration] {
            [notes, Migration(version: tags.version, name: tags.name, sql: tags.sql, schema: rows)]
        }
        let made = try MigrationRunner(migrations: [notes, tags], path: scratch.path).schema(at: 2)
        let known = made.entries.filter { $0.name != "migrations" }.map { ($0.type, $0.name, $0.table, $0.sql) }
        #expect(Schema(built: known) == made)
        try await opened(scratch, history(known)).close()
        try await opened(scratch, history(known)).close()
        try await opened(scratch, history([])).close()
        let shell = try await Program("sqlite3", [scratch.path, "CREATE TABLE more (x)"]).run()
        #expect(shell.exit == .code(0))
        #expect(await code { try await opened(scratch, history(known)).close() } == .foreignSchema)
    }

    @Test("A statement, a value or a chain of triggers that is larger than anything of ours ends in an error")
    func limits() async throws {
        let database = try await opened(scratch)
        #expect(
            await code {
                try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (hex(zeroblob(600000)))") }
            } == .tooBig)
        #expect(await code { try await database.read { _ = try $0.integer("SELECT 1 LIKE hex(zeroblob(50))") } } != nil)
        #expect(await code { try await database.write { try $0.script("ATTACH ':memory:' AS other") } } == .error)
        try await database.close()
        let shell = try await Program(
            "sqlite3", [scratch.path, "INSERT INTO notes (body) VALUES ('x'), (hex(zeroblob(2500000)))"]
        ).run()
        #expect(shell.exit == .code(0))
        let again = try await opened(scratch)
        #expect(
            await code { _ = try await again.read { try $0.rows("SELECT body FROM notes") { try $0.text(0) } } }
                == .tooBig)
        #expect(try await again.read { try count($0) } == 2)
    }

    @Test("A file that others may use, or that belongs to another, is refused with what to do")
    func permissions() async throws {
        try await opened(scratch).close()
        for mode in [0o644, 0o640, 0o606] as [mode_t] {
            chmod(scratch.path, mode)
            let error = await #expect(throws: SQLiteError.self) { try await opened(scratch).close() }
            #expect(error?.code == .unsafePermissions)
            #expect(error?.message.contains("chmod 600 '\(scratch.path)'") == true)
        }
        chmod(scratch.path, 0o600)
        try await opened(scratch).close()
        // Only root can give a file away.
        guard geteuid() == 0, chown(scratch.path, 65534, 65534) == 0 else { return }
        #expect(await code { try await opened(scratch).close() } == .unsafePermissions)
    }
}
