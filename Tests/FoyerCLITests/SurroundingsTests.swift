import Foundation
import Glibc
import TestSupport
import Testing

/// Strange surroundings and amounts: the program works in them, or says clearly why it cannot.
@Suite(.timeLimit(.minutes(4))) struct SurroundingsTests {
    @Test(
        "Time zone, locale and terminal variables do not change what is stored",
        arguments: [
            ["TZ": ":garbage"], ["TZ": "Pacific/Chatham"], ["LANG": "C", "LC_ALL": "C"], ["LC_ALL": "tr_TR.UTF-8"],
            ["COLUMNS": "1"], ["COLUMNS": "-1", "LINES": "x"], ["TERM": ""], ["TERM": "dumb"],
        ])
    func theEnvironmentChangesNothing(environment: [String: String]) async throws {
        let household = try Household()
        let lines = ["I@example.org", "IDA.L", Person.password, "Ädä", "Lovelace"]
        #expect(try await household.foyer("register", lines: lines, adding: environment).exit == .code(0))
        #expect(try await household.people() == "I@example.org|i@example.org|IDA.L|ida.l|Ädä|Lovelace|active|1")
        #expect(try await household.foyer("users", adding: environment).stdout.contains("Ädä"))
        let age = try await household.sqlite3(
            "SELECT abs(unixepoch('now') - unixepoch(created_at)) < 300 AND created_at LIKE '%Z' FROM flows")
        #expect(age == "1", "the moment is not in UTC")
        try await household.checkInvariants()
    }

    @Test(
        "Without a usable home folder the program says what is missing and makes no file",
        arguments: ["unset", "", "relative", "/proc"])
    func withoutAHomeItSaysWhatIsMissing(home: String) async throws {
        let household = try Household()
        var program = try household.program(["register"])
        program.environment = home == "unset" ? [:] : ["HOME": home]
        program.folder = household.folder.path
        let finished = try await program.run(input: .text("ada@example.org\n"))
        #expect(finished.exit == .code(home == "/proc" ? 73 : 78))
        #expect(finished.stderr.contains(home == "/proc" ? "/proc/.local" : "HOME"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("A limit on the file size is reported, and no answer before it is lost", .disabled(if: isSanitized))
    func aLimitOnTheSizeOfFilesIsToldAndNothingIsLost() async throws {
        let household = try Household()
        try await household.foyer("register", lines: [Person.ada.email])
        let rest = Array(Person.ada.answers.dropFirst(1))
        let stopped = try await household.shell("ulimit -f 100; foyer resume", lines: rest)
        #expect(stopped.exit == .code(74))
        let state = try #require(try await household.states().first)
        let answered = try #require(Int(state.split(separator: " ")[1]))
        #expect(state.hasPrefix("open") && answered > 0)
        #expect(try await household.foyer("resume", lines: Array(rest.dropFirst(answered - 1))).exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("Resizing the window does not disturb a registration")
    func aWindowThatChangesItsSizeDisturbsNobody() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        for position in 0..<5 {
            try await terminal.expect("\(Person.question(position)): ")
            for _ in 0..<3 { terminal.signal(SIGWINCH) }
            try terminal.send(Person.ada.answers[position] + "\r")
        }
        #expect(try await terminal.wait() == .code(0))
        #expect(try terminal.echoIsOn)
        #expect(try await household.people().hasPrefix("Ada@Example.org"))
    }

    @Test("An endless answer is refused without taking much memory", .disabled(if: isSanitized))
    func anAnswerWithoutEndIsRefusedAndTakesNoMemory() async throws {
        let household = try Household()
        let pipe = household.folder.appending("pipe")
        let foyer = try household.program([]).executable
        let line = """
            mkfifo '\(pipe)'; '\(foyer)' register <'\(pipe)' & child=$!; exec 3>'\(pipe)'
            head -c 16000000 /dev/zero | tr '\\0' a >&3
            grep VmHWM /proc/$child/status | tr -dc 0-9; exec 3>&-; wait $child; rm '\(pipe)'
            """
        let finished = try await household.shell(line)
        #expect(finished.stderr.contains("too long"), "\(finished.stderr)")
        let peak = try #require(Int(finished.stdout))
        print("peak memory with an answer of 16 MB: \(peak) kB")
        #expect(peak < 32_768)
        #expect(try await household.states() == [])
    }

    @Test("Ten thousand unfinished flows are listed in time, and the newest goes on")
    func tenThousandUnfinishedFlowsAreListedAndTheNewestGoesOn() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Array(Person.ada.answers.prefix(2)))
        let columns = try await household.sqlite3(
            "SELECT group_concat(name) FROM pragma_table_info('flows') WHERE name NOT IN ('id', 'submission_id')")
        _ = try await household.sqlite3(
            """
            CREATE TEMP TABLE copy AS SELECT \(columns) FROM flows;
            UPDATE copy SET updated_at = '2026-01-02T03:04:05.000Z';
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO flows (id, submission_id, \(columns))
                SELECT printf('01900000-0000-7000-8000-%012d', i), printf('01910000-0000-7000-8000-%012d', i), \(columns)
                FROM copy, n
            """)
        for command in [["flows"], ["flows", "--json"], []] {
            let start = ContinuousClock.now
            #expect(try await household.foyer(command).exit == .code(0))
            let time = ContinuousClock.now - start
            print("foyer \(command.joined(separator: " ")) with 10,001 flows: \(time)")
            #expect(time < .seconds(25))
        }
        #expect(try await household.foyer("flows").stdout.split(separator: "\n").count == 10_001)
        #expect(try await household.foyer("resume", lines: Array(Person.ada.answers.dropFirst(2))).exit == .code(0))
        #expect(try await household.accounts().hasPrefix("Ada@Example.org"))
    }

    @Test("Putting an older copy of the database back still leaves one account")
    func whoPutsYesterdaysCopyBackHasStillOneAccount() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let copy = household.folder.appending("yesterday")
        try FileManager.default.copyItem(atPath: household.database, toPath: copy)
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        try FileManager.default.removeItem(atPath: household.database)
        try FileManager.default.moveItem(atPath: copy, toPath: household.database)
        #expect(try await household.states() == ["submitted 5 ready pending 1"])
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        #expect(try await household.accounts().split(separator: "\n").count == 1)
        try await household.checkInvariants()
    }

    @Test(
        "Text that is no identifier finds nothing",
        arguments: ["%", "_", "*", "' OR 1=1 --", "?1", "$(id)", "../../etc/passwd", "\u{1F511}"])
    func aNameThatIsNoIdentifierFindsNothing(text: String) async throws {
        let household = try await ContractTests.fullHousehold()
        for command in [["show"], ["resume"], ["cancel"], ["outbox", "show"], ["users", "show"]] {
            let finished = try await household.foyer(command + [text, "--json"])
            #expect(finished.exit == .code(66), "\(command): \(finished.stderr)")
        }
        try await household.checkInvariants()
    }
}
