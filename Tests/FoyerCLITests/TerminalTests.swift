import Foundation
import Glibc
import TestSupport
import Testing

/// What a person at a terminal sees, and what becomes of streams that are not there.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
    /// Runs a command on a terminal and gives what was shown.
    private static func shown(_ household: Household, _ arguments: String...) async throws -> String {
        let line = arguments.joined(separator: " ")
        let terminal = try PseudoTerminal(
            Program(
                "/bin/sh", ["-c", "exec \"$0\" \(line)", try household.program([]).executable],
                environment: try household.program([]).environment))
        #expect(try await terminal.wait() == .code(0))
        return terminal.transcript
    }

    @Test("Personal data are masked on a terminal only, and --show reveals them")
    func tablesHidePersonalDataOnATerminalOnly() async throws {
        let household = try await ContractTests.fullHousehold()
        let masked = try await Self.shown(household, "users")
        #expect(masked.contains("A…@E….org") && masked.contains("Ada.L") && masked.contains("grace"))
        for name in ["Example", "example.net", "Lovelace", "Hopper", "Grace"] { #expect(!masked.contains(name)) }
        for open in [
            try await Self.shown(household, "users", "--show"), try await Self.shown(household, "users", "--json"),
        ] {
            #expect(open.contains("Ada@Example.org") && open.contains("Lovelace"))
        }
        #expect(try await household.foyer("users").stdout.contains("Ada@Example.org\tAda\tLovelace\tactive"))

        let id = try await household.sqlite3("SELECT id FROM flows WHERE status = 'submitted'")
        let flow = try await Self.shown(household, "show", id)
        #expect(flow.contains("g…@e….net") && flow.contains("••••••••") && !flow.contains("Hopper"))
        #expect(try await Self.shown(household, "show", id, "--show").contains("Hopper"))
        #expect(try await household.foyer("show", id).stdout.contains("Hopper"))
        try await household.checkInvariants()
    }

    @Test("With --no-input no question is asked and nothing is stored")
    func whoMayNotBeAskedIsNotAsked() async throws {
        let household = try Household()
        for _ in 0..<2 {
            let terminal = try household.terminal("register", "--no-input")
            #expect(try await terminal.wait() == .code(75))
            #expect(!terminal.transcript.contains("[1/5]"))
        }
        #expect(try await household.states() == [])
    }

    @Test("The slower of two programs on one flow is told so and shown the current question")
    func theSecondOfTwoProgramsOnOneFlowIsToldAndShownTodaysQuestion() async throws {
        let household = try Household()
        let first = try household.terminal("register")
        try await first.answer(0..<1)
        try await first.expect("[2/5] User Name: ")
        let second = try household.terminal("resume")
        try await second.answer(1..<2, as: Person(email: "", userName: "faster"))
        try await second.expect("[3/5] Password: ")
        try first.send("slower\r")
        try await first.expect("This flow was changed elsewhere meanwhile")
        try await first.answer(2..<5)
        #expect(try await first.wait() == .code(0))
        #expect(try await household.sqlite3("SELECT user_name FROM users") == "faster")
        try second.send("correct horse battery\r")
        try await second.expect("This flow is finished")
        #expect(try await second.wait() == .code(0))
        try await household.checkInvariants()
    }

    @Test("A flow that was given up elsewhere takes no more answers")
    func aFlowThatIsGivenUpElsewhereTakesNoMoreAnswers() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<1)
        try await terminal.expect("[2/5]")
        #expect(try await household.foyer("cancel").exit == .code(0))
        try terminal.send("ada\r")
        try await terminal.expect("This flow is cancelled and takes no more answers.")
        #expect(try await terminal.wait() != .code(0))
        #expect(!terminal.transcript.contains("`foyer sync` delivers"))
        #expect(try await household.states() == ["cancelled 1 - - 0"])
    }

    @Test("Typed text that a terminal would act on is never shown as it is")
    func whatATerminalWouldActOnIsNeverShownAsItIs() async throws {
        let household = try Household()
        let evil = "x\u{1b}]0;owned\u{7}\u{1b}[31m\u{202e}"
        for (position, line) in [(0, evil + "@example.org"), (1, evil), (3, evil), (4, evil)] {
            let lines = Person.ada.answers.prefix(position) + [line]
            let refused = try await household.foyer("register", lines: Array(lines))
            #expect(refused.exit == .code(65))
            #expect(!refused.stderr.contains("\u{1b}") && !refused.stdout.contains("\u{1b}"))
        }
        for words in [["show", evil], [evil], ["--\(evil)"], ["--network", evil, "flows"], ["help", evil]] {
            let refused = try await household.foyer(words)
            #expect(refused.exit != .code(0))
            #expect(!refused.stderr.contains("\u{1b}") && !refused.stderr.contains("\u{202e}"))
            let asObject = try await household.foyer(words + ["--json"])
            #expect(!asObject.stdout.contains("\u{1b}"))
        }
        // Typed at a terminal that edits its line by itself: it takes the escape for text, and shows it as ^[.
        let terminal = try household.terminal(["register"], adding: ["TERM": "dumb"])
        try await terminal.expect("[1/5] Email Address: ")
        try terminal.send("a\u{1b}[31mb@example.org\r")
        try await terminal.expect("(Enter for \"a\\u{1B}[31mb@example.org\")")
        #expect(!terminal.transcript.contains("\u{1b}"))
    }

    @Test("Personal data from a damaged row are shown harmlessly, one row to a line")
    func personalDataFromADamagedRowIsShownHarmlessly() async throws {
        let household = try await ContractTests.fullHousehold()
        _ = try await household.sqlite3("UPDATE users SET user_name = 'x' || char(27) || '[31m' || char(10) || 'y'")
        #expect(try await !household.foyer("users").stdout.contains("\u{1b}"))
        #expect(try await household.foyer("users").stdout.split(separator: "\n").count == 2)
    }

    // MARK: Streams

    @Test("A reader that closes the pipe early ends the program quietly")
    func aReaderThatHasSeenEnoughEndsTheProgramQuietly() async throws {
        let household = try await ContractTests.fullHousehold()
        _ = try await household.sqlite3(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO users (id, user_name, status, created_at, updated_at)
            SELECT printf('00000000-0000-7000-8000-%012x', i), 'person' || i, 'active', '2026-01-01T00:00:00.000Z',
                '2026-01-01T00:00:00.000Z' FROM n
            """)
        let finished = try await household.shell("foyer users | head -1; echo ${PIPESTATUS[*]}")
        #expect(finished.stdout.split(separator: "\n").last == "141 0")
        #expect(finished.stderr == "")
    }

    @Test("Closed standard streams damage no file", arguments: ["", "0", "1", "2"])
    func closedStreamsDamageNothing(closed: String) async throws {
        let household = try Household()
        let redirection = closed == "" ? "<&- >&- 2>&-" : closed == "0" ? "<&-" : "\(closed)>&-"
        for command in ["register --json", "resume --json", "sync", "users", "register"] {
            let input =
                closed == "1" || closed == "2" ? "printf '%s\\n' a@example.org ada.l 'a fine password' A B |" : ""
            let finished = try await household.shell("\(input) foyer \(command) \(redirection)")
            if case .signal = finished.exit { Issue.record("\(command): \(finished)") }
            // What failed anyway keeps its own code.
            let code: Int32 = command.hasPrefix("resume") ? 66 : 74
            if closed == "1", command != "register" { #expect(finished.exit == .code(code), "\(command): \(finished)") }
        }
        #expect(try await household.sqlite3("PRAGMA integrity_check") == "ok")
        for file in ["foyer.db.lock", "foyer.db.mock-network.lock"] {
            let path = household.folder.appending("data/foyer/\(file)")
            guard FileManager.default.fileExists(atPath: path) else { continue }
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty, "\(file)")
        }
        let key = URL(filePath: household.keyFile)
        if FileManager.default.fileExists(atPath: household.keyFile) { #expect(try Data(contentsOf: key).count == 32) }
        try await household.checkInvariants()
    }

    @Test("A full disk under standard output is a failure")
    func aFullDiskUnderStandardOutputIsAFailure() async throws {
        let household = try await ContractTests.fullHousehold()
        #expect(try await household.shell("foyer users > /dev/full").exit == .code(74))
    }

    @Test("A hangup is ignored when the program starts with SIGHUP ignored")
    func nohupIsRespected() async throws {
        let household = try Household()
        let program = try household.program([])
        let terminal = try PseudoTerminal(
            Program(
                "/bin/sh", ["-c", "trap '' HUP; exec \"$0\" register", program.executable],
                environment: program.environment))
        try await terminal.expect("[1/5]")
        terminal.signal(SIGHUP)
        try await terminal.answer(0..<0)
        try terminal.send("ada@example.org\r")
        try await terminal.expect("[2/5]")
        try terminal.send("\u{4}")
        #expect(try await terminal.wait() == .code(75))
    }
}
