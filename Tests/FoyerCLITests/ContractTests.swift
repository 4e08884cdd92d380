import Foundation
import TestSupport
import Testing

/// What scripts rely on: exit codes, one JSON object on standard output, everything else on standard error.
@Suite(.timeLimit(.minutes(2))) struct ContractTests {
    /// One command line, how it ends, and what its JSON object holds beside the schema; nothing for an error.
    struct Line: Sendable, CustomTestStringConvertible {
        let words: String
        let exit: Int32
        var keys: Set<String> = []
        var input: [String] = []
        var testDescription: String { words }
        var arguments: [String] { words.split(separator: " ").map { String($0) } }
    }

    // MARK: Without a database

    @Test(
        "Without a database, commands keep their exit codes and JSON keys and make no file",
        arguments: [
            Line(words: "", exit: 0, keys: ["open", "waiting", "flows", "submissions", "problems", "next"]),
            Line(words: "flows", exit: 0, keys: ["flows"]),
            Line(words: "users", exit: 0, keys: ["users"]), Line(words: "outbox", exit: 0, keys: ["submissions"]),
            Line(words: "sync", exit: 0, keys: ["accepted", "rejected", "waiting"]),
            Line(words: "db path", exit: 0, keys: ["path"]), Line(words: "help", exit: 0, keys: ["help"]),
            Line(words: "help resume", exit: 0, keys: ["help"]), Line(words: "help status", exit: 0, keys: ["help"]),
            Line(words: "--version", exit: 0, keys: ["version"]),
            Line(words: "resume", exit: 66), Line(words: "cancel", exit: 66), Line(words: "resume 4c21f0a9", exit: 66),
            Line(words: "cancel 4c21f0a9", exit: 66), Line(words: "show 4c21f0a9", exit: 66),
            Line(words: "users show 4c21f0a9", exit: 66), Line(words: "outbox show 4c21f0a9", exit: 66),
        ])
    func withoutADatabaseCommandsKeepTheirPromiseAndMakeNoFile(_ line: Line) async throws {
        let household = try Household()
        try await Self.check(line, in: household)
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("An empty list prints nothing, and is an empty array in JSON", arguments: ["flows", "users", "outbox"])
    func anEmptyListIsNothingOnStandardOutput(command: String) async throws {
        let household = try Household()
        #expect(try await household.foyer(command).stdout == "")
        #expect(
            try await household.foyer(command, "--json").object().values.contains { ($0 as? [Any])?.isEmpty == true })
    }

    // MARK: With people, flows and submissions

    @Test("With a full store, each command keeps its exit code and its JSON keys")
    func withAFullStoreEachCommandKeepsItsPromise() async throws {
        let household = try await Self.fullHousehold()
        let lists = [
            Line(words: "", exit: 0, keys: ["open", "waiting", "flows", "submissions", "problems", "next"]),
            Line(words: "flows", exit: 0, keys: ["flows"]), Line(words: "tree", exit: 0, keys: ["trees"]),
            Line(words: "stats", exit: 0, keys: ["since", "begun", "submitted", "accepted", "steps"]),
            Line(words: "users", exit: 0, keys: ["users"]), Line(words: "outbox", exit: 0, keys: ["submissions"]),
            Line(words: "db path", exit: 0, keys: ["path"]),
            Line(words: "sync --network offline", exit: 75, keys: ["accepted", "rejected", "waiting"]),
            Line(words: "register", exit: 75, keys: ["flow", "submission", "user"]),
            Line(words: "resume", exit: 75, keys: ["flow", "submission", "user"]),
            Line(words: "resume", exit: 65, input: ["not/a/name"]),
            Line(words: "login", exit: 75, keys: ["flow", "submission", "user"]),
            Line(words: "login", exit: 65, input: ["nobody", "anything goes"]),
            Line(words: "forgot-password", exit: 75, keys: ["flow", "submission", "user"]),
            Line(words: "forgot-password", exit: 65, input: ["nobody"]),
            Line(words: "show ffffffff", exit: 66), Line(words: "show %", exit: 66),
        ]
        for line in lists { try await Self.check(line, in: household) }
        for (table, command, keys) in [
            ("flows", "show", ["flow"]), ("users", "users show", ["users"]),
            ("submissions", "outbox show", ["submissions"]),
        ] {
            let id = try await household.sqlite3("SELECT id FROM \(table) ORDER BY id DESC LIMIT 1")
            for ending in [id, String(id.suffix(8))] {
                try await Self.check(Line(words: "\(command) \(ending)", exit: 0, keys: Set(keys)), in: household)
            }
        }
        try await household.checkInvariants()
    }

    @Test(
        "The JSON keys of a list are named like the columns of its table",
        arguments: [("flows", "flows"), ("users", "users"), ("outbox", "submissions")])
    func listsHaveKeysNamedLikeTheColumns(command: String, table: String) async throws {
        let household = try await Self.fullHousehold()
        let columns = Set(
            try await household.sqlite3("SELECT name FROM pragma_table_info('\(table)')").split(separator: "\n"))
        let rows = try #require(try await household.foyer(command, "--json").object()[table] as? [[String: Any]])
        #expect(!rows.isEmpty)
        let computed: Set<Substring> = ["why"]
        for row in rows {
            #expect(Set(row.keys.map { Substring($0) }).subtracting(columns).subtracting(computed) == [])
        }
    }

    @Test("An ending that fits several flows is refused, and the whole identifier works")
    func anAmbiguousEndingIsNoAnswer() async throws {
        let household = try Household()
        try await household.foyer("register", lines: [Person.ada.email])
        _ = try await household.sqlite3(
            """
            CREATE TEMP TABLE copy AS SELECT * FROM flows;
            UPDATE copy SET id = 'ffffffff' || substr(id, 9), submission_id = 'ffffffff' || substr(submission_id, 9);
            INSERT INTO flows SELECT * FROM copy
            """)
        let ending = try await household.sqlite3("SELECT substr(id, -8) FROM flows LIMIT 1")
        for (command, code) in [("show", "ambiguous"), ("resume", "ambiguous"), ("cancel", "not_found")] {
            let finished = try await household.foyer(command, ending, "--json")
            #expect(finished.exit == .code(66))
            #expect(try finished.error()?.code == code)
        }
        let id = try await household.sqlite3("SELECT id FROM flows ORDER BY id LIMIT 1")
        #expect(try await household.foyer("cancel", id).exit == .code(0))
        #expect(try await household.states().sorted() == ["cancelled 1 - - 0", "open 0 - - 0"])
    }

    // MARK: Words that are not understood

    @Test(
        "A command line that is not understood ends with 64, an explanation and no file",
        arguments: [
            "bogus", "--password x", "--password=x", "-x", "register extra", "show", "show a b", "users list",
            "users show",
            "outbox show", "db", "db file", "--database", "--key-file", "--json=yes flows", "help bogus",
            "status x", "login x", "forgot-password x", "app x", "app --start", "app --start nowhere", "flows --bogus",
        ])
    func whatIsNotUnderstoodIsExplained(words: String) async throws {
        let household = try Household()
        let arguments = words.split(separator: " ").map { String($0) }
        let told = try await household.foyer(arguments)
        #expect(told.exit == .code(64))
        #expect(told.stdout == "")
        #expect(
            told.stderr.contains("foyer help") || told.stderr.contains("Usage: foyer") || told.stderr.contains("flag"))
        let asObject = try await household.foyer(["--json"] + arguments)
        #expect(asObject.exit == .code(64))
        #expect(try asObject.error()?.code == "usage")
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("A password is never taken from the environment or from a flag")
    func aPasswordIsNeverTakenFromTheEnvironment() async throws {
        let household = try Household()
        let given = ["PASSWORD": Person.password, "FOYER_PASSWORD": Person.password]
        let lines = Array(Person.ada.answers.prefix(2))
        #expect(try await household.foyer("register", lines: lines, adding: given).exit == .code(75))
        #expect(try await household.states() == ["open 2 - - 0"])
        #expect(try await household.foyer("resume", "--password", "x").exit == .code(64))
    }

    // MARK: Places

    @Test("Flags before or after the command name the files, and so does the environment")
    func filesAreFoundByFlagsBeforeAndAfterTheCommandAndByTheEnvironment() async throws {
        let household = try Household()
        let database = household.folder.appending("a/my.db"), key = household.folder.appending("b/my.key")
        let lines = Array(Person.ada.answers.prefix(3))
        let started = try await household.foyer(
            "--database", database, "register", "--key-file=\(key)", lines: lines)
        #expect(started.exit == .code(75))
        #expect(!household.hasDatabase && FileManager.default.fileExists(atPath: key))
        let environment = ["FOYER_DATABASE": database, "FOYER_KEY_FILE": key, "FOYER_NETWORK": "offline"]
        #expect(try await household.foyer("db", "path", adding: environment).stdout == database + "\n")
        let rest = Array(Person.ada.answers.suffix(2))
        #expect(try await household.foyer("resume", lines: rest, adding: environment).exit == .code(75))
        let flags = ["sync", "--database", database, "--key-file", key, "--network", "mock"]
        let wrong = ["FOYER_DATABASE": "/nowhere/x", "FOYER_KEY_FILE": "/nowhere/y", "FOYER_NETWORK": "offline"]
        #expect(try await household.foyer(flags, adding: wrong).exit == .code(0))
        #expect(
            try await household.sqlite3("SELECT user_name FROM accounts", at: database + ".mock-network") == "Ada.L")
    }

    @Test("An unknown network is refused before any file is made")
    func anUnknownNetworkIsRefusedBeforeAnythingIsMade() async throws {
        let household = try Household()
        let finished = try await household.foyer("register", "--network", "bogus", "--json", lines: Person.ada.answers)
        #expect(finished.exit == .code(78))
        #expect(try finished.error()?.code == "unknown_network")
        #expect(!household.hasDatabase)
    }

    @Test("Files and folders are for their owner alone, whatever the umask")
    func filesAreForTheirOwnerAloneWhateverTheUmask() async throws {
        let household = try Household()
        let finished = try await household.shell("umask 000; foyer register", lines: Person.ada.answers)
        #expect(finished.exit == .code(0))
        let terminal = try household.terminal("register")
        try await terminal.expect("[1/5]")
        var seen = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: household.folder.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: household.folder.appending(path))
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(path)")
            seen += 1
        }
        #expect(seen > 8)
    }

    // MARK: Giving up

    @Test("Giving up takes the newest open flow or the one that is named")
    func givingUpTakesTheNewestOpenFlowOrTheNamedOne() async throws {
        let household = try Household()
        for person in [Person.ada, .grace] { try await household.foyer("register", lines: [person.email]) }
        let first = try await household.sqlite3("SELECT id FROM flows ORDER BY updated_at LIMIT 1")
        let cancelled = try await household.foyer("cancel", "--json")
        #expect((try cancelled.object()["flow"] as? [String: Any])?["status"] as? String == "cancelled")
        #expect(try await household.states() == ["open 1 - - 0", "cancelled 1 - - 0"])
        #expect(try await household.foyer("cancel", first).stdout == "Cancelled \(first)\n")
        #expect(try await household.foyer("cancel").exit == .code(66))
        for command in ["cancel", "resume"] {
            let again = try await household.foyer(command, first, "--json")
            #expect(again.exit == .code(1))
            #expect(try again.error()?.code == "flow_closed")
        }
    }

    @Test("A waiting submission that is given up is never sent")
    func givingUpAWaitingSubmissionSendsNothing() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let id = try await household.sqlite3("SELECT id FROM flows")
        #expect(try await household.foyer("cancel", id).exit == .code(0))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.states() == ["cancelled 5 cancelled - 0"])
        #expect(try await household.accounts() == "")
        try await household.checkInvariants()
    }

    // MARK: Helpers

    /// A finished, a waiting and an open registration.
    static func fullHousehold() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        try await household.foyer("register", lines: ["third@example.org"])
        return household
    }

    /// Runs a line for people and for programs.
    static func check(_ line: Line, in household: Household) async throws {
        let told = try await household.foyer(line.arguments, lines: line.input)
        #expect(told.exit == .code(line.exit), "\(line.words)")
        #expect(!told.stdout.hasPrefix("{"))
        if line.exit >= 64 {
            #expect(told.stderr != "", "\(line.words)")
            #expect(told.stdout == "" || line.keys.contains("accepted"), "\(line.words)")
        }
        let asObject = try await household.foyer(line.arguments + ["--json"], lines: line.input)
        #expect(asObject.exit == .code(line.exit), "\(line.words)")
        let object = try asObject.object()
        #expect(Set(object.keys) == (line.keys.isEmpty ? ["error"] : line.keys).union(["schema"]), "\(line.words)")
        if let error = try asObject.error() {
            #expect(error.message != "" && asObject.stderr.contains(error.message))
        }
    }
}
