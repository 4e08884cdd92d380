import Foundation
import TestSupport
import Testing

/// Every command on a terminal, on pipes, with `--json`, with `NO_COLOR` and with `TERM=dumb`: how it ends, what goes
/// where, and that nothing but a terminal is told to draw.
///
/// | what a good command line does | held by |
/// |---|---|
/// | help in four forms, examples first, 80 columns | `HelpTests` |
/// | version | `HelpTests`, `ContractTests` |
/// | data on standard output, the rest on standard error; `--json`; exit codes | here, `ContractTests` |
/// | flags anywhere, `--`, no abbreviation, suggestions | `ParsingTests` |
/// | no question without a terminal; time-outs | here, `ContractTests` |
/// | passwords | `GivenPasswordTests`, `SecrecyTests`, `TerminalTests` |
/// | colour | here, `ColorTests` |
/// | config precedence, XDG | `ConfigTests`, `ContractTests` |
/// | completion, manual page | `CompletionTests`, `HelpTests` |
/// | destructive actions | `UsersCommandTests`, `KeyCommandTests`, `ConfirmationTests` |
@Suite(.timeLimit(.minutes(5))) struct CommandMatrixTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let words: String
        let exit: Int32
        /// Whether it has data, which belongs to standard output.
        var hasData = true
        var testDescription: String { words.isEmpty ? "foyer" : words }
        var arguments: [String] { words.split(separator: " ").map { String($0) } }
    }

    /// Each one where a registration is finished, another one waits, and a third is open; ID is what the place is about.
    static let lines = [
        Line(words: "", exit: 0), Line(words: "flows", exit: 0), Line(words: "users", exit: 0),
        Line(words: "outbox", exit: 0), Line(words: "show FLOW", exit: 0), Line(words: "users show USER", exit: 0),
        Line(words: "outbox show SUBMISSION", exit: 0), Line(words: "users export USER", exit: 0),
        Line(words: "users erase USER --dry-run", exit: 0), Line(words: "db path", exit: 0),
        Line(words: "db migrate", exit: 0), Line(words: "db prune --dry-run", exit: 0), Line(words: "doctor", exit: 0),
        Line(words: "config", exit: 0), Line(words: "version", exit: 0), Line(words: "help", exit: 0),
        Line(words: "help users", exit: 0), Line(words: "help environment", exit: 0),
        Line(words: "flows --help", exit: 0),
        Line(words: "resume --dry-run", exit: 0), Line(words: "completions bash", exit: 0),
        Line(words: "sync --network offline --wait 0", exit: 75), Line(words: "outbox retry SUBMISSION", exit: 0),
        Line(words: "show ffffffff", exit: 66, hasData: false), Line(words: "bogus", exit: 64, hasData: false),
        Line(words: "flows --yes", exit: 64, hasData: false), Line(words: "key", exit: 64, hasData: false),
        Line(words: "register --no-input", exit: 75, hasData: false),
        Line(words: "login --no-input", exit: 75, hasData: false),
        Line(words: "forgot-password --no-input", exit: 75, hasData: false),
    ]

    /// The line with the identifiers of what is in the household.
    static func arguments(_ line: Line, in household: Household) async throws -> [String] {
        var arguments = line.arguments
        for (name, table, order) in [
            ("FLOW", "flows", "created_at"), ("USER", "users", "created_at"), ("SUBMISSION", "submissions", "seq DESC"),
        ] {
            guard let place = arguments.firstIndex(of: name) else { continue }
            arguments[place] = try await household.sqlite3("SELECT id FROM \(table) ORDER BY \(order) LIMIT 1")
        }
        return arguments
    }

    @Test("Without a terminal each command keeps data and messages apart and draws nothing")
    func everyCommandKeepsToItsStreams() async throws {
        let household = try await ContractTests.fullHousehold()
        for line in Self.lines {
            let arguments = try await Self.arguments(line, in: household)
            for surroundings in [[:], ["NO_COLOR": "1"], ["TERM": "dumb"]] {
                let told = try await household.foyer(arguments, adding: surroundings)
                #expect(told.exit == .code(line.exit), "\(line.words): \(told.stderr)")
                #expect(told.stdout.isEmpty == !line.hasData, "\(line.words): \(told.stdout)")
                #expect(!(told.stdout + told.stderr).contains("\u{1B}"), "\(line.words)")
                if line.exit != 0 { #expect(told.stderr != "", "\(line.words)") }
            }
            let asObject = try await household.foyer(arguments + ["--json"], adding: ["CLICOLOR_FORCE": "1"])
            #expect(asObject.exit == .code(line.exit), "\(line.words): \(asObject.stderr)")
            #expect(try asObject.object()["error"] == nil || line.exit >= 64, "\(line.words)")
            #expect(!asObject.stdout.contains("\u{1B}"), "\(line.words)")
        }
        try await household.checkInvariants()
    }

    @Test(
        "On a terminal each command ends with the same code and respects NO_COLOR and TERM=dumb",
        arguments: [[:], ["NO_COLOR": "1"], ["TERM": "dumb"]])
    func everyCommandEndsAlikeOnATerminal(surroundings: [String: String]) async throws {
        let household = try await ContractTests.fullHousehold()
        for line in Self.lines {
            let program = try household.program(try await Self.arguments(line, in: household)).adding(surroundings)
            let terminal = try PseudoTerminal(program)
            #expect(try await terminal.wait() == .code(line.exit), "\(line.words): \(terminal.transcript)")
            // A line of progress, on a slow machine, is erased also where there is no colour.
            #expect(surroundings.isEmpty || !terminal.transcript.contains(/\u{1B}\[[0-9;]*m/), "\(line.words)")
            #expect(surroundings["TERM"] == nil || !terminal.transcript.contains("\u{1B}"), "\(line.words)")
        }
        try await household.checkInvariants()
    }

    @Test("Help, version and completions open neither a database, nor a config file, nor a connection")
    func whatNeedsNothingOpensNothing() async throws {
        try #require(await Strace.isAvailable())
        let household = try await ContractTests.fullHousehold()
        for words in [
            ["help"], ["--help"], ["help", "users"], ["--version"], ["version", "--json"], ["completions", "zsh"],
        ] {
            let (lines, finished) = try await Strace.calls(
                ["openat", "open", "socket", "connect"], of: try household.program(words))
            #expect(finished.exit == .code(0))
            #expect(!lines.isEmpty)
            #expect(lines.filter { $0.contains(household.folder.path) || $0.contains("socket(") } == [], "\(words)")
        }
        for words in [["flows"], ["users"], ["outbox"], [], ["db", "path"], ["config"], ["doctor"]] {
            let (lines, finished) = try await Strace.calls(["socket", "connect"], of: try household.program(words))
            #expect(finished.exit == .code(0))
            #expect(lines == [], "\(words)")
        }
    }
}

/// `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`.
@Suite(.timeLimit(.minutes(2))) struct ColorTests {
    @Test(
        "A pipe gets colour only on request",
        arguments: [
            ([], [:], false), (["--color", "always"], [:], true), (["--color=always"], ["NO_COLOR": "1"], true),
            (["--color", "never"], ["CLICOLOR_FORCE": "1"], false),
        ] as [([String], [String: String], Bool)])
    func onAPipeOnlyWhoAsksGetsIt(flags: [String], environment: [String: String], isBold: Bool) async throws {
        let household = try Household()
        let told = try await household.foyer(["help"] + flags, adding: environment)
        #expect(told.stdout.contains("\u{1B}[1m") == isBold)
    }

    @Test("A terminal gets colour unless it is dumb")
    func aTerminalHasItUnlessItIsDumb() async throws {
        let household = try Household()
        for (environment, isBold) in [([:], true), (["TERM": "dumb"], false), (["TERM": ""], false)] {
            let terminal = try PseudoTerminal(try household.program(["help"]).adding(environment))
            #expect(try await terminal.wait() == .code(0))
            #expect(terminal.transcript.contains("\u{1B}[1m") == isBold, "\(environment)")
        }
    }
}
