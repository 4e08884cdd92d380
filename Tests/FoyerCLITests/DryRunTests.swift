import Foundation
import TestSupport
import Testing

/// `foyer resume --dry-run`, on flows that a program with other steps has saved.
@Suite struct DryRunTests {
    /// A flow after four answers, as programs of another time would have left it.
    private func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", lines: Array(Person.ada.answers.prefix(4)))
        _ = try await household.sqlite3(
            """
            UPDATE flow_steps SET version = 2 WHERE step = 'userName';
            UPDATE flow_steps SET value = '-' WHERE step = 'firstName';
            UPDATE secrets SET expires_at = 0;
            INSERT INTO flow_steps SELECT flow_id, 'nickname', 1, 'clear', 'Countess', NULL, 9, answered_at, counted_from
                FROM flow_steps WHERE step = 'email'
            """)
        return household
    }

    @Test("It says in words what would become of each saved answer, and touches nothing")
    func words() async throws {
        let household = try await household()
        let before = try await household.sqlite3(".dump")
        let finished = try await household.foyer("resume", "--dry-run")
        #expect(finished.exit == .code(0) && finished.stderr == "")
        #expect(
            finished.stdout == """
                email: kept
                User Name: asked again, because a newer version of this program has saved it.
                Password: asked again, because your answer is too old.
                First Name: Use at least one letter in the name.
                nickname: this question is not asked any more; your answer is kept aside.
                Next: userName

                """)
        #expect(try await household.sqlite3(".dump") == before)
    }

    @Test("With --json it gives each saved answer exactly one fate, and why")
    func json() async throws {
        let household = try await household()
        let finished = try await household.foyer("resume", "--dry-run", "--json")
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(finished.stdout.utf8)) as? [String: Any])
        let reconciliation = try #require(object["reconciliation"] as? [String: Any])
        let answers = try #require(reconciliation["answers"] as? [[String: String]])
        let fates = answers.map { "\($0["step"] ?? "") \($0["fate"] ?? "") \($0["reason"] ?? $0["error"] ?? "")" }
        #expect(
            fates == [
                "email kept ", "firstName invalid name.no_letter", "nickname aside ", "password asked_again expired",
                "userName asked_again savedByNewerProgram",
            ])
        #expect(reconciliation["step"] as? String == "userName" && object["schema"] as? Int == 1)
    }

    @Test("Resuming tells the same, asks only what has to be asked, and keeps aside what no step asks for")
    func resuming() async throws {
        let household = try await household()
        let finished = try await household.foyer(
            "resume", lines: [Person.ada.userName, Person.password, "Ada", "Lovelace"])
        #expect(finished.exit == .code(0), "\(finished.stderr)")
        #expect(finished.stderr.contains("Password: asked again, because your answer is too old."))
        #expect(try await household.accounts().contains("Ada.L"))
        #expect(
            try await household.sqlite3("SELECT kept, value FROM flow_steps WHERE step = 'nickname'")
                == "aside|Countess")
    }
}
