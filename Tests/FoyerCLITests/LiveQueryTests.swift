import TestSupport
import Testing

/// People read the file with the `sqlite3` program while `foyer` is using it.
@Suite(.timeLimit(.minutes(2))) struct LiveQueryTests {
    @Test("The SQL view shows each step while its question is open")
    func theViewTellsEachStepWhileTheQuestionIsOpen() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        try await terminal.expect("[1/5]")
        #expect(try await household.sqlite3("SELECT * FROM registrations_in_progress") == "")
        try terminal.send(Person.ada.email + "\r")
        for position in 1..<5 {
            try await terminal.expect(Person.question(position))
            let row = "SELECT email, step, progress, flow_id = (SELECT id FROM flows) FROM registrations_in_progress"
            #expect(
                try await household.sqlite3(row)
                    == "Ada@Example.org|\(Person.steps[position])|step \(position + 1) of 5|1")
            let ages = """
                SELECT last_activity > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 minute'), expires_at > last_activity
                FROM registrations_in_progress
                """
            #expect(try await household.sqlite3(ages) == "1|1")
            #expect(try await household.sqlite3("SELECT value FROM flow_steps WHERE step = 'password'") == "")
            try terminal.send(Person.ada.answers[position] + "\r")
        }
        #expect(try await terminal.wait() == .code(0))
        #expect(try await household.sqlite3("SELECT count(*) FROM registrations_in_progress") == "0")
        #expect(try await household.sqlite3("SELECT user_name, status FROM users") == "Ada.L|active")
        try await household.checkInvariants()
    }

    @Test("The SQL view of the outbox tells why each submission waits, even during another flow")
    func theOutboxTellsWhyEachSubmissionWaitsWhileAnotherFlowIsOpen() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<2, as: .grace)
        try await terminal.expect("[3/5]")
        let waiting = "SELECT seq, kind, state, why, claims FROM submissions_waiting"
        #expect(try await household.sqlite3(waiting) == "1|register|ready|due now|0")
        _ = try await household.sqlite3(
            "UPDATE submissions SET due_at = due_at + 60000, last_error = 'the network is full'")
        #expect(try await household.sqlite3(waiting).hasSuffix(" s: the network is full|0"))
        let listed = try await household.foyer("outbox", "--json").object()["submissions"] as? [[String: Any]]
        #expect((listed?.first?["why"] as? String)?.hasPrefix("due in ") == true)
        try await terminal.answer(2..<2, as: .grace)
        try terminal.send("\u{3}")
        try await terminal.wait()
        try await household.checkInvariants()
    }

    @Test("An SQL reader with an open transaction holds up nobody and keeps its view")
    func aReaderWithAnOpenTransactionHoldsUpNobody() async throws {
        let household = try Household()
        #expect(try await household.foyer("register", lines: [Person.ada.email]).exit == .code(75))
        let reader = try PseudoTerminal(Program("sqlite3", ["-interactive", household.database]))
        try await reader.expect("sqlite>")
        try reader.send("BEGIN; SELECT 'seen', step FROM flows;\r")
        try await reader.expect("seen|userName")
        let rest = Array(Person.ada.answers.dropFirst())
        #expect(try await household.foyer("resume", lines: rest).exit == .code(0))
        try await reader.expect("sqlite>")
        try reader.send("SELECT 'again', step FROM flows;\r")
        try await reader.expect("again|userName")
        try reader.send(".quit\r")
        try await reader.wait()
        try await household.checkInvariants()
    }
}
