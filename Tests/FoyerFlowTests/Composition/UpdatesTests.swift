import FoyerFlow
import FoyerModel
import Testing

private struct NoStore: FlowStorage, UserStorage {
    private static let none = StoreError(.notFound, "There is no store here.")
    func commit(_ change: FlowChange) async throws(StoreError) -> SavedFlow { throw Self.none }
    func flow(_ id: UUIDv7) async throws(StoreError) -> SavedFlow? { nil }
    func flow(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> SavedFlow {
        throw Self.none
    }
    func newestOpenFlow() async throws(StoreError) -> SavedFlow? { nil }
    func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow> { [] }
    func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow { throw Self.none }
    func expireFlows() async throws(StoreError) -> Int { 0 }
    func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] { [] }
    func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {}
    func users() async throws(StoreError) -> Listing<User> { [] }
    func user(_ id: UUIDv7) async throws(StoreError) -> User? { nil }
    func users(email: String) async throws(StoreError) -> [User] { [] }
    func add(_ users: [User]) async throws(StoreError) {}
    func user(named name: String, matching match: IdentifierMatch) async throws(StoreError) -> User { throw Self.none }
}

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
        let host = FlowHost(root: pages, flows: NoStore(), users: NoStore())
        var updates = host.updates.makeAsyncIterator()
        let first = try #require(await updates.next()?.active)
        #expect(first.title == "one")
        #expect(try await host.send(ScreenInput(for: first, .accept)) == .taken)
        #expect(await updates.next()?.active?.title == "two")
    }
}
