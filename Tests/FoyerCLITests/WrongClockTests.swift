import Foundation
import FoyerMockNetwork
import TestSupport
import Testing

#if os(Linux)
/// The program on a machine whose clock somebody has set wrong.
@Suite(.timeLimit(.minutes(3))) struct WrongClockTests {
    private static let day: Int64 = 86400

    @Test("A sync with the clock 32 days ahead, or ten years, says so and removes nobody", arguments: [32, 3650])
    func ahead(days: Int64) async throws {
        let household = try Household()
        for count in 1...4 {
            try await household.foyer("register", lines: Array(Person.ada.answers.prefix(count)))
        }
        let before = try await household.sqlite3("SELECT * FROM flow_steps")
        let shift = try await clockShift(seconds: days * Self.day)
        let wrong = try await household.foyer("sync", adding: shift)
        #expect(wrong.exit == .code(0) && wrong.stderr.contains("was set forward by \(days) days"))
        let again = try await household.foyer("sync", adding: shift)
        #expect(!again.stderr.contains("clock"), "it is said once")
        try await household.foyer("db", "prune", "--yes", adding: shift)
        #expect(try await household.foyer("resume", "--dry-run", adding: shift).stdout.contains("password: kept"))
        let right = try await household.foyer("sync")
        #expect(right.stderr.contains("was set back by \(days) days"))
        #expect(try await household.sqlite3("SELECT * FROM flow_steps") == before)
        #expect(try await household.sqlite3("SELECT group_concat(DISTINCT status) FROM flows") == "open")
        let resumed = try await household.foyer("resume", lines: [Person.ada.answers[4]])
        #expect(resumed.stdout == "Registered \(Person.ada.userName)\n")
        try await household.checkInvariants()
    }

    @Test(
        "What was finished with a clock that is wrong is delivered to a server whose clock is right, once",
        arguments: [-40 * 365, -365, -31, 32, 10 * 365], [false, true])
    func finished(days: Int64, isRightAgain: Bool) async throws {
        let household = try Household()
        let state = household.folder.appending("server")
        let server = try await MockServer.start(MockServer.Configuration(state: state))
        let shift = try await clockShift(seconds: days * Self.day)
        // Offline, but made for that server.
        let saved = try await household.foyer(
            "register", "--network", "offline", lines: Person.ada.answers,
            adding: shift.merging(["FOYER_NETWORK": server.url]) { mine, _ in mine })
        #expect(saved.exit == .code(75))
        let synced = try await household.foyer(
            "sync", "--network", server.url, adding: isRightAgain ? [:] : shift)
        #expect(synced.exit == .code(0) && synced.stdout == "1 accepted, 0 rejected, 0 waiting.\n", "\(synced)")
        let accounts = try await household.sqlite3("SELECT email FROM accounts", at: state)
        #expect(accounts == Person.ada.email)
        #expect(try await household.people().hasSuffix("|active|1"))
        #expect(try await household.sqlite3("PRAGMA foreign_key_check") == "")
        try household.checkSecrecy()
        await server.stop()
    }

    @Test("A registration with the clock a year behind is delivered while its person waits")
    func whileWaiting() async throws {
        let household = try Household()
        let server = try await MockServer.start(
            MockServer.Configuration(state: household.folder.appending("server")))
        let finished = try await household.foyer(
            "register", "--network", server.url, lines: Person.ada.answers,
            adding: try await clockShift(seconds: -365 * Self.day))
        #expect(finished.exit == .code(0) && finished.stdout == "Registered \(Person.ada.userName)\n")
        await server.stop()
    }

    @Test("People at the sqlite3 shell see what waits and what expires by the clock that is set")
    func views() async throws {
        let household = try Household()
        let shift = try await clockShift(seconds: -31 * Self.day)
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers, adding: shift)
        try await household.foyer("register", "--network", "http://127.0.0.1:1", lines: [Person.grace.email])
        #expect(try await household.sqlite3("SELECT why FROM submissions_waiting").hasPrefix("due now"))
        let expiry = """
            SELECT round(julianday(expires_at) - julianday('now')) FROM registrations_in_progress WHERE status = 'open'
            """
        #expect(try await household.sqlite3(expiry) == "30.0")
    }

    @Test("The doctor says that the clock was set, and that time off can be counted")
    func doctor() async throws {
        let household = try Household()
        try await household.foyer("register", lines: [Person.ada.email])
        #expect(try await household.foyer("doctor").stdout.contains("all time is counted"))
        let shift = try await clockShift(seconds: 400 * Self.day)
        let wrong = try await household.foyer("doctor", adding: shift)
        #expect(wrong.exit == .code(0) && wrong.stdout.contains("+400 days"))
        // As a machine leaves it that was off for forty days.
        _ = try await household.sqlite3(
            """
            UPDATE queue_clock SET boot_id = 'earlier', high_wall = high_wall - 40 * 86400000 - 3600000;
            UPDATE flows SET counted_from = counted_from - 1000
            """)
        let started = try await household.foyer("sync")
        #expect(started.stderr.contains("was off for 40 days") && started.stderr.contains("foyer db trust-clock"))
        #expect(try await household.foyer("doctor").stdout.contains("40 days passed by the clock"))
        #expect(try await household.foyer("flows", "--json").stdout.contains("\"open\""), "it is not counted")
        let asked = try household.terminal("db", "trust-clock")
        try await asked.expect("Is that true?")
        try asked.send("n\r")
        #expect(try await asked.wait() == .code(64))
        #expect(try await household.foyer("db", "trust-clock").stdout == "40 days counted.\n")
        #expect(try await household.foyer("flows", "--json").object()["flows"] as? [String] == [])
        #expect(try await household.foyer("db", "trust-clock").stdout == "All time is counted already.\n")
    }
}
#endif
