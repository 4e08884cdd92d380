import Foundation
import TestSupport
import Testing

/// `foyer tree` and `foyer stats`.
@Suite(.timeLimit(.minutes(2))) struct TreeAndStatsTests {
    @Test("The saved trees of the app and of each command are drawn, and given as JSON")
    func theTreeOfTheProgramAndOfEachCommandIsDrawn() async throws {
        let household = try Household()
        #expect(try await household.foyer("tree", "--json").object()["trees"] as? [String] == [])
        let app = try household.terminal("app")
        try await app.type([
            ("Email Address: ", Person.ada.email), ("User Name: ", Person.ada.userName),
            ("Password: ", Person.password),
        ])
        try await app.expect("[4/5] First Name: ")
        app.signal(SIGKILL)
        try await app.wait()
        try await household.foyer("register", lines: ["third@example.org"])
        let ids = try await household.sqlite3("SELECT id FROM flows ORDER BY created_at").split(separator: "\n")
        let shown = try await household.shown("tree", adding: ["NO_COLOR": "1"])
        #expect(shown.hasPrefix("the whole program\n"))
        #expect(shown.contains("└─ "))
        #expect(shown.contains("register \(ids[0].suffix(8)), at firstName (4 of 5)\n"))
        #expect(
            shown.hasSuffix(
                "the command of flow \(ids[1].suffix(8))\nregister  register \(ids[1].suffix(8)), at userName (2 of 5)\n"
            ))
        let ascii = try await household.shown("tree", adding: ["LC_ALL": "C", "NO_COLOR": "1"])
        #expect(ascii.contains("`- ") && ascii.utf8.allSatisfy { $0 < 0x80 })

        let trees = try await household.foyer("tree", "--json").object()["trees"] as? [[String: Any]] ?? []
        #expect(trees.map { $0["host"] as? String } == ["app", String(ids[1])])
        let slots = (trees.first?["coordinators"] as? [[String: Any]] ?? []).compactMap { $0["slot"] as? String }
        #expect(slots.contains("register"))
        try await household.checkInvariants()
    }

    /// Seven registrations: two accepted, one waiting, one given up, one expired, two open.
    private static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        try await household.foyer("register", lines: Person.grace.answers)
        try await household.foyer("register", lines: ["p1@example.org"])
        try await household.foyer("cancel")
        try await household.foyer("register", lines: ["p2@example.org", "second"])
        _ = try await household.sqlite3(
            "UPDATE flows SET expires_at = 1 WHERE status = 'open'")
        try await household.foyer("resume")
        try await household.foyer("register", lines: ["p3@example.org", "third"])
        try await household.foyer("register", lines: ["p4@example.org"])
        let last = Person(email: "p5@example.org", userName: "fifth")
        try await household.foyer("register", "--network", "offline", lines: last.answers)
        // Half a minute for each answer.
        _ = try await household.sqlite3(
            """
            UPDATE events SET at = strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01T00:00:00', (
                SELECT count(*) * 30 - 30 FROM events AS e WHERE e.flow_id = events.flow_id AND e.seq <= events.seq
                    AND e.what = 'step answered') || ' seconds')
            WHERE what IN ('flow started', 'step answered')
            """)
        _ = try await household.sqlite3(
            "UPDATE events SET at = '2026-01-01T00:00:00.000Z' WHERE what = 'flow started'")
        return household
    }

    @Test("The statistics tell at which step people stop")
    func theChartTellsWherePeopleStop() async throws {
        let household = try await Self.household()
        let object = try await household.foyer("stats", "--json").object()
        #expect(object["begun"] as? Int == 7 && object["submitted"] as? Int == 3 && object["accepted"] as? Int == 2)
        let numbers = (object["steps"] as? [[String: Any]] ?? []).map { step in
            ["reached", "finished", "here", "gave_up", "left"].map { step[$0] as? Int }
        }
        #expect(
            numbers == [
                [7, 7, 0, 0, 0], [7, 5, 1, 1, 0], [5, 3, 1, 0, 1], [3, 3, 0, 0, 0], [3, 3, 0, 0, 0], [3, 2, 1, 0, 0],
            ])
        for columns in [80, 40] as [UInt16] {
            try Golden.compare([try await household.shown("stats", columns: columns)], with: "stats-\(columns)")
        }
        try Golden.compare([try await household.shown("stats", adding: ["LC_ALL": "C"])], with: "stats-ascii")
        try Golden.compare([try await household.shown("stats", adding: ["FOYER_ACCESSIBLE": "1"])], with: "stats-list")
        let piped = try await household.foyer("stats").stdout.split(separator: "\n")
        #expect(piped.count == 6 && piped[2] == "password\t5\t3\t0\t1\t1\t30")
        try await household.checkInvariants()
    }

    @Test("With --since only recently begun registrations are counted")
    func onlyWhatWasBegunLatelyIsCountedWhereThatIsAsked() async throws {
        let household = try Household()
        #expect(try await household.foyer("stats", "--json").object()["begun"] as? Int == 0)
        try await household.foyer("register", lines: ["p1@example.org"])
        _ = try await household.sqlite3("UPDATE events SET at = '2020-01-01T00:00:00.000Z'")
        try await household.foyer("register", lines: ["p2@example.org"])
        #expect(try await household.foyer("stats", "--json").object()["begun"] as? Int == 2)
        #expect(try await household.foyer("stats", "--since", "30", "--json").object()["begun"] as? Int == 1)
        for days in ["0", "-1", "x", "99999999999999999999"] {
            #expect(try await household.foyer("stats", "--since", days).exit == .code(64))
        }
        // Login is no registration.
        try await household.foyer("login", lines: ["ada"])
        #expect(try await household.foyer("stats", "--json").object()["begun"] as? Int == 2)
    }
}
