import Foundation
import TestSupport
import Testing

/// Settings: a flag before the environment before the config files before the defaults.
@Suite(.timeLimit(.minutes(2))) struct ConfigTests {
    private static func write(_ text: String, in household: Household, at path: String = "config/foyer/config") throws {
        let file = URL(filePath: household.folder.appending(path))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private static func variables(_ household: Household) -> [String: String] {
        [
            "XDG_CONFIG_HOME": household.folder.appending("config"),
            "XDG_CONFIG_DIRS": "relative:\(household.folder.appending("shared")):/nowhere",
        ]
    }

    /// The value of a setting, and where it comes from.
    private static func setting(
        _ name: String, _ household: Household, _ flags: [String] = [], adding more: [String: String] = [:]
    ) async throws -> [String] {
        let told = try await household.foyer(
            ["config", "--json"] + flags, adding: variables(household).merging(more) { $1 })
        let rows = try #require(try told.object()["config"] as? [[String: Any]])
        let row = try #require(rows.first { $0["name"] as? String == name })
        return [row["value"] as? String ?? "-", row["origin"] as? String ?? "-"]
    }

    @Test("A flag overrules the environment, which overrules the config files and the defaults")
    func eachSourceOverrulesTheNextOne() async throws {
        let household = try Household()
        #expect(try await Self.setting("database", household) == [household.database, "default"])
        try Self.write("database = /shared.db\nwait = 7\n", in: household, at: "shared/foyer/config")
        #expect(try await Self.setting("database", household) == ["/shared.db", "config"])
        try Self.write("# mine\n\n  database=/own = 1.db  \n", in: household)
        #expect(try await Self.setting("database", household) == ["/own = 1.db", "config"])
        #expect(try await Self.setting("wait", household) == ["7", "config"])
        let variable = ["FOYER_DATABASE": "/variable.db"]
        #expect(try await Self.setting("database", household, adding: variable) == ["/variable.db", "environment"])
        let flag = ["--database", "/flag.db"]
        #expect(try await Self.setting("database", household, flag, adding: variable) == ["/flag.db", "flag"])
        // The commands use what is shown.
        let path = try await household.foyer("db", "path", adding: Self.variables(household))
        #expect(path.stdout == "/own = 1.db\n")
    }

    @Test(
        "A line that is no valid setting is refused with its file and line number",
        arguments: [
            ("network = offline\nnetwrk = x\n", ":2: there is no setting \"netwrk\". Did you mean network?"),
            ("yes = true\n", ":1: there is no setting"), ("password-file = /x\n", ":1: there is no setting"),
            ("no-input\n", ":1: this is no setting"), ("show = perhaps\n", ":1: show is true or false"),
            ("color = red\n", ":1: The flag --color takes one of"), ("wait = soon\n", ":1: The flag --wait takes"),
        ])
    func whatIsNoSettingIsNamedWithItsLine(text: String, message: String) async throws {
        let household = try Household()
        try Self.write(text, in: household)
        let told = try await household.foyer("flows", "--json", adding: Self.variables(household))
        #expect(told.exit == .code(78))
        #expect(try told.error()?.code == "bad_setting")
        #expect(told.stderr.contains("config/foyer/config\(message)"), "\(told.stderr)")
        for words in [["--version"], ["help"], ["completions", "bash"]] {
            #expect(try await household.foyer(words, adding: Self.variables(household)).exit == .code(0))
        }
    }

    @Test("A config file that others can change is refused")
    func aFileThatOthersCanChangeIsRefused() async throws {
        let household = try Household()
        try Self.write("network = offline\n", in: household)
        let file = household.folder.appending("config/foyer/config")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        let told = try await household.foyer("flows", "--json", adding: Self.variables(household))
        #expect(told.exit == .code(78))
        #expect(try told.error()?.code == "unsafe_permissions")
    }
}

/// A password that is handed over.
@Suite(.timeLimit(.minutes(2))) struct GivenPasswordTests {
    private static let others = [0, 1, 3, 4].map { Person.ada.answers[$0] }

    private static func file(_ text: String, in household: Household, mode: Int = 0o600) throws -> String {
        let path = household.folder.appending("password")
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("With --password-stdin the first line of standard input is the password")
    func theFirstLineOfStandardInputIsThePassword() async throws {
        let household = try Household()
        let lines = [Person.password] + Self.others
        #expect(try await household.foyer("register", "--password-stdin", lines: lines).exit == .code(0))
        let signed = try await household.foyer(
            "login", "--password-stdin", lines: [Person.password, Person.ada.userName])
        #expect(signed.exit == .code(0), "\(signed.stderr)")
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("A password file is read without its final line feed")
    func aFileIsReadWithoutItsOneLineEnd() async throws {
        for ending in ["", "\n"] {
            let household = try Household()
            try await household.foyer("register", lines: Array(Self.others.prefix(2)))
            let path = try Self.file(Person.password + ending, in: household)
            let resumed = try await household.foyer(
                "resume", "--password-file", path, lines: Array(Self.others.suffix(2)))
            try FileManager.default.removeItem(atPath: path)
            #expect(resumed.exit == .code(0), "\(resumed.stderr)")
            #expect(try await household.canSignIn(.ada))
            try await household.checkInvariants()
        }
    }

    @Test(
        "A password file that others can read, or that is not one line, is refused",
        arguments: [
            ("two\nlines\n", 0o600, Int32(78)), ("", 0o600, 78), ("\n", 0o600, 78), ("open to all", 0o644, 78),
            ("open to a group", 0o640, 78),
        ])
    func aFileThatIsNotSafeOrNotOneLineIsRefused(text: String, mode: Int, exit: Int32) async throws {
        let household = try Household()
        let path = try Self.file(text, in: household, mode: mode)
        let told = try await household.foyer("register", "--password-file", path, lines: Self.others)
        try FileManager.default.removeItem(atPath: path)
        #expect(told.exit == .code(exit), "\(told.stderr)")
        #expect(!household.hasDatabase)
        #expect(try await household.foyer("register", "--password-file", path).exit == .code(74))
    }

    @Test("At a terminal, --password-stdin is refused")
    func atATerminalStandardInputIsNoPassword() async throws {
        let household = try Household()
        let terminal = try household.terminal("register", "--password-stdin")
        #expect(try await terminal.wait() == .code(64))
        #expect(!household.hasDatabase)
    }
}

/// Whatever destroys something asks first at a terminal.
@Suite(.timeLimit(.minutes(2))) struct ConfirmationTests {
    @Test("Giving up asks for confirmation at a terminal, and --yes skips the question")
    func whoGivesUpAtATerminalIsAskedAndAScriptIsNot() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Array(Person.ada.answers.prefix(2)))
        let terminal = try household.terminal("cancel")
        try await terminal.expect("Give up the registration ")
        try await terminal.expect("of Ada.L")
        try terminal.send("n\r")
        try await terminal.expect("Nothing was given up.")
        #expect(try await terminal.wait() == .code(0))
        #expect(try await household.sqlite3("SELECT status FROM flows") == "open")
        let decided = try household.terminal("cancel", "--yes")
        #expect(try await decided.wait() == .code(0))
        #expect(try await household.sqlite3("SELECT status FROM flows") == "cancelled")
    }

    @Test("Where no question is allowed, by flag or environment, a registration ends at once")
    func whoMustNotBeAskedIsToldSoAtOnceAlsoByTheEnvironment() async throws {
        let household = try Household()
        for variables in [[:], ["FOYER_NO_INPUT": "1"]] {
            let flags = variables.isEmpty ? ["--no-input"] : []
            let terminal = try household.terminal(["register"] + flags, adding: variables)
            #expect(try await terminal.wait() == .code(75))
            #expect(terminal.transcript.contains("Nothing was entered"), "\(terminal.transcript)")
        }
        let asked = try household.terminal(["register"], adding: ["FOYER_NO_INPUT": "0"])
        try await asked.expect("Email Address")
        asked.closeTerminal()
        _ = try await asked.wait()
    }

    @Test("Pruning asks at a terminal, but only where something would be removed")
    func pruningAsksAtATerminalWhereSomethingWouldGo() async throws {
        let household = try Household()
        try await household.foyer("register", lines: [Person.ada.email])
        let idle = try household.terminal("db", "prune")
        #expect(try await idle.wait() == .code(0))
        try await household.foyer("cancel", "--yes")
        _ = try await household.sqlite3("UPDATE flows SET counted_from = 1")
        for (answer, exit, left) in [("n", Int32(64), "1"), ("", 64, "1"), ("y", 0, "0")] {
            let terminal = try household.terminal("db", "prune")
            try await terminal.expect("Remove them? [y/N] ")
            try terminal.send(answer + "\r")
            #expect(try await terminal.wait() == .code(exit))
            #expect(try await household.sqlite3("SELECT count(*) FROM flows") == left)
        }
    }

    @Test("A dry run of an erasure tells what would go and removes nothing")
    func erasingCanBeTriedFirst() async throws {
        let household = try await UsersCommandTests.household()
        let id = try await UsersCommandTests.id(of: Person.ada.userName, in: household)
        let tried = try await household.foyer("users", "erase", id, "--dry-run", "--json")
        #expect(tried.exit == .code(0))
        #expect(try tried.object()["flows"] as? Int == 1)
        #expect(try await household.sqlite3("SELECT count(*) FROM users") == "2")
    }
}
