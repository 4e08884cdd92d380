import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

@Suite struct TreeTests {
    private static func node(_ path: String, _ position: Int = 0) -> CoordinatorNode {
        CoordinatorNode(
            path: path, slot: String(path.split(separator: "/").last ?? ""), position: position, config: "{}",
            state: "{\"a\":1}")
    }

    @Test("A tree is found again as it was saved, under its own name alone, and takes the place of the one before")
    func saved() async throws {
        let scene = try await Scene()
        let tree = [Self.node("app"), Self.node("app/b", 1), Self.node("app/a", 0)]
        try await scene.store.save(tree, of: "app")
        try await scene.store.save([Self.node("other")], of: "other")
        let read = try await scene.another().tree(of: "app")
        #expect(read.count == 3 && tree.allSatisfy(read.contains))
        try await scene.store.save([Self.node("app")], of: "app")
        let again = try await scene.store.tree(of: "app")
        let nothing = try await scene.store.tree(of: "nobody")
        #expect(again == [Self.node("app")] && nothing.isEmpty)
    }

    @Test("A tree that cannot be written whole is not written at all")
    func allOrNothing() async throws {
        let scene = try await Scene()
        try await scene.store.save([Self.node("app")], of: "app")
        #expect(await code { try await scene.store.save([Self.node("b"), Self.node("b")], of: "app") } == .failed)
        let read = try await scene.store.tree(of: "app")
        #expect(read == [Self.node("app")])
    }

    @Test("A damaged row of a tree keeps it from neither being saved anew nor ending with its flow")
    func damagedRow() async throws {
        let scene = try await Scene()
        let damage = "UPDATE coordinators SET state = CAST(x'ff' AS TEXT)"
        try await scene.store.save([Self.node("app")], of: "app")
        try await scene.sql(damage)
        try await scene.store.save([Self.node("app")], of: "app")
        let read = try await scene.store.tree(of: "app")
        #expect(read == [Self.node("app")])
        let flow = try await scene.answered(1)
        try await scene.sql(damage)
        #expect(try await scene.store.cancel(flow.id, at: scene.clock.now).status == .cancelled)
        #expect(try await scene.store.tree(of: flow.id.text) == [])
    }

    @Test("What was not confirmed is kept with its flow, replaced as a whole, and gone when the flow ends")
    func unsent() async throws {
        let scene = try await Scene()
        var flow = try await scene.answered(1)
        for unsent in [["userName": "ada.", "email": "x"], ["userName": "ada.l"]] {
            var change = scene.change(flow, step: "userName")
            change.unsent = unsent
            flow = try await scene.store.commit(change)
            let read = try await scene.another().flow(flow.id)
            #expect(read?.unsent == unsent)
        }
        flow = try await scene.store.commit(scene.change(flow, step: "userName"))
        let kept = try await scene.store.newestOpenFlow()
        #expect(kept?.unsent == ["userName": "ada.l"])
        _ = try await scene.store.cancel(flow.id, at: scene.clock.now)
        #expect(try await scene.sql("SELECT count(*) FROM unsent_texts") == "0")
    }

    @Test("An open flow that is overdue expires with its secrets, and no other does")
    func expired() async throws {
        let scene = try await Scene()
        let old = try await scene.answered(3)
        scene.clock.turn(by: .seconds(86400))
        let young = try await scene.answered(3, by: .grace)
        #expect(try await scene.store.expireFlows() == 0)
        scene.clock.turn(by: .seconds(29 * 86400))
        let unfinished = try await scene.store.unfinishedFlows().map(\.id)
        #expect(unfinished == [young.id], "it is not shown even before somebody has written that it expired")
        #expect(try await scene.store.expireFlows() == 1)
        #expect(try await scene.sql("SELECT status FROM flows ORDER BY created_at") == "expired\nopen")
        #expect(try await scene.store.expireFlows() == 0)
        #expect(try await scene.sql("SELECT count(*) FROM secrets WHERE flow_id = '\(old.id)'") == "0")
        #expect(
            try await scene.sql("SELECT detail FROM events WHERE what = 'flow expired'") == "left alone for too long")
        #expect(
            try await scene.sql(
                "EXPLAIN QUERY PLAN SELECT id FROM flows WHERE status = 'open' AND expires_at <= 'x' ORDER BY expires_at"
            ).contains("flows_open_by_expiry"))
    }
}
