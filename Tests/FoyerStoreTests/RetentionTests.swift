import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite(.timeLimit(.minutes(2))) struct RetentionTests {
    private static func day(_ count: Int) -> Duration { .seconds(count * 86400) }

    /// Ada was accepted; Grace waits; a third one is open; a fourth was given up.
    private static func scene(_ policy: RetentionPolicy = RetentionPolicy()) async throws -> Scene {
        let scene = try await Scene(keeping: policy)
        let worker = try scene.store.makeWorker()
        try await scene.settle(try await scene.sending(worker: worker), .verdict(.accepted(remoteID: "remote-ada")))
        let given = try await scene.answered(2, by: Person(email: "given@example.org", userName: "given.up"))
        _ = try await scene.store.cancel(given.id, at: scene.clock.now)
        _ = try await scene.submitted(by: .grace)
        _ = try await scene.answered(3, by: Person(email: "third@example.org", userName: "third"))
        return scene
    }

    private static let flows = "SELECT status FROM flows ORDER BY status"

    @Test("What was left open goes after thirty days with every byte, and nothing that is open or waits")
    func unfinished() async throws {
        let scene = try await Self.scene()
        scene.clock.turn(by: Self.day(29))
        let young = try await scene.answered(2, by: Person(email: "young@example.org", userName: "young"))
        #expect(try await scene.store.prunable().isEmpty)
        let before = try await scene.everything()
        try await scene.store.prune()
        #expect(try await scene.everything() == before)
        scene.clock.turn(by: Self.day(1))
        let found = try await scene.store.prunable()
        #expect(found.expired == 1 && found.flows == 1 && found.submissions == 1 && found.events == 0)
        let pruned = try await scene.store.pruneAll()
        #expect(pruned == found)
        for text in ["third@example.org", "third"] { #expect(try await scene.files(containing: text) == []) }
        #expect(try await scene.sql(Self.flows) == "cancelled\nfinished\nopen\nsubmitted")
        #expect(try await scene.store.flow(young.id)?.answers.count == 2)
        #expect(try await scene.count("secrets") == "1", "that of what waits")
        #expect(try await scene.store.pruneAll().isEmpty)
    }

    @Test("What has ended goes after ninety days with its submissions and the journal; people stay")
    func ended() async throws {
        let scene = try await Self.scene()
        scene.clock.turn(by: Self.day(90))
        let pruned = try await scene.store.pruneAll()
        #expect(pruned.flows == 3 && pruned.submissions == 1 && pruned.remnants == nil)
        #expect(try await scene.sql(Self.flows) == "submitted", "what has no verdict stays, however old it is")
        #expect(
            try await scene.sql("SELECT user_name, status FROM users ORDER BY user_name")
                == "ada.l|active\ngrace|pending")
        #expect(try await scene.sql("SELECT group_concat(DISTINCT what) FROM events") == "flow expired")
        #expect(try await scene.files(containing: "given@example.org") == [])
        #expect(try await scene.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        #expect(try await scene.count("scrubs") == "0")
    }

    @Test("An old flow is not taken while its submission has no verdict, whatever its own row says")
    func live() async throws {
        let scene = try await Self.scene()
        try await scene.sql("UPDATE flows SET status = 'cancelled' WHERE status = 'submitted'")
        scene.clock.turn(by: Self.day(91))
        _ = try await scene.store.pruneAll()
        #expect(try await scene.sql("SELECT count(*) FROM submissions WHERE state = 'ready'") == "1")
        #expect(try await scene.sql(Self.flows) == "cancelled")
    }

    @Test("A policy may keep for longer, for shorter, or for ever")
    func policies() async throws {
        let forever = try await Self.scene(.forever)
        forever.clock.turn(by: Self.day(3650))
        let pruned = try await forever.store.pruneAll()
        #expect(pruned.expired == 1 && pruned.flows == 0 && pruned.events == 0)
        let brief = try await Self.scene(
            RetentionPolicy(unfinishedFlows: Self.day(1), endedFlows: nil, events: Self.day(2)))
        brief.clock.turn(by: Self.day(1))
        let first = try await brief.store.pruneAll()
        #expect(first.expired == 1 && first.flows == 1 && first.events == 0)
        brief.clock.turn(by: Self.day(1))
        let second = try await brief.store.pruneAll()
        #expect(second.flows == 0 && second.events > 10)
    }

    @Test("By itself a store takes a portion at a time, and looks at nothing that is not over its time")
    func byAndBy() async throws {
        let scene = try await Scene()
        try await scene.sql(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO flows (id, kind, path, status, fingerprint, revision, endpoint, submission_id, created_at,
                updated_at, counted_from)
            SELECT printf('01900000-0000-7000-8000-%012d', i), 'login', 'login', 'cancelled', '', 1, 'server', i,
                '', '2025', 0 FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO events (at, what, counted_from) SELECT '2025', 'x', 0 FROM n
            """)
        var left: [String] = []
        for _ in 0..<4 {
            try await scene.store.expireFlows()
            left.append(try await scene.sql("SELECT (SELECT count(*) FROM flows), (SELECT count(*) FROM events)"))
        }
        #expect(left == ["300|300", "100|100", "0|1", "0|1"])
        for sql in [
            "SELECT id FROM flows WHERE (status = 'finished' OR status = 'cancelled') AND counted_from <= 1",
            "SELECT id FROM flows WHERE status = 'expired'",
            "SELECT id FROM flows WHERE \(Flows.isUnfinished) AND status = 'open' AND counted_from <= 1",
        ] {
            #expect(try await scene.sql("EXPLAIN QUERY PLAN \(sql)").contains("USING"), "\(sql)")
        }
    }
}
