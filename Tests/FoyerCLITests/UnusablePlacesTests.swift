import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoyerCLI

/// Every command where a stream, a folder or a variable cannot be used: it ends with an exit code of the contract and,
/// where standard error can be written, with a line.
@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(15))) struct UnusablePlacesTests {
    /// What cannot be used.
    enum Place: String, CaseIterable, Sendable {
        case outputFull, outputClosed, errorFull, errorClosed, inputClosed, allClosed
        case folderGone, noTemporaryFolder
        case noHome, homeIsFile, homeInProc
        case databaseBelowFile, databaseIsDevice, databaseInProc, databaseIsFolder, databaseInFolderGone

        /// What the shell does with the program's streams.
        var redirections: String {
            switch self {
            case .outputFull: ">/dev/full"
            case .outputClosed: ">&-"
            case .errorFull: "2>/dev/full"
            case .errorClosed: "2>&-"
            case .inputClosed: "<&-"
            case .allClosed: "<&- >&- 2>&-"
            default: ""
            }
        }

        var leavesStreams: Bool { redirections.isEmpty }
        var losesOutput: Bool { [.outputFull, .outputClosed, .allClosed].contains(self) }
        var losesErrors: Bool { [.errorFull, .errorClosed, .allClosed].contains(self) }
        /// Whether the store can be used all the same.
        var hasStore: Bool { !leavesStreams || self == .folderGone || self == .noTemporaryFolder }

        func flags(in household: Household) -> [String] {
            switch self {
            case .databaseBelowFile: ["--database", "/etc/passwd/foyer.db"]
            case .databaseIsDevice: ["--database", "/dev/full"]
            case .databaseInProc: ["--database", "/proc/foyer.db"]
            case .databaseIsFolder: ["--database", household.folder.path]
            case .databaseInFolderGone: ["--database", "foyer.db"]
            default: []
            }
        }

        func environment(in household: Household) -> [String: String]? {
            switch self {
            case .noHome: [:]
            case .homeIsFile: ["HOME": "/etc/passwd"]
            case .homeInProc: ["HOME": "/proc"]
            case .noTemporaryFolder: ["TMPDIR": "/nowhere"]
            default: nil
            }
        }
    }

    /// Each of them ends by itself; ID is what the place is about.
    static let lines: [(words: String, input: [String])] = [
        ("", []), ("flows", []), ("show FLOW", []), ("cancel", []), ("tree", []), ("users", []),
        ("users show USER", []), ("users erase USER --yes", []), ("users export USER", []), ("outbox", []),
        ("outbox show SUBMISSION", []), ("outbox retry SUBMISSION", []), ("outbox cancel SUBMISSION", []),
        ("outbox redirect SUBMISSION --network mock --yes", []),
        ("sync", []), ("stats", []), ("doctor", []), ("db path", []), ("db backup COPY", []), ("db migrate", []),
        ("db prune", []), ("db restore COPY --yes", []), ("db trust-clock", []), ("key rotate", []),
        ("key reset --yes", []), ("config", []), ("completions fish", []),
        ("help", []), ("version", []), ("register", Person.hedy.answers), ("resume", ["someone"]),
        ("login", [Person.ada.userName]), ("forgot-password", []), ("app", []), ("app --json", []),
        ("open foyer://register", []),
    ]
    /// Those that serve until a signal ends them.
    static let serving = ["mock-server", "sync --watch"]

    @Test("Every command is tried in the unusable places")
    func noCommandIsMissing() {
        let words = Self.lines.map(\.words) + Self.serving
        for placed in PlacedCommand.all where placed.command.run != nil {
            let name = placed.path.joined(separator: " ")
            #expect(words.contains { $0 == name || $0.hasPrefix(name + " ") }, "\(name)")
        }
    }

    /// One run on a copy of the household.
    private static func run(
        _ words: String, _ input: [String], _ place: Place?, in golden: Household, flags: [String] = []
    ) async throws -> (Program.Finished, Household) {
        let household = try Household(copying: golden)
        var arguments = try await CommandMatrixTests.arguments(.init(words: words, exit: 0), in: household)
        if let copy = arguments.firstIndex(of: "COPY") { arguments[copy] = household.folder.appending("copy.db") }
        arguments += (place?.flags(in: household) ?? []) + flags
        var program = try household.program([])
        let start =
            place == .folderGone || place == .databaseInFolderGone
            ? "mkdir gone; cd gone; rmdir ../gone; " : ""
        program.arguments = ["-c", "\(start)exec \(program.executable) \"$@\" \(place?.redirections ?? "")", "sh"]
        program.arguments += arguments
        program.executable = "/bin/bash"
        program.folder = household.folder.path
        if let environment = place?.environment(in: household) {
            program.environment =
                place?.hasStore == true ? program.environment.merging(environment) { $1 } : environment
        }
        return (try await program.run(input: .text(input.map { $0 + "\n" }.joined())), household)
    }

    @Test(
        "Where the store is usable the work is done, and lost output is a failure",
        arguments: Place.allCases.filter(\.hasStore))
    func whatCanBeDoneIsDone(place: Place) async throws {
        let golden = try await ContractTests.fullHousehold()
        for (words, input) in Self.lines {
            let (usual, _) = try await Self.run(words, input, nil, in: golden)
            let (finished, household) = try await Self.run(words, input, place, in: golden)
            let what: Comment = "\(words): \(finished.stdout) \(finished.stderr)"
            if !(place == .inputClosed || place == .allClosed) || input.isEmpty {
                // A command that did all it was asked for has failed where its data are lost.
                let isLost = place.losesOutput && !usual.stdout.isEmpty
                #expect(finished.exit == (isLost && usual.exit == .code(0) ? .code(74) : usual.exit), what)
                if isLost, !place.losesErrors { #expect(finished.stderr.contains("Standard output cannot be "), what) }
                if !place.losesOutput { #expect(finished.stdout.isEmpty == usual.stdout.isEmpty, what) }
            }
            try Self.check(finished, place, what)
            let file = try #require(FileManager.default.contents(atPath: household.database))
            #expect(file.starts(with: "SQLite format 3".utf8), "\(words) wrote into the database")
            #expect(try await household.sqlite3("PRAGMA integrity_check") == "ok", what)
        }
    }

    @Test(
        "Where the store cannot be used, each command says so with a contract exit code",
        arguments: Place.allCases.filter { !$0.hasStore })
    func whatCannotBeDoneIsSaid(place: Place) async throws {
        let golden = try await ContractTests.fullHousehold()
        for (words, input) in Self.lines {
            let (finished, _) = try await Self.run(words, input, place, in: golden)
            try Self.check(finished, place, "\(words): \(finished.stdout) \(finished.stderr)")
            let (told, _) = try await Self.run(words, input, place, in: golden, flags: ["--json"])
            if !words.hasPrefix("app") || told.exit != .code(0) { _ = try told.object() }
            if words.hasPrefix("register") || words.hasPrefix("app --json") || words.hasPrefix("open") {
                #expect([.code(73), .code(74), .code(78)].contains(told.exit), "\(words): \(told.stderr)")
                #expect(try told.error() != nil)
            }
        }
    }

    @Test(
        "A serving command ends when its output can reach nobody",
        arguments: [Place.outputFull, .outputClosed, .allClosed])
    func whoServesEndsWhenNobodyCanHearIt(place: Place) async throws {
        let golden = try await ContractTests.fullHousehold()
        for words in Self.serving {
            let (finished, _) = try await Self.run(words, [], place, in: golden)
            #expect(finished.exit == .code(74), "\(words)")
            try Self.check(finished, place, "\(words)")
        }
    }

    @Test("Nothing is opened under the number of a closed standard descriptor")
    func closedDescriptorsAreNobodyElses() async throws {
        try #require(await Strace.isAvailable())
        let household = try await ContractTests.fullHousehold()
        for redirections in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
            var program = try household.program([])
            program.arguments = ["-c", "exec \(program.executable) users \(redirections)"]
            program.executable = "/bin/bash"
            let (lines, _) = try await Strace.calls(["openat", "eventfd2", "epoll_create1"], of: program)
            let own = lines.filter {
                $0.contains(household.folder.path) || $0.contains("boot_id") || $0.contains("fd2(")
            }
            #expect(own.contains { $0.contains("foyer.db") }, "\(lines)")
            #expect(own.filter { $0.contains(/= [012](<|$)/) } == [], "\(redirections)")
        }
    }

    @Test("A pipe that nobody reads any more ends the program by its signal; where that is ignored, with 74 and a line")
    func brokenPipe() async throws {
        let household = try await ContractTests.fullHousehold()
        let foyer = try household.program([]).executable
        for words in ["help --markdown", "users", "outbox --json", "app --json"] {
            // The only reader is gone before the program begins.
            let pipe = household.folder.appending("pipe")
            let line =
                "mkfifo \(pipe); exec 3<>\(pipe) 4>\(pipe) 3<&-; rm \(pipe); \(foyer) \(words) >&4; echo $? >&2"
            let ended = try await household.shell(line)
            #expect(ended.stderr.hasSuffix("\(128 + SIGPIPE)\n"), "\(words): \(ended.stderr)")
            let ignored = try await household.shell("trap '' PIPE; \(line)")
            #expect(ignored.stderr.contains("Standard output cannot be written: Broken pipe."), "\(words)")
            #expect(ignored.stderr.hasSuffix("74\n") || ignored.stderr.hasSuffix("75\n"), "\(words)")
        }
        try await household.checkInvariants()
    }

    private static func check(_ finished: Program.Finished, _ place: Place, _ what: Comment) throws {
        guard case .code(let code) = finished.exit else {
            Issue.record("ended by a signal: \(what)")
            return
        }
        #expect(code != ExitCode.failed.rawValue && ExitCode(rawValue: code) != nil, what)
        if code != 0, !place.losesErrors { #expect(finished.stderr.hasSuffix("\n"), what) }
    }
}
