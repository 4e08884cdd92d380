import Foundation
import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerSQLite
@testable import FoyerStore

/// Database files that are not what they should be: each ends in its typed result, and is left as it was.
@Suite(.timeLimit(.minutes(3))) struct HostileFileTests {
    /// What is done to a file, and what becomes of opening and reading it.
    struct Deed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sql: String?
        var change: (@Sendable (inout Data) -> Void)?
        /// The error of opening it, or of reading all there is; nil where there is none.
        var code: StoreError.Code?
        /// The check of the examination that finds it.
        var check: Finding.Check?
        /// What the finding says to do.
        var repair = ""
        var isOpened = false
    }

    static let writable = "PRAGMA writable_schema = ON;\n"

    static let deeds = [
        Deed(testDescription: "no byte", change: { $0 = Data() }, code: .foreignDatabase, check: .file),
        Deed(
            testDescription: "a text", change: { $0 = Data(String(repeating: "text\n", count: 999).utf8) },
            code: .foreignDatabase, check: .file),
        Deed(testDescription: "a wrong page size", change: { $0[16] = 3 }, code: .corrupt, check: .file),
        Deed(testDescription: "format 3", change: { $0[18] = 3 }, code: .foreignDatabase, check: .file),
        Deed(testDescription: "50 bytes", change: { $0 = $0.prefix(50) }, code: .foreignDatabase, check: .file),
        Deed(testDescription: "one page", change: { $0 = $0.prefix(4096) }, code: .corrupt, check: .file),
        Deed(
            testDescription: "no last page", change: { $0 = $0.prefix($0.count - 4096) }, code: .corrupt, check: .file),
        Deed(testDescription: "one page more", change: { $0 += Data(count: 4096) }),
        Deed(
            testDescription: "another program's number", sql: "PRAGMA application_id = 7;", code: .foreignDatabase,
            check: .file),
        Deed(
            testDescription: "a newer version", sql: "PRAGMA user_version = 9999;", code: .newerSchema, check: .file),
        Deed(
            testDescription: "an unreleased schema, with a higher number than today's",
            sql: "UPDATE migrations SET name = '0001_create_accounts', checksum = '0' WHERE version = 1; "
                + "PRAGMA user_version = 9;",
            code: .unreleasedSchema, check: .file),
        Deed(testDescription: "UTF-16", change: { $0[59] = 2 }, code: .foreignDatabase, check: .file),
        Deed(
            testDescription: "a trigger that copies secrets",
            sql: "CREATE TRIGGER steal AFTER INSERT ON secrets BEGIN UPDATE users SET email = hex(new.box); END;",
            code: .foreignSchema, check: .schema, repair: "sqlite3 shell"),
        Deed(
            testDescription: "a view in the place of a table",
            sql: "DROP TABLE unsent_texts; CREATE VIEW unsent_texts AS SELECT 1;", code: .foreignSchema, check: .schema),
        Deed(
            testDescription: "a definition that cannot be read",
            sql: writable + "UPDATE sqlite_schema SET sql = 'CREATE TABLE users (' WHERE name = 'users';",
            code: .corrupt, check: .file),
        Deed(
            testDescription: "text that is not UTF-8", sql: "UPDATE users SET first_name = CAST(x'FF41' AS TEXT);",
            code: .damagedRow, check: .values, repair: "UPDATE users", isOpened: true),
        Deed(
            testDescription: "bytes in the place of text",
            sql: writable + """
                UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'users';
                PRAGMA writable_schema = RESET; UPDATE users SET first_name = x'41';
                \(writable)UPDATE sqlite_schema SET sql = sql || 'STRICT' WHERE name = 'users';
                """, code: .damagedRow, check: .integrity, repair: "restore", isOpened: true),
        Deed(
            testDescription: "a value of 5 MB", sql: "UPDATE users SET first_name = hex(zeroblob(2500000));",
            code: .damagedRow, check: .values, repair: "UPDATE users", isOpened: true),
        Deed(
            testDescription: "an identifier that is none",
            sql: "PRAGMA foreign_keys = OFF; UPDATE users SET id = replace(id, '-', '+');", code: .damagedRow,
            check: .references, isOpened: true),
        Deed(
            testDescription: "an index that disagrees with its table",
            sql: writable + """
                CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'users_by_email';
                DELETE FROM sqlite_schema WHERE name = 'users_by_email'; PRAGMA writable_schema = RESET;
                UPDATE users SET email_key = 'somebody@example.org';
                \(writable)INSERT INTO sqlite_schema SELECT * FROM kept;
                """, check: .integrity, repair: "REINDEX", isOpened: true),
        Deed(
            testDescription: "a submitted flow without its submission",
            sql: "UPDATE flows SET status = 'submitted' WHERE status = 'open';", check: .queue, repair: "restore",
            isOpened: true),
    ]

    @Test("Each ends in its typed result, and is left as it was", arguments: deeds)
    func refused(deed: Deed) async throws {
        let scene = try await Self.closedScene()
        if let sql = deed.sql {
            let shell = try await Program("sqlite3", ["-batch", "-bail", scene.database]).run(input: .text(sql))
            try #require(shell.exit == .code(0), "\(shell.stderr)")
        }
        var bytes = try Data(contentsOf: URL(filePath: scene.database))
        if let change = deed.change {
            change(&bytes)
            try bytes.write(to: URL(filePath: scene.database))
        }
        let findings = try await Repositories.examine(at: scene.database, key: .file(scene.keyFile))
        #expect(try Data(contentsOf: URL(filePath: scene.database)) == bytes, "the examination changed it")
        let problem = findings.first { !$0.isFine }
        #expect(problem?.check == deed.check, "\(findings)")
        #expect(deed.repair.isEmpty || problem?.repair?.contains(deed.repair) == true, "\(findings)")
        var isOpened = false
        let start = ContinuousClock.now
        let found = await code {
            let store = try await scene.another()
            isOpened = true
            do { try await Self.readAll(store) } catch {
                try await store.close()
                throw error
            }
            try await store.close()
        }
        // One second is promised; a machine that runs all tests at once may take as long for doing nothing.
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(found == deed.code)
        #expect(isOpened == (deed.isOpened || deed.code == nil))
        #expect(try Data(contentsOf: URL(filePath: scene.database)) == bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted()
        #expect(names.filter { !$0.hasSuffix(".workers") } == ["a.db", "a.db.lock", "keys"])
    }

    @Test("The log of another database ends in a typed result")
    func foreignLog() async throws {
        let scene = try await Self.closedScene(), other = try await Scene()
        _ = try await other.submitted(by: .grace)
        let copy = try await Program("cp", [other.database + "-wal", scene.database + "-wal"]).run()
        try #require(copy.exit == .code(0))
        try await other.store.close()
        // SQLite takes a whole log for the file's own: what comes of it is readable, or told to be damaged.
        let found = await Self.codeOfReading(scene)
        #expect(found == nil || found == .corrupt || found == .foreignSchema)
    }

    @Test("A rollback journal that was left by whatever program ends in a typed result", arguments: [0, 1, 512, 8192])
    func hotJournal(size: Int) async throws {
        let scene = try await Self.closedScene()
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1]
        let bytes = Data((magic + [UInt8](repeating: 7, count: 8192)).prefix(size))
        try bytes.write(to: URL(filePath: scene.database + "-journal"))
        let found = await Self.codeOfReading(scene)
        #expect(found == nil || found == .corrupt || found == .foreignSchema)
    }

    @Test("The index of the log may vanish while nobody has the file open")
    func noSharedMemory() async throws {
        let scene = try await Scene()
        _ = try await scene.submitted()
        let folder = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            _ = try await Program("cp", ["-p", scene.database + suffix, folder.appending("a.db") + suffix]).run()
        }
        let store = try await Repositories.open(
            at: folder.appending("a.db"), keyFile: scene.keyFile, endpoint: .named("server"))
        #expect(try await store.users().count == 1)
        try await store.close()
        withExtendedLifetime((scene, folder)) {}
    }

    @Test("A key in the folder of the database is refused before either is made, also by way of a link")
    func keyBesideDatabase() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.appending("real"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending("link"), withDestinationPath: folder.appending("real"))
        for (database, key) in [("real/a.db", "real/key"), ("link/a.db", "real/key"), ("new/a.db", "new/key")] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await Repositories.open(
                    at: folder.appending(database), keyFile: folder.appending(key), endpoint: .named("server"))
            }
            #expect(error?.code == .unsafeKeyFile && error?.recovery == .provideKey)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending("real")) == [])
        #expect(!FileManager.default.fileExists(atPath: folder.appending("new")))
    }

    @Test("The build knows the schema that the migrations lead to")
    func builtSchema() throws {
        let migrations = Repositories.migrations
        let made = try MigrationRunner(migrations: migrations, path: "").schema(at: migrations.count)
        #expect(migrations.count >= 5)
        #expect(migrations.last?.schema == made)
    }

    // MARK: Parts

    /// A store with one waiting and one open registration, closed.
    static func closedScene() async throws -> Scene {
        let scene = try await Scene()
        _ = try await scene.submitted()
        _ = try await scene.answered(3, by: .grace)
        try await scene.store.close()
        return scene
    }

    /// What opening the files and reading everything in them ends with; nil where all can be read.
    private static func codeOfReading(_ scene: Scene) async -> StoreError.Code? {
        await code {
            let store = try await scene.another()
            do { try await readAll(store) } catch {
                try await store.close()
                throw error
            }
            try await store.close()
        }
    }

    /// Reads whatever the store lists.
    /// - Throws: `corrupt`, too, where a list leaves a row out.
    static func readAll(_ store: Repositories) async throws {
        let users = try await store.users(), flows = try await store.unfinishedFlows()
        let submissions = try await store.submissions()
        for flow in flows { _ = try await store.flow(flow.id) }
        for submission in submissions { _ = try await store.attempts(of: submission.id) }
        let damaged = users.damaged + flows.damaged + submissions.damaged
        if let row = damaged.first { throw StoreError(.damagedRow, "\(row)") }
    }
}
