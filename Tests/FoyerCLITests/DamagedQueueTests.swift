import Foundation
import TestSupport
import Testing

/// A row that another program has changed holds up its own person, and nobody else.
@Suite(.timeLimit(.minutes(2))) struct DamagedQueueTests {
    private static let largest = "9223372036854775807"
    private static let first = "(SELECT min(seq) FROM submissions)"

    /// Ada and Grace have registered, and nothing was sent yet.
    private func waiting() async throws -> Household {
        let household = try Household()
        for person in [Person.ada, .grace] {
            try await household.foyer("register", "--network", "offline", lines: person.answers)
        }
        return household
    }

    private func isDelivered(_ person: Person, in household: Household) async throws -> Bool {
        try await household.sqlite3("SELECT status FROM users WHERE user_name = '\(person.userName)'") == "active"
    }

    @Test(
        "A submission whose counters are at their limit is parked, the doctor names it, and it can be taken back",
        arguments: ["claims", "fence"])
    func counters(column: String) async throws {
        let household = try await waiting()
        _ = try await household.sqlite3(
            "UPDATE submissions SET \(column) = \(Self.largest) WHERE seq = \(Self.first)")
        let id = try await household.sqlite3("SELECT id FROM submissions WHERE seq = \(Self.first)")
        let sync = try await household.foyer("sync")
        #expect(sync.exit == .code(75) && sync.stdout == "1 accepted, 0 rejected, 1 waiting.\n")
        #expect(try await isDelivered(.grace, in: household))
        #expect(try await household.sqlite3("SELECT why FROM submissions_waiting").contains("at their limit"))
        let doctor = try await household.foyer("doctor")
        #expect(doctor.exit == .code(78) && doctor.stdout.contains(id))
        // A person's word does not bring it past the limit, and ends it.
        #expect(try await household.foyer("outbox", "retry", id).exit == .code(0))
        #expect(try await household.foyer("sync").exit == .code(75))
        #expect(try await household.foyer("outbox", "cancel", id, "--yes").exit == .code(0))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.foyer("doctor").exit == .code(0))
        try household.checkSecrecy()
    }

    @Test("A submission that cannot be read is parked, and the others are delivered")
    func unreadable() async throws {
        let household = try await waiting()
        _ = try await household.sqlite3(
            "UPDATE submissions SET id = replace(id, '-', '+') WHERE seq = \(Self.first)")
        let sync = try await household.foyer("sync")
        #expect(sync.exit == .code(75), "\(sync.stderr)")
        #expect(try await isDelivered(.grace, in: household))
        #expect(try await household.sqlite3("SELECT state FROM submissions WHERE seq = \(Self.first)") == "parked")
        #expect(try await household.foyer("doctor").stdout.contains("submissions"))
    }

    @Test(
        "Other numbers at their limit hold up nobody",
        arguments: [
            ("submissions", "failures", largest), ("submissions", "worker_deaths", "9223372036854775806"),
            ("submissions", "due_at", "-9223372036854775808"), ("submissions", "expires_at", largest),
            ("flows", "revision", largest), ("secrets", "lifetime", largest),
            ("flow_steps", "seq", largest), ("queue_clock", "high_wall", largest),
            ("endpoints", "failures", largest),
        ])
    func otherNumbers(table: String, column: String, number: String) async throws {
        let household = try await waiting()
        _ = try await household.sqlite3("UPDATE \(table) SET \(column) = \(number)")
        let sync = try await household.foyer("sync")
        #expect(sync.stdout.hasPrefix("2 accepted"), "\(sync.stdout)\(sync.stderr)")
        try await household.checkInvariants()
    }

    @Test("A refusal is written whatever lifetime the secret claims to have, and the form can be corrected")
    func lifetime() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        var other = Person.grace
        other.userName = Person.ada.userName
        try await household.foyer("register", "--network", "offline", lines: other.answers)
        _ = try await household.sqlite3("UPDATE secrets SET lifetime = \(Self.largest)")
        #expect(try await household.foyer("sync").stdout == "0 accepted, 1 rejected, 0 waiting.\n")
        #expect(try await household.foyer("resume", lines: ["grace"]).exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("Answers go on behind a row whose number is at its limit")
    func answers() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Array(Person.ada.answers.prefix(2)))
        _ = try await household.sqlite3(
            "UPDATE flow_steps SET seq = \(Self.largest); UPDATE flows SET revision = \(Self.largest)")
        let resumed = try await household.foyer("resume", lines: Array(Person.ada.answers.dropFirst(2)))
        #expect(resumed.exit == .code(0), "\(resumed.stderr)")
        try await household.checkInvariants()
    }
}
