import Foundation
import TestSupport
import Testing

/// `foyer outbox`, and what can be done about what waits there.
@Suite(.timeLimit(.minutes(2))) struct OutboxTests {
    /// A household whose one registration may have been sent: its answer was lost.
    private static func doubtful() async throws -> (Household, id: String) {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        _ = try await household.sqlite3("UPDATE submissions SET maybe_sent = 1")
        return (household, try await household.sqlite3("SELECT id FROM submissions"))
    }

    @Test("A submission that surely never left is taken back at once")
    func whatSurelyNeverLeftIsTakenBackAtOnce() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let id = try await household.sqlite3("SELECT id FROM submissions")
        let cancelled = try await household.foyer("outbox", "cancel", id)
        #expect(cancelled.exit == .code(0) && cancelled.stdout == "Cancelled \(id)\n")
        #expect(try await household.states() == ["cancelled 5 cancelled - 0"])
        #expect(try await household.foyer("outbox", "cancel", id).exit == .code(1))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.accounts() == "")
        try await household.checkInvariants()
    }

    @Test("A submission that may have been sent is taken back by the next sync", arguments: ["outbox", "flow"])
    func whatMayHaveBeenSentIsTakenBackByTheNextSync(command: String) async throws {
        let (household, id) = try await Self.doubtful()
        let words =
            command == "outbox"
            ? ["outbox", "cancel", id] : ["cancel", try await household.sqlite3("SELECT id FROM flows")]
        let asked = try await household.foyer(words)
        #expect(asked.exit == .code(75))
        #expect(asked.stderr.contains("`foyer sync` asks it to refuse it"))
        #expect(try await household.foyer("outbox").stdout.contains("(to be taken back)"))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.states() == ["cancelled 5 cancelled - 0"])
        #expect(try await household.accounts() == "")
        try await household.checkInvariants()
    }

    @Test("A parked submission is sent only after somebody retries it")
    func whatIsParkedIsSentWhenSomebodyWantsIt() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let id = try await household.sqlite3("SELECT id FROM submissions")
        _ = try await household.sqlite3("UPDATE submissions SET state = 'parked', reason = 'the network answered 400'")
        #expect(try await household.foyer("sync").exit == .code(75))
        #expect(try await household.foyer("outbox", "show", id).stdout.contains("parked: the network answered 400"))
        #expect(try await household.foyer("outbox", "show", id).stderr.contains("foyer outbox retry \(id.suffix(8))"))
        let stuck = try await household.foyer("sync")
        #expect(stuck.exit == .code(75) && stuck.stderr.contains("1 parked: no sync sends them by itself."))
        #expect(try await household.foyer("show", id).stderr.contains("foyer outbox show \(id)"))
        #expect(try await household.foyer("doctor").stdout.contains("1 of them are parked"))
        #expect(try await household.foyer("outbox", "retry", id).stdout == "Due now: \(id)\n")
        #expect(try await household.foyer("sync").exit == .code(0))
        let shown = try await household.foyer("outbox", "show", id, "--json").object()
        let submission = try #require((shown["submissions"] as? [[String: Any]])?.first)
        let attempts = try #require(submission["submission_attempts"] as? [[String: Any]])
        #expect(attempts.map { $0["outcome"] as? String } == ["accepted"])
        #expect(attempts.map { $0["task"] as? String } == ["submit"])
        try await household.checkInvariants()
    }

    @Test(
        "A wrong outbox or sync command line ends with the usage code",
        arguments: ["outbox frobnicate x", "outbox show", "outbox retry", "sync --wait soon", "sync --wait -1"])
    func whatIsNotUnderstoodIsExplained(words: String) async throws {
        let household = try Household()
        #expect(try await household.foyer(words.split(separator: " ").map(String.init)).exit == .code(64))
    }

    @Test(
        "A submission that does not exist is not found, and no database is made",
        arguments: ["outbox retry nothing", "outbox cancel nothing", "outbox show nothing"])
    func whatIsNotThereIsNotFound(words: String) async throws {
        let household = try Household()
        #expect(try await household.foyer(words.split(separator: " ").map(String.init)).exit == .code(66))
        #expect(!household.hasDatabase)
    }
}
