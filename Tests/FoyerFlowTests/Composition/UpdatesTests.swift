import FoyerFlow
import FoyerModel
import Testing

@FlowActor
private final class Pages: NavigationCoordinator<Int> {
    override func start() { push("one") }

    override func makeScreen(_ name: String) -> Screen? {
        Screen(id: name, title: name, content: .message(name), actions: [.accept])
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        Reaction { [weak self] in self?.push("two") }
    }
}

@Suite @FlowActor struct UpdatesTests {
    @Test("B16: a presenter is bound to the screens by a stream of values, without a reactive library")
    func updates() async throws {
        let pages = Pages(slot: "pages")
        pages.start()
        let store = MemoryStore()
        let host = FlowHost(root: pages, flows: store, users: store)
        var updates = host.updates.makeAsyncIterator()
        let first = try #require(await updates.next()?.active)
        #expect(first.title == "one")
        #expect(try await host.send(ScreenInput(for: first, .accept)) == .taken)
        #expect(await updates.next()?.active?.title == "two")
    }
}
