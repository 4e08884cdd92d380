import Foundation
import TestSupport
import Testing

/// Screens are data: who draws them makes no difference to what happens.
@Suite(.timeLimit(.minutes(2))) struct TwoPresentersTests {
    /// One thing that a person does: what it is at a terminal, and what it is for another program.
    struct Move: Sendable {
        let typed: [(prompt: String, text: String)]
        let action: String
        var values: [String: String] = [:]

        static func fill(_ answers: [(label: String, key: String, text: String)]) -> Move {
            Move(
                typed: answers.map { ($0.label, $0.text) }, action: "accept",
                values: Dictionary(answers.map { ($0.key, $0.text) }) { $1 })
        }

        static func act(_ action: String, _ typed: String, at prompt: String) -> Move {
            Move(typed: [(prompt, typed)], action: action)
        }
    }

    static let moves: [Move] = [
        .fill([
            ("Email Address: ", "email_field", "ada"), ("User Name: ", "user_name", "Ada.L"),
            ("Password: ", "password", "short"),
        ]),
        .act("dismissAlert", "", at: "[Rodger!] "),
        .fill([
            (": ada", "email_field", Person.ada.email),
            (": Ada.L", "user_name", "Ada.L"), ("Password: ", "password", Person.password),
        ]),
        .fill([("First Name: ", "firstName", "\t")]), .fill([("First Name: ", "firstName", "Ada")]),
        .act("back", "<", at: "Last Name: "), .fill([("First Name: ", "firstName", "Augusta")]),
        .fill([("Last Name: ", "lastName", "Lovelace")]), .act("done", "", at: "[Done] "),
        .fill([("User Name: ", "user_name", "ada.l"), ("Password: ", "password", "not this password")]),
        .fill([("[2/2] Password: ", "password", Person.password)]), .act("done", "", at: "[Done] "),
        .act("forgotpass", "/forgotpass", at: "User Name: "),
        .fill([("Email Address: ", "email_field", "nobody@example.org")]), .act("done", "", at: "[Done] "),
        .act("tab.about", "/tab.about", at: "User Name: "), .act("feedback", "1", at: "[Give feedback] "),
    ]

    @Test("The same session leaves the same journal at a terminal and over JSON")
    func theSameSessionLeavesTheSameJournalWhoeverDrawsIt() async throws {
        let atTerminal = try Household(), byProgram = try Household()
        let terminal = try atTerminal.terminal("app")
        for move in Self.moves { try await terminal.type(move.typed) }
        try await terminal.expect("[Give feedback] ")
        try terminal.send("\u{4}")
        #expect(try await terminal.wait() == .code(0))

        let program = try Dialogue(try byProgram.program(["app", "--json"]))
        var shown = try JSONPresenterTests.Shown(try await program.nextLine())
        for move in Self.moves {
            shown = try JSONPresenterTests.Shown(
                try await program.answer(to: try shown.input(move.action, move.values)))
            #expect(shown.result == "taken" || shown.result == "refused", "\(move.action): \(shown.line)")
        }
        #expect(try await program.end() == .code(0))

        let journal = try await Self.journal(atTerminal)
        #expect(journal.split(separator: "\n").count > 10)
        expectEqual(try await Self.journal(byProgram), journal, "events")
        #expect(try await atTerminal.people() == byProgram.people())
        #expect(try await atTerminal.states() == byProgram.states())
        for household in [atTerminal, byProgram] { try await household.checkInvariants() }
    }

    private static func journal(_ household: Household) async throws -> String {
        normalised(
            try await household.sqlite3(
                """
                SELECT what, coalesce(detail, '-'), coalesce(flow_id, '-'), coalesce(submission_id, '-'),
                    coalesce(user_id, '-')
                FROM events ORDER BY seq
                """))
    }
}
