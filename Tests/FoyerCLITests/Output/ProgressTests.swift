import Foundation
import FoyerMockNetwork
import TestSupport
import Testing

/// How far long work is: on a terminal a line that is gone before the results, elsewhere a plain line now and then.
@Suite(.timeLimit(.minutes(2))) struct ProgressTests {
    private static let erase = "\r\u{1B}[K"

    /// A household with so many registrations that wait, and a server that takes its time.
    private static func waiting(_ count: Int) async throws -> (Household, PseudoTerminal, url: String) {
        let household = try Household()
        let server = try household.terminal(
            "mock-server", "--fault", "delay=700ms", "--state", household.folder.appending("accounts"))
        try await server.expect("Faults follow")
        let url = try #require(server.transcript.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+/#)).output
        for number in 0..<count {
            let person = Person(email: "p\(number)@example.org", userName: "person\(number)")
            try await household.foyer(
                "register", "--network", "offline", lines: person.answers, adding: ["FOYER_NETWORK": String(url)])
        }
        return (household, server, String(url))
    }

    @Test("On a terminal the progress line is redrawn in place and gone before the result")
    func onATerminalALineIsDrawnAnewAndGoneBeforeTheResult() async throws {
        let (household, server, url) = try await Self.waiting(5)
        let shown = try await household.shown("sync", "--network", url)
        #expect(shown.contains("\rDelivering  ░░") && shown.contains(" 0 of 5\u{1B}[K"))
        #expect(shown.contains(" 80 %  4 of 5\u{1B}[K"))
        #expect(shown.contains("\(Self.erase)5 accepted, 0 rejected, 0 waiting.\n"))
        #expect(!shown.contains("?25l"), "the cursor stays")
        withExtendedLifetime(server) {}
        try household.checkSecrecy()
    }

    @Test(
        "Where nothing may be redrawn, progress is a plain line every few seconds",
        arguments: [[:], ["TERM": "dumb"], ["FOYER_ACCESSIBLE": "1"]])
    func elsewhereALineIsSaidEveryFewSeconds(variables: [String: String]) async throws {
        let (household, server, url) = try await Self.waiting(15)
        let shown: String
        if variables.isEmpty {
            let finished = try await household.foyer("sync", "--network", url)
            #expect(finished.stdout == "15 accepted, 0 rejected, 0 waiting.\n")
            shown = finished.stderr
        } else {
            shown = try await household.shown("sync", "--network", url, adding: variables)
        }
        let lines = shown.split(separator: "\n").filter { $0.hasPrefix("Delivering: ") }
        #expect(!lines.isEmpty, "\(shown)")
        #expect(lines.first?.hasSuffix(variables["FOYER_ACCESSIBLE"] == nil ? " of 15" : " percent done.") == true)
        #expect(!shown.contains("\u{1B}") && !shown.contains("\r"))
        withExtendedLifetime(server) {}
    }

    @Test("With --json no progress is shown")
    func aScriptThatReadsJSONSeesNothingOfIt() async throws {
        let (household, server, url) = try await Self.waiting(5)
        let shown = try await household.shown("sync", "--network", url, "--json")
        #expect(!shown.contains("\u{1B}") && !shown.contains("Delivering"))
        #expect(shown.hasPrefix(#"{"accepted":5,"rejected":0,"schema":1,"waiting":0}"#))
        withExtendedLifetime(server) {}
    }

    @Test("Work that is done at once shows no progress")
    func whatIsDoneAtOnceShowsNothing() async throws {
        let household = try Household()
        let shown = try await household.shown("sync")
        #expect(shown == "0 accepted, 0 rejected, 0 waiting.\n")
    }

    @Test("A large backup and a large check tell how far they are")
    func aLargeCopyTellsHowFarItIs() async throws {
        let household = try Household()
        try await household.foyer("register", lines: ["ada@example.org"])
        _ = try await household.sqlite3(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO events (at, what, detail, counted_from)
            SELECT '2026-01-01T00:00:00.000Z', 'x', hex(randomblob(200)), 0 FROM n
            """)
        let shown = try await household.shown("db", "backup", household.folder.appending("copy.db"))
        #expect(shown.contains(#/\rCopying  [█░]{24}  \d+ %\u{1B}\[K/#))
        #expect(shown.contains("\(Self.erase)\(household.folder.appending("copy.db"))\n"))
        #expect(try await household.shown("doctor").contains(#/\rChecking  [█░]{24}  \d+ %  \d of 10\u{1B}\[K/#))
    }
}
