import Foundation
import TestSupport
import Testing

/// What somebody has planted in the file, or a server has said, reaches no terminal as a command.
@Suite(.timeLimit(.minutes(2))) struct HostileTextTests {
    /// Turns the screen red, clears it by an 8-bit control, turns the writing direction, and begins a line of its own.
    private static let planted = "char(27) || '[31m' || char(155) || '2J' || char(8238) || 'txt' || char(10) || 'fake'"

    private static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", lines: Array(Person.grace.answers[..<4]))
        _ = try await household.sqlite3(
            """
            UPDATE users SET email = \(planted), user_name = \(planted), first_name = \(planted);
            UPDATE flows SET step = \(planted), path = \(planted);
            UPDATE flow_steps SET value = \(planted) WHERE kept = 'clear';
            UPDATE flow_steps SET error = \(planted);
            UPDATE submissions SET reason = \(planted), last_error = \(planted), state = 'parked';
            INSERT INTO submission_attempts (submission_id, fence, worker, task, started_at, outcome, error)
            SELECT id, 1, \(planted), 'submit', created_at, 'retry', \(planted) FROM submissions;
            UPDATE coordinators SET slot = \(planted)
            """)
        return household
    }

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            ["\n", "\t"].contains(scalar)
                || !((0..<0x20).contains(scalar.value) || (0x7F..<0xA0).contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value))
        }
    }

    @Test("No command passes on planted text that a terminal would act on")
    func noCommandPassesOnWhatATerminalWouldActOn() async throws {
        let household = try await Self.household()
        let flow = try await household.sqlite3("SELECT id FROM flows WHERE status = 'submitted'")
        let user = try await household.sqlite3("SELECT id FROM users")
        let submission = try await household.sqlite3("SELECT id FROM submissions")
        let commands = [
            ["users"], ["users", "show", user], ["users", "export", user], ["flows"], ["show", flow], ["outbox"],
            ["outbox", "show", submission], ["resume", "--dry-run"], ["resume", "\u{1B}[31m\u{9B}2J"], ["\u{1B}[31m"],
            ["doctor"], ["sync", "--network", "offline", "--wait", "0"], [],
        ]
        var shown = 0
        for command in commands {
            for json in [[], ["--json"]] {
                let finished = try await household.foyer(command + json)
                #expect(Self.isHarmless(finished.stdout), "\(command): \(finished.stdout.debugDescription)")
                #expect(Self.isHarmless(finished.stderr), "\(command): \(finished.stderr.debugDescription)")
                if (finished.stdout + finished.stderr).uppercased().contains("U{1B}[31M")
                    || finished.stdout.contains("\\u001b[31m")
                {
                    shown += 1
                }
                if command.first == "users", json.isEmpty, command.count == 1 {
                    #expect(finished.stdout.split(separator: "\n").count == 1, "one row is one line")
                }
            }
        }
        #expect(shown >= 14, "the planted text was shown")
        // Through JSON it still arrives as it is.
        let listed = try await household.foyer("users", "--json").object()["users"] as? [[String: Any]]
        let expected = try await household.sqlite3("SELECT hex(email) FROM users")
        let arrived = Array(try #require(listed?.first?["email"] as? String).utf8)
        #expect(arrived.map { String(format: "%02X", $0) }.joined() == expected)
        let terminal = try household.terminal("users", "--show")
        #expect(try await terminal.wait() == .code(0))
        #expect(!terminal.transcript.contains("\u{1B}[31m") && !terminal.transcript.contains("\u{9B}"))
    }

    @Test("A list says how many unreadable rows it leaves out and names the doctor")
    func listsSayHowManyRowsTheyLeaveOut() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        _ = try await household.sqlite3(
            "UPDATE users SET email = CAST(x'61ff62' AS TEXT) WHERE user_name = '\(Person.ada.userName)'")
        let listed = try await household.foyer("users")
        #expect(listed.exit == .code(0) && listed.stdout.contains("grace"))
        #expect(listed.stderr.contains("1 rows were left out") && listed.stderr.contains("foyer doctor"))
        let doctor = try await household.foyer("doctor")
        #expect(doctor.exit == .code(78) && doctor.stdout.contains("column email"))
        #expect(try await household.foyer("flows").stderr == "")
    }
}
