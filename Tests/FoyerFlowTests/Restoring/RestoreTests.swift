import FoyerApp
import FoyerModel
import TestSupport
import Testing

@testable import FoyerFlow

@FlowActor
@Suite struct RestoreTests {
    private let store = MemoryStore()

    @Test("Another process finds the selected tab, the open children in their order, and what they remember")
    func tree() async throws {
        let first = try await Visit(store)
        try await first.press("tab.upper")
        try await first.press("room")
        try await first.press("switch")
        try await first.press("tab.ground")
        try await first.press("room")
        try await first.press("tab.upper")

        let second = try await Visit(store)
        #expect(second.host.notes == [])
        #expect(second.host.screens.stamped(0) == first.host.screens.stamped(0))
        #expect(second.place == "house/upper/room/lit" && second.house.selected == "upper")
        #expect(second.host.describe() == "house\n  ground\n    room\n  upper\n    room")
        try await second.press("tab.ground")
        #expect(second.place == "house/ground/room/dark")
    }

    @Test("A tab that was never shown is not started before it is shown")
    func lazyTab() async throws {
        try await Visit(store).press("room")
        let second = try await Visit(store)
        #expect(second.house.upper.stack.isEmpty)
        try await second.press("tab.upper")
        #expect(second.place == "house/upper/hall")
    }

    @Test("The outcome of a child that was made again reaches its parent, once, and the child is gone from the rows")
    func outcome() async throws {
        try await Visit(store).press("room")
        let second = try await Visit(store)
        try await second.press("leave")
        #expect(second.house.ground.heard == ["finished(\"north\")"] && second.place == "house/ground/hall")
        #expect(await store.paths(of: "house") == ["house", "house/ground", "house/upper"])
        #expect(try await Visit(store).house.ground.heard == [])
    }

    @Test("A flow is open at its question, whichever process answered the others")
    func flow() async throws {
        let first = try await Visit(store)
        let id = try await first.beginSample(answering: ["ada"])
        let second = try await Visit(store)
        #expect(second.place == "house/ground/sample/code" && second.host.flowIDs == [id])
        try await second.press("accept", "pw")
        #expect(try await Visit(store).place == "house/ground/sample/town")
    }

    @Test(
        "What the network decided while nobody was there reaches the parent at the next start",
        arguments: [
            SavedFlow.Status.finished, .cancelled, .expired,
        ])
    func decidedMeanwhile(status: SavedFlow.Status) async throws {
        let id = try await Visit(store).beginSample(answering: ["ada", "pw", "London"])
        let user = User(
            id: id, userName: "ada", status: .active, createdAt: Story.environment.now(),
            updatedAt: Story.environment.now())
        await store.change(id, to: status, user: user)
        let second = try await Visit(store)
        let told = [
            SavedFlow.Status.finished: "finished ada", .cancelled: "cancelled user", .expired: "cancelled expired",
        ]
        #expect(second.house.ground.heard == [try #require(told[status])])
        #expect(second.place == "house/ground/hall")
        try await second.press("tab.upper")
        #expect(await !store.paths(of: "house").contains { $0.hasSuffix("sample") })
        #expect(try await Visit(store).house.ground.heard == [], "told once")
    }

    @Test("Children of one slot have places of their own")
    func twins() async throws {
        let first = try await Visit(store)
        for name in ["north", "south"] { first.house.ground.open(name) }
        try await first.press("tab.upper")
        #expect(await store.paths(of: "house").contains("house/ground/room#2"))
        let second = try await Visit(store)
        try await second.press("tab.ground")
        #expect(second.host.screen?.title == "south")
        try await second.press("back")
        #expect(second.host.screen?.title == "north")
    }

    @Test("The rows hold no type's name, no place in a list, no screen and no secret")
    func rows() async throws {
        let first = try await Visit(store)
        try await first.press("tab.upper")
        try await first.press("room")
        let id = try await first.beginSample(answering: ["ada", "very secret"])
        let rows = await store.trees["house"] ?? []
        let config = Dictionary(uniqueKeysWithValues: rows.map { ($0.path, "\($0.slot) \($0.config) \($0.state)") })
        #expect(
            config == [
                "house": "house {} {\"selected\":\"upper\"}", "house/ground": "ground {} {}",
                "house/ground/sample": "sample {\"flow\":\"\(id)\"} {}", "house/upper": "upper {} {}",
                "house/upper/room": "room {\"name\":\"north\"} {\"isOn\":false}",
            ])
    }

    // MARK: What cannot be brought back

    @Test("A child of a kind that this program does not have stays in its rows, is told, and comes back with its kind")
    func unknownSlot() async throws {
        let first = try await Visit(store)
        try await first.press("room")
        try await first.press("switch")

        let older = try await Visit(store, knowsRooms: false)
        #expect(older.place == "house/ground/hall", "the parent is at its start")
        #expect(older.host.notes.count == 1 && older.host.notes[0].contains("house/ground/room"))
        try await older.press("tab.upper")
        #expect(await store.paths(of: "house").contains("house/ground/room"), "saving the rest has kept it")

        let newer = try await Visit(store)
        #expect(newer.host.notes == [])
        try await newer.press("tab.ground")
        #expect(newer.place == "house/ground/room/lit")
    }

    @Test("A config that cannot be read is left in its rows and told, with all that is below it")
    func unreadableConfig() async throws {
        try await Visit(store).press("room")
        let below = CoordinatorNode(
            path: "house/ground/room/safe", slot: "safe", position: 0, config: "{}", state: "{}")
        let left = await store.edit("house") { rows in
            rows.map { $0.slot == "room" ? $0.with(config: "{\"title\":1}") : $0 } + [below]
        }
        let second = try await Visit(store)
        #expect(second.place == "house/ground/hall" && second.host.notes.count == 1)
        try await second.press("tab.upper")
        let rows = await store.trees["house"] ?? []
        #expect(left.filter { $0.path.contains("room") }.allSatisfy(rows.contains))
    }

    @Test(
        "A state that cannot be read is told, and its coordinator begins at its start",
        arguments: [
            "nonsense", "{\"selected\":\"cellar\"}", "{\"selected\":1}", "",
        ])
    func unreadableState(state: String) async throws {
        try await Visit(store).press("tab.upper")
        _ = await store.edit("house") { rows in rows.map { $0.path == "house" ? $0.with(state: state) : $0 } }
        let second = try await Visit(store)
        #expect(second.house.selected == "ground" && second.place == "house/ground/hall")
        #expect(second.host.notes.count == 1 && second.host.notes[0].contains("\"house\""))
    }

    @Test("Rows in any order, doubled in place, without parents or of another root are no trouble")
    func oddRows() async throws {
        try await Visit(store).press("room")
        _ = await store.edit("house") { rows in
            rows.reversed() + [
                CoordinatorNode(path: "house/attic/box", slot: "box", position: -1, config: "", state: ""),
                CoordinatorNode(path: "", slot: "", position: 0, config: "", state: ""),
                CoordinatorNode(path: "house/", slot: "", position: 0, config: "", state: ""),
                CoordinatorNode(path: "elsewhere", slot: "house", position: 0, config: "{}", state: "{}"),
            ]
        }
        #expect(try await Visit(store).place == "house/ground/room/dark")
    }

    @Test("A new child never takes the place of one that was left in the rows")
    func reservedPlace() async throws {
        try await Visit(store).press("room")
        _ = await store.edit("house") { rows in
            rows.map { $0.slot == "room" ? $0.with(config: "?") : $0 }
        }
        let second = try await Visit(store)
        try await second.press("room")
        let rows = await store.trees["house"]?.filter { $0.slot == "room" } ?? []
        #expect(Set(rows.map(\.path)).count == 2 && rows.contains { $0.config == "?" })
    }

    @Test("Nothing is shown or written by bringing a tree back")
    func silent() async throws {
        try await Visit(store).press("room")
        let before = await store.saves
        _ = try await Visit(store)
        #expect(await store.saves == before)
    }

    @Test("A place that cannot be saved is told, and saved with the next input")
    func diskFull() async throws {
        let first = try await Visit(store)
        await store.failOnce()
        let error = await #expect(throws: StoreError.self) { try await first.press("tab.upper") }
        #expect(error?.code == .diskFull && first.place == "house/upper/hall")
        try await first.press("room")
        #expect(try await Visit(store).place == "house/upper/room/dark")
    }

    @Test("Every coordinator of a tree that was brought back ends with its host")
    func census() async throws {
        let census = Census()
        try await Visit(store).press("room")
        do {
            let second = try await Visit(store)
            census.note(second.host.root.subtree)
            try await second.press("leave")
        }
        #expect(census.seen.count == 4 && census.alive == [])
    }
}

extension CoordinatorNode {
    func with(config: String? = nil, state: String? = nil) -> CoordinatorNode {
        CoordinatorNode(
            path: path, slot: slot, position: position, config: config ?? self.config, state: state ?? self.state)
    }
}
