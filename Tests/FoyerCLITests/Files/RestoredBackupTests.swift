import Foundation
import Glibc
import TestSupport
import Testing

/// `foyer db restore`.
@Suite(.timeLimit(.minutes(5))) struct RestoredBackupTests {
    private static func backup(of household: Household) -> String { household.folder.appending("backup.db") }

    /// The backup has Grace, who waits; the database has Ada in addition.
    private static func household() async throws -> Household {
        let household = try await LostFileTests.household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        return household
    }

    private static func userNames(in household: Household) async throws -> String {
        try await household.sqlite3("SELECT group_concat(user_name) FROM (SELECT user_name FROM users ORDER BY id)")
    }

    private static let both = "grace,Ada.L", graceAlone = "grace"

    @Test("A restored backup takes the place of the database")
    func theBackupTakesThePlaceOfTheDatabase() async throws {
        let household = try await Self.household()
        let restored = try await household.foyer("db", "restore", Self.backup(of: household), "--yes", "--json")
        #expect(restored.exit == .code(0), "\(restored.stderr)")
        let object = try restored.object()
        #expect(object["path"] as? String == household.database)
        #expect(object["users"] as? Int == 1 && object["flows"] as? Int == 1 && object["submissions"] as? Int == 1)
        #expect(try await Self.userNames(in: household) == Self.graceAlone)
        let mode = try FileManager.default.attributesOfItem(atPath: household.database)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try household.strayFiles() == ["backup.db"])
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.grace))
        #expect(try await household.foyer("doctor").exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("Where there is no database, restoring makes one")
    func whereThereIsNoDatabaseItMakesOne() async throws {
        let household = try await Self.household()
        try FileManager.default.removeItem(atPath: household.folder.appending("data"))
        let restored = try await household.foyer("db", "restore", Self.backup(of: household), "--yes")
        #expect(restored.exit == .code(0), "\(restored.stderr)")
        #expect(restored.stdout == household.database + "\n")
        #expect(try await Self.userNames(in: household) == Self.graceAlone)
    }

    @Test("What was delivered since the backup is not done twice after restoring")
    func whatWasDeliveredSinceTheBackupIsNotDoneTwice() async throws {
        let household = try await LostFileTests.household()
        #expect(try await household.foyer("sync").exit == .code(0))
        let accounts = try await household.accounts()
        let restored = try await household.foyer("db", "restore", Self.backup(of: household), "--yes")
        #expect(restored.exit == .code(0), "\(restored.stderr)")
        #expect(try await household.states() == ["submitted 5 ready pending 1"])
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.accounts() == accounts)
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        try await household.checkInvariants()
    }

    @Test("Restoring asks for a full yes at a terminal and needs --yes on a pipe")
    func onATerminalItAsksAndOnAPipeItNeedsAYes() async throws {
        let household = try await Self.household()
        let backup = Self.backup(of: household)
        let refused = try await household.foyer("db", "restore", backup, "--json", lines: ["yes"])
        #expect(refused.exit == .code(64))
        #expect(try refused.error()?.code == "not_confirmed")
        for (answer, exit) in [("y", Int32(64)), ("", 64), ("yes", 0)] {
            let terminal = try household.terminal(["db", "restore", backup], columns: 250)
            try await terminal.expect("holds 1 people, 1 unfinished flows and 1 waiting submissions.")
            try await terminal.expect("holds 2 people, 2 unfinished flows and 2 waiting submissions.")
            try await terminal.expect("Restore it? Type yes: ")
            try terminal.send(answer + "\r")
            #expect(try await terminal.wait() == .code(exit))
            let names = try await Self.userNames(in: household)
            #expect(names == (answer == "yes" ? Self.graceAlone : Self.both))
        }
    }

    // MARK: In use

    enum User: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case idleAtAPrompt, waitingApp, watch, shell
        var testDescription: String { rawValue }
    }

    @Test("Nothing is restored while another program uses the database", arguments: User.allCases)
    func nothingIsRestoredUnderAProgramThatUsesTheDatabase(_ user: User) async throws {
        let household = try await Self.household()
        let program: Dialogue
        switch user {
        case .idleAtAPrompt:
            let terminal = try household.terminal("register", "--network", "offline")
            try await terminal.expect("\(Person.question(0)): ")
            try await Self.expectInUse(household)
            try terminal.send(Person.ada.email + "\r")
            try await terminal.expect("\(Person.question(1)): ")
            try terminal.send("\u{4}")
            #expect(try await terminal.wait() == .code(75))
            #expect(try await household.states().count == 3)
            return
        case .waitingApp:
            program = try Dialogue(try household.program(["app", "--json", "--network", "offline"]))
            _ = try await program.nextLine()
        case .watch:
            program = try Dialogue(try household.program(["sync", "--watch", "--json"]))
            while try await !program.nextLine().contains(#""waiting":0"#) {}
        case .shell:
            program = try Dialogue(Program("sqlite3", ["-interactive", household.database]))
            try await program.send("SELECT 'read ' || count(*) FROM users;")
            while try await !program.nextLine().contains("read 2") {}
        }
        try await Self.expectInUse(household)
        try await program.kill()
        // Whoever was killed left a log, and holds nothing any more.
        #expect(try await Self.restore(household).exit == .code(0))
        #expect(try await Self.userNames(in: household) == Self.graceAlone)
        #expect(try await household.foyer("doctor").exit == .code(0))
    }

    private static func restore(_ household: Household) async throws -> Program.Finished {
        try await household.foyer("db", "restore", backup(of: household), "--yes", "--json")
    }

    private static func expectInUse(
        _ household: Household, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let refused = try await restore(household)
        #expect(refused.exit == .code(73), "\(refused.stderr)", sourceLocation: place)
        #expect(try refused.error()?.code == "database_in_use", sourceLocation: place)
        #expect(try await userNames(in: household) == both, sourceLocation: place)
    }

    @Test("Programs that start while backups are restored find the one or the other, whole")
    func startingMeanwhile() async throws {
        let household = try await Self.household()
        let copy = household.folder.appending("both.db")
        #expect(try await household.foyer("db", "backup", copy).exit == .code(0))
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var restored = 0
                for count in 1...60 {
                    let file = count.isMultiple(of: 2) ? copy : Self.backup(of: household)
                    let finished = try await household.foyer("db", "restore", file, "--yes", "--json")
                    if finished.exit == .code(0) { restored += 1 } else { #expect(finished.exit == .code(73)) }
                }
                return restored
            }
            for _ in 1...3 {
                group.addTask {
                    for _ in 1...40 {
                        let finished = try await household.foyer("users", "--json")
                        #expect(finished.exit == .code(0), "\(finished.stderr)")
                        let users = try finished.object()["users"] as? [Any]
                        #expect([1, 2].contains(users?.count), "\(finished.stdout)")
                    }
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count > 0, "nothing was restored at all")
        #expect(try household.strayFiles().sorted() == ["backup.db", "both.db"])
        try await household.checkInvariants()
    }

    // MARK: What is refused

    @Test("A file that is no sound backup is refused, and the database stays as it was")
    func whatIsNoSoundBackupIsRefusedAndNothingIsTouched() async throws {
        let household = try await Self.household()
        let good = try Data(contentsOf: URL(filePath: Self.backup(of: household)))
        var garbled = good
        garbled.replaceSubrange(8_192..<12_288, with: Data(repeating: 0xA5, count: 4_096))
        let sql: [(name: String, sql: String)] = [
            ("newer", "PRAGMA user_version = 9999"), ("foreign", "PRAGMA application_id = 7"),
            ("changed", "CREATE TABLE mine (a)"),
        ]
        var bad: [(name: String, bytes: Data?)] = [
            ("missing", nil), ("empty", Data()), ("text", Data(String(repeating: "no database\n", count: 999).utf8)),
            ("cut", good.prefix(20_000)), ("garbled", garbled),
        ]
        for (name, statement) in sql {
            let file = household.folder.appending(name)
            try good.write(to: URL(filePath: file))
            _ = try await household.sqlite3(statement, at: file)
            bad.append((name, try Data(contentsOf: URL(filePath: file))))
        }
        let before = try Data(contentsOf: URL(filePath: household.database))
        for (name, bytes) in bad {
            let file = household.folder.appending(name)
            if let bytes { try bytes.write(to: URL(filePath: file)) }
            if bytes != nil { #expect(chmod(file, 0o600) == 0) }
            let refused = try await household.foyer("db", "restore", file, "--yes", "--json")
            #expect(refused.exit == .code(name == "missing" ? 66 : 78), "\(name): \(refused.stderr)")
            #expect(try refused.error() != nil)
            #expect(try Data(contentsOf: URL(filePath: household.database)) == before, "\(name)")
        }
        let itself = try await household.foyer("db", "restore", household.database, "--yes", "--json")
        #expect(itself.exit == .code(73))
        #expect(try Data(contentsOf: URL(filePath: household.database)) == before)
        #expect(try household.strayFiles().filter { $0.hasPrefix("data") } == [])
    }

    @Test("A file that is not our database is not replaced")
    func aFileThatIsNoDatabaseOfOursIsNotReplaced() async throws {
        let household = try await Self.household()
        let text = Data("my thesis\n".utf8)
        try text.write(to: URL(filePath: household.database))
        let refused = try await Self.restore(household)
        #expect(refused.exit == .code(78), "\(refused.stderr)")
        #expect(try Data(contentsOf: URL(filePath: household.database)) == text)
    }

    @Test("A damaged database is replaced by the backup")
    func aDamagedDatabaseIsReplaced() async throws {
        let household = try await Self.household()
        var bytes = try Data(contentsOf: URL(filePath: household.database))
        bytes.replaceSubrange(4_096..., with: Data(repeating: 0xA5, count: bytes.count - 4_096))
        try bytes.write(to: URL(filePath: household.database))
        #expect(chmod(household.database, 0o600) == 0)
        #expect(try await household.foyer("users").exit == .code(78))
        #expect(try await Self.restore(household).exit == .code(0))
        #expect(try await Self.userNames(in: household) == Self.graceAlone)
        #expect(try await household.foyer("doctor").exit == .code(0))
    }

    // MARK: Killed

    @Test("Killed anywhere, the database is the earlier one with its log, or the backup", .disabled(if: isSanitized))
    func killedAnywhere() async throws {
        // The log that a killed program has left holds an answer that is nowhere else.
        let original = try await Self.household()
        let pipe = try Dialogue(try original.program(["register", "--network", "offline"]))
        try await pipe.send("third@example.org")
        try await eventually { try await original.states().count == 3 }
        try await pipe.kill()
        let files = try original.files()
        var outcomes: [Int: Int] = [:]
        let points = try await KillPoint.each(of: [.sync, .truncate, .create, .remove, .rename]) { point in
            let household = try Household(restoring: files)
            let killed = try await household.foyer(
                "db", "restore", Self.backup(of: household), "--yes", adding: point.environment)
            let wasReached = try point.wasReached
            #expect(killed.exit == (wasReached ? .signal(SIGKILL) : .code(0)), "\(point): \(killed.stderr)")
            let listed = try await household.foyer("flows", "--json")
            #expect(listed.exit == .code(0), "\(point): \(listed.stderr)")
            let count = (try listed.object()["flows"] as? [Any])?.count ?? 0
            #expect(count == 3 || count == 1, "\(point)")
            outcomes[count, default: 0] += 1
            let again = try await Self.restore(household)
            #expect(again.exit == .code(0), "\(point): \(again.stderr)")
            #expect(try household.strayFiles() == ["backup.db"], "\(point)")
            try await household.checkInvariants()
        }
        #expect(points > 10 && outcomes[3, default: 0] > 0 && outcomes[1, default: 0] > 1, "\(points) \(outcomes)")
    }
}
