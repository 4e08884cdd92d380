import Foundation
import TestSupport
import Testing

/// `foyer` alone: where things stand, and the one command to type.
@Suite(.timeLimit(.minutes(2))) struct GlanceTests {
    private static func next(_ household: Household) async throws -> String? {
        try await household.foyer("--json").object()["next"] as? String
    }

    @Test("The bare `foyer` command tells who is at which step, what waits and what to type next")
    func itTellsWhoIsWhereAndWhatWaitsAndWhatToType() async throws {
        let household = try await ContractTests.fullHousehold()
        let shown = try await household.shown()
        #expect(shown.hasPrefix("1 unfinished, 1 waiting for the network.\n"))
        #expect(
            shown.contains(#/\n  [0-9a-f]{8}  t…@e….org: registration, at userName \(2 of 5\), (just now|\d+ s ago)\n/#)
        )
        #expect(shown.contains(#/\n  [0-9a-f]{8}  grace: registration, due now\n/#))
        #expect(shown.hasSuffix("Next: `foyer resume` continues. `foyer help` lists everything.\n"))
        #expect(try await household.foyer().stdout.contains("third@example.org: registration"))
        #expect(try await household.shown("--show").contains("third@example.org"))
        #expect(try await !household.shown(adding: ["LC_ALL": "C"]).contains("…"))
        let object = try await household.foyer("--json").object()
        #expect(object["open"] as? Int == 1 && object["waiting"] as? Int == 1)
        #expect((object["flows"] as? [[String: Any]])?.first?["step"] as? String == "userName")
        #expect((object["submissions"] as? [[String: Any]])?.first?["why"] as? String == "due now")
        #expect((object["problems"] as? [Any])?.count == 0)
        try await household.checkInvariants()
    }

    @Test("The bare `foyer` command names the next command in each situation")
    func itNamesTheNextCommandInEachSituation() async throws {
        let household = try Household()
        #expect(try await Self.next(household) == "foyer register")
        #expect(!household.hasDatabase)
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        #expect(try await Self.next(household) == "foyer sync")
        _ = try await household.sqlite3("UPDATE submissions SET state = 'parked', reason = 'the network answered 400'")
        let id = try await household.sqlite3("SELECT id FROM submissions")
        #expect(try await Self.next(household) == "foyer outbox show \(id.suffix(8))")
        #expect(try await household.foyer().stdout.contains("the network answered 400"))
        try await household.foyer("register", lines: ["third@example.org"])
        #expect(try await Self.next(household) == "foyer resume")
        try await household.checkInvariants()
    }

    @Test("The bare `foyer` command tells what is wrong and which command helps")
    func itTellsWhatIsWrong() async throws {
        let household = try await ContractTests.fullHousehold()
        _ = try await household.sqlite3(
            "UPDATE flows SET created_at = 'never' WHERE id = (SELECT id FROM flows WHERE status = 'open' LIMIT 1)")
        let damaged = try await household.foyer()
        #expect(damaged.exit == .code(0) && damaged.stdout.contains("Wrong: 1 row cannot be read"))
        #expect(try await Self.next(household) == "foyer doctor")
        try FileManager.default.removeItem(atPath: household.keyFile)
        let lost = try await household.foyer("--json").object()["problems"] as? [[String: Any]]
        #expect(lost?.compactMap { $0["code"] as? String } == ["key_missing", "damaged_rows"])
        #expect(try await household.foyer().stdout.contains("foyer key reset"))
    }

    @Test("The bare `foyer` command lists five flows and counts the rest")
    func aLongQueueIsNotListedToItsEnd() async throws {
        let household = try Household()
        for number in 0..<7 { try await household.foyer("register", lines: ["p\(number)@example.org"]) }
        let lines = try await household.foyer().stdout.split(separator: "\n")
        #expect(lines.count == 8 && lines[6] == "  and 2 more: `foyer flows`")
    }
}
