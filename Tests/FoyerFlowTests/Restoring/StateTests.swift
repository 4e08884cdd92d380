import FoyerApp
import FoyerModel
import TestSupport
import Testing

@testable import FoyerFlow

/// A view model, such as an app makes for a screen.
@FlowActor
private final class Sketch {
    @Unsaved var lines: [String] = []
    @Unsaved var other: Sketch? = nil
}

/// An app's own base class, of a flow.
private class Greeter: StepCoordinator<User> {
    @Saved private(set) var count = 0
    @Saved private var note = "base"
    @Unsaved private(set) var sketch = Sketch()

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        count += 1
        note += "+"
        sketch.lines.append(input.action)
        return super.respond(to: input, at: now)
    }

    override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        FlowChange.Finish(user: nil, submission: makeSubmission(lane: "host"))
    }

    var told: [String] { ["\(count)", note] }
}

/// A subclass of it, which adds values, one of them under a name that its superclass has, too.
private final class Host: Greeter {
    struct Guests: Codable, Sendable, Equatable {
        var names: [String] = []
        var seats: [String: Int] = [:]
    }

    @Saved private(set) var guests = Guests()
    @Saved private var note = "own"
    @Saved var latest: String? = nil

    init(resuming flow: SavedFlow? = nil) throws {
        super.init(slot: "host", resuming: flow, definition: try .sample, environment: Story.environment)
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guests.names.append(visibleScreen ?? "")
        guests.seats[visibleScreen ?? "", default: 0] += 1
        note += "-"
        latest = visibleScreen
        return super.respond(to: input, at: now)
    }

    override var told: [String] {
        super.told + [note, guests.names.joined(separator: ","), "\(guests.seats.count)", latest ?? "none"]
    }
}

@FlowActor
@Suite struct StateTests {
    private let store = MemoryStore()

    /// One more start of the program.
    private func start() async throws -> (host: FlowHost, root: Host) {
        let root = try Host(resuming: await store.newestOpenFlow())
        return (try await FlowHost.restore(root, name: nil, flows: store, users: store), root)
    }

    @Test("A failed write puts back what a subclass and its superclass declare, also what is in memory alone")
    func failedWrite() async throws {
        let (host, root) = try await start()
        try await host.press("accept", "ada")
        let told = root.told, lines = root.sketch.lines, screens = host.screens
        #expect(told == ["1", "base+", "own-", "name", "1", "name"])
        await store.failOnce()
        await #expect(throws: StoreError.self) { try await host.press("accept", "pw") }
        #expect(root.told == told && root.sketch.lines == lines && host.screens == screens)
        try await host.press("accept", "pw")
        #expect(root.told == ["2", "base++", "own--", "name,code", "2", "code"] && root.sketch.lines.count == 2)
    }

    @Test("A restart brings back what a subclass and its superclass declare, but for what is in memory alone")
    func restart() async throws {
        try await start().host.press("accept", "ada")
        let (host, root) = try await start()
        #expect(root.told == ["1", "base+", "own-", "name", "1", "name"] && root.sketch.lines == [])
        #expect(host.screen?.id == "host/code" && host.notes == [])
    }

    @Test("An input that gives no answer is saved, too, once the flow is")
    func withoutAnswer() async throws {
        let first = try await start()
        try await first.host.press("accept", "ada")
        try await first.host.press("back")
        #expect(try await start().root.told.first == "2")
    }

    @Test("All values are one JSON object, under the names of their properties")
    func row() async throws {
        try await start().host.press("accept", "ada")
        let tree = try #require(await store.trees.values.first)
        let state = """
            {"count":1,"guests":{"names":["name"],"seats":{"name":1}},"latest":"name","note":"base+","note#2":"own-"}
            """
        #expect(tree.map(\.state) == [state])
    }

    @Test("A value that the row lacks begins as declared, and the others are taken")
    func newValue() async throws {
        try await rewrite(#"{"count":7,"note":"base","ofAnotherVersion":true}"#)
        let (host, root) = try await start()
        #expect(root.told == ["7", "base", "own", "", "0", "none"] && host.notes == [])
    }

    @Test(
        "Where one value cannot be read, all begin as declared, a person is told, and no answer is lost",
        arguments: [#"{"count":7,"latest":1}"#, #"{"count":"seven"}"#, "[]", "nonsense", "", #"{"count":1,"count":2}"#])
    func unreadable(state: String) async throws {
        try await rewrite(state)
        let (host, root) = try await start()
        #expect(root.told == ["0", "base", "own", "", "0", "none"])
        #expect(host.notes.count == 1 && host.notes[0].contains("\"host\""))
        #expect(host.screen?.id == "host/code" && root.draft.text(of: "name") == "ada")
    }

    private func rewrite(_ state: String) async throws {
        try await start().host.press("accept", "ada")
        let id = try #require(await store.newestOpenFlow()).id
        _ = await store.edit(id.text) { rows in rows.map { $0.with(state: state) } }
    }

    @Test("What may hold a secret is not Codable, so it cannot be declared as saved")
    func secrets() {
        let types: [Any.Type] = [Secret.self, FlowDraft.self, SavedFlow.self, ScreenInput.self, Credentials.self]
        #expect(types.allSatisfy { !($0 is any Encodable.Type) })
    }

    @Test("Objects in memory that refer to each other are put back, too")
    func cycle() async throws {
        let root = try Host(), sketch = root.sketch, other = Sketch()
        (sketch.other, other.other) = (other, sketch)
        let undo = root.snapshot()
        other.lines = ["new"]
        sketch.other = nil
        undo()
        #expect(other.lines == [] && sketch.other === other)
        sketch.other = nil
    }

    // MARK: Delivery

    @Test("Delivering sends what the tree waits for, shows the verdict, and tells whether anything still waits")
    func delivery() async throws {
        let store = self.store, sent = Sent()
        let root = try Host()
        let host = try await FlowHost.restore(
            root, name: nil, flows: store, users: store,
            delivery: { submission, limit throws(StoreError) in
                guard await sent.note(submission, limit) > 1 else { return }
                await store.change(root.flow.id, to: .finished)
            })
        #expect(try await host.deliver(within: .seconds(1)), "nothing waits")
        for text in ["ada", "pw", "London"] { try await host.press("accept", text) }
        #expect(try await !host.deliver(within: .seconds(1)) && host.screen?.id == "host/submitted")
        #expect(try await host.deliver(within: .seconds(1)) && host.screen == nil)
        #expect(await sent.submissions == [root.flow.submissionID, root.flow.submissionID])
        #expect(await sent.limits.allSatisfy { $0 > .zero && $0 <= .seconds(1) })
    }
}

/// What a host had delivered.
private actor Sent {
    private(set) var submissions: [UUIDv7] = []
    private(set) var limits: [Duration] = []

    /// - Returns: how often that was.
    func note(_ submission: UUIDv7, _ limit: Duration) -> Int {
        submissions.append(submission)
        limits.append(limit)
        return submissions.count
    }
}
