import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

/// One damaged value costs the row that it stands in, and no other.
@Suite(.timeLimit(.minutes(2))) struct DamagedRowTests {
    /// Ada and Grace, each with a flow and a submission that waits.
    private static func scene() async throws -> Scene {
        let scene = try await Scene()
        _ = try await scene.submitted()
        scene.clock.turn(by: .seconds(1))
        _ = try await scene.submitted(by: .grace)
        return scene
    }

    /// Writes what the schema does not let in: the checks are off, and the table forgets that it is strict.
    private static func plant(_ assignment: String, in table: String, of scene: Scene) async throws {
        let first = "(SELECT rowid FROM \(table) ORDER BY created_at LIMIT 1)"
        try await scene.sql(
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE was AS SELECT sql FROM sqlite_schema WHERE name = '\(table)';
            UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = '\(table)';
            PRAGMA writable_schema = RESET;
            PRAGMA ignore_check_constraints = ON;
            UPDATE \(table) SET \(assignment) WHERE rowid = \(first);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = (SELECT sql FROM was) WHERE name = '\(table)';
            PRAGMA writable_schema = OFF
            """)
    }

    @Test(
        "A person with a value that cannot be one is left out and named",
        arguments: [
            ("email", "CAST(x'61ff62' AS TEXT)"), ("first_name", "x'00ff'"), ("last_name", "hex(zeroblob(2500000))"),
            ("status", "'asleep'"), ("created_at", "'yesterday'"), ("email", "hex(zeroblob(2500000))"),
        ])
    func users(column: String, value: String) async throws {
        let scene = try await Self.scene()
        let ada = try await scene.sql("SELECT id FROM users WHERE user_name = 'ada.l'")
        // `created_at` decides which row is planted, so it has to be the first still.
        try await Self.plant("\(column) = \(value)", in: "users", of: scene)
        let listing = try await scene.store.users()
        #expect(listing.map(\.userName) == ["grace"])
        #expect(listing.damaged == [DamagedRow(table: "users", row: ada, column: column)])
        let findings = try await Repositories.examine(at: scene.database, key: .file(scene.keyFile))
        let found = try #require(findings.first { $0.check == .values })
        #expect(!found.isFine && found.message.contains(ada) && found.message.contains(column))
        #expect(found.repair?.contains("UPDATE users") == true)
    }

    @Test(
        "So is a flow",
        arguments: [("kind", "'dance'"), ("path", "hex(zeroblob(2500000))"), ("step", "CAST(x'ff' AS TEXT)")])
    func flows(column: String, value: String) async throws {
        let scene = try await Self.scene()
        let flow = try await scene.sql("SELECT id FROM flows ORDER BY created_at LIMIT 1")
        try await Self.plant("\(column) = \(value)", in: "flows", of: scene)
        let open = try await scene.answered(1, by: Person(email: "third@example.org"))
        let listing = try await scene.store.unfinishedFlows()
        #expect(listing.count == 2 && listing.map(\.id.text).contains(open.id.text))
        #expect(listing.damaged == [DamagedRow(table: "flows", row: flow, column: column)])
    }

    @Test(
        "So is a submission",
        arguments: [("kind", "'dance'"), ("last_error", "hex(zeroblob(2500000))"), ("reason", "CAST(x'ff' AS TEXT)")])
    func submissions(column: String, value: String) async throws {
        let scene = try await Self.scene()
        let submission = try await scene.sql("SELECT id FROM submissions ORDER BY seq LIMIT 1")
        try await Self.plant("\(column) = \(value)", in: "submissions", of: scene)
        let listing = try await scene.store.submissions()
        #expect(listing.count == 1)
        #expect(listing.damaged == [DamagedRow(table: "submissions", row: submission, column: column)])
    }

    @Test("A whole store has nothing to name")
    func whole() async throws {
        let scene = try await Self.scene()
        #expect(try await scene.store.users().damaged.isEmpty)
        let findings = try await Repositories.examine(at: scene.database, key: .file(scene.keyFile))
        #expect(findings.contains { $0.check == .values && $0.isFine })
    }
}
