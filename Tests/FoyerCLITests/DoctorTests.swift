import Foundation
import TestSupport
import Testing

/// `foyer doctor`, `foyer db backup` and `foyer db migrate`.
@Suite(.timeLimit(.minutes(2))) struct DoctorTests {
    private static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", lines: Array(Person.grace.answers.prefix(2)))
        return household
    }

    private static func checks(_ finished: Program.Finished) throws -> [String: Bool] {
        let findings = try #require(try finished.object()["findings"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: findings.map { ($0["check"] as? String ?? "", $0["ok"] as? Bool ?? false) })
    }

    @Test("The doctor finds a sound store sound and changes nothing")
    func aSoundStoreIsFoundSoundAndNotTouched() async throws {
        let household = try await Self.household()
        let before = try Data(contentsOf: URL(filePath: household.database))
        let finished = try await household.foyer("doctor", "--json")
        #expect(finished.exit == .code(0), "\(finished.stdout)")
        let checks = try Self.checks(finished)
        #expect(
            Set(checks.keys) == [
                "file", "permissions", "schema", "integrity", "references", "values", "queue", "clock", "key", "memory",
            ])
        #expect(checks.values.allSatisfy { $0 })
        let lines = try await household.foyer("doctor").stdout.split(separator: "\n")
        #expect(lines.count == 10 && lines.allSatisfy { $0.contains("\tok\t") })
        #expect(try Data(contentsOf: URL(filePath: household.database)) == before)
        #expect(try household.strayFiles() == [])
        try await household.checkInvariants()
    }

    @Test("Without a database there is nothing to examine, back up or migrate")
    func withoutADatabaseThereIsNothingToFind() async throws {
        let household = try Household()
        let finished = try await household.foyer("doctor", "--json")
        #expect(finished.exit == .code(0))
        #expect(try Self.checks(finished).isEmpty)
        #expect(try await household.foyer("db", "backup", household.folder.appending("copy.db")).exit == .code(66))
        #expect(try await household.foyer("db", "migrate").exit == .code(66))
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("The doctor tells what is wrong and what to do about it")
    func whatIsWrongIsToldWithWhatToDo() async throws {
        let household = try await Self.household()
        let key = household.keyFile, kept = household.keyFile + ".kept"
        try FileManager.default.moveItem(atPath: key, toPath: kept)
        let missing = try await household.foyer("doctor", "--json")
        #expect(missing.exit == .code(78))
        #expect(try Self.checks(missing).filter { !$0.value }.map(\.key) == ["key"])
        #expect(try await household.foyer("doctor").stdout.contains("--key-file"))
        try FileManager.default.moveItem(atPath: kept, toPath: key)

        _ = try await household.sqlite3("CREATE TABLE more (x)")
        let strange = try await household.foyer("doctor", "--json")
        #expect(strange.exit == .code(78))
        #expect(try Self.checks(strange).filter { !$0.value }.map(\.key) == ["schema"])
        let refused = try await household.foyer("flows", "--json")
        #expect(refused.exit == .code(78))
        #expect(try refused.error()?.code == "foreign_schema")
        #expect(try refused.error()?.message.contains("\"more\"") == true)
        _ = try await household.sqlite3("DROP TABLE more")

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: household.database)
        for command in ["doctor", "flows"] {
            let finished = try await household.foyer(command)
            #expect(finished.exit == .code(78))
            #expect((finished.stdout + finished.stderr).contains("chmod 600 '\(household.database)'"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: household.database)
        #expect(try await household.foyer("doctor").exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("A backup is complete, for its owner alone, and overwrites no file")
    func aBackupIsWholeForItsOwnerOnlyAndOverwritesNothing() async throws {
        let household = try await Self.household()
        let copy = household.folder.appending("copy.db")
        // While somebody is half-way, so that part of it is in the log.
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<2, as: Person(email: "third@example.org", userName: "third"))
        try await terminal.expect("[3/5] Password: ")
        let finished = try await household.foyer("db", "backup", copy, "--json")
        #expect(finished.exit == .code(0), "\(finished.stderr)")
        #expect(try finished.object()["path"] as? String == copy)
        try terminal.send("\u{3}")
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let made = try FileManager.default.contentsOfDirectory(atPath: household.folder.path).sorted()
        #expect(made == ["copy.db", "data", "state"])

        let all = "SELECT count(*) FROM flows"
        #expect(try await household.sqlite3(all, at: copy) == "3")
        let bytes = try Data(contentsOf: URL(filePath: copy))
        let again = try await household.foyer("db", "backup", copy, "--json")
        #expect(again.exit == .code(73))
        #expect(try again.error()?.code == "cannot_create")
        #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
        #expect(try await household.foyer("doctor", "--database", copy).exit == .code(0))
        let restored = try await household.foyer("flows", "--database", copy, "--json")
        #expect((try restored.object()["flows"] as? [Any])?.count == 3)
    }

    @Test("A damaged database gives no backup and stays as it is")
    func aDamagedDatabaseGivesNoBackup() async throws {
        let household = try await Self.household()
        var bytes = try Data(contentsOf: URL(filePath: household.database))
        bytes.replaceSubrange((bytes.count - 4_096)..., with: Data(repeating: 0xA5, count: 4_096))
        try bytes.write(to: URL(filePath: household.database))
        let finished = try await household.foyer("db", "backup", household.folder.appending("copy.db"))
        #expect(finished.exit == .code(78), "\(finished)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: household.folder.path).sorted() == ["data", "state"])
        #expect(try await household.foyer("doctor").exit == .code(78))
        #expect(try Data(contentsOf: URL(filePath: household.database)) == bytes)
    }

    @Test("Migrating tells the versions before and after, and refuses a newer database")
    func migratingTellsTheVersions() async throws {
        let household = try await Self.household()
        let version = try await household.sqlite3("PRAGMA user_version")
        let finished = try await household.foyer("db", "migrate", "--json")
        #expect(finished.exit == .code(0))
        let versions = try finished.object()
        #expect("\(versions["version_before"] ?? "")" == version && "\(versions["version"] ?? "")" == version)
        _ = try await household.sqlite3("PRAGMA user_version = 9999")
        #expect(try await household.foyer("db", "migrate").exit == .code(78))
        for words in [["db"], ["db", "backup"], ["db", "path", "x"], ["db", "vacuum"]] {
            #expect(try await household.foyer(words).exit == .code(64))
        }
    }
}
