import FoyerFlow
import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import Foyer
@testable import FoyerApp
import FoyerMockNetwork

/// Flows that record which of their functions are called.
private final class RecordingFlows: FlowStorage {
    private let inner: any FlowStorage
    private let recorded = Mutex<[String]>([])
    var calls: [String] { recorded.withLock { $0 } }

    init(_ inner: any FlowStorage) { self.inner = inner }

    private func record(_ call: String) { recorded.withLock { $0.append(call) } }

    func commit(_ change: FlowChange) async throws(StoreError) -> SavedFlow {
        record("commit")
        return try await inner.commit(change)
    }
    func flow(_ id: UUIDv7) async throws(StoreError) -> SavedFlow? { try await inner.flow(id) }
    func newestOpenFlow() async throws(StoreError) -> SavedFlow? {
        record("newestOpenFlow")
        return try await inner.newestOpenFlow()
    }
    func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow> {
        record("unfinishedFlows")
        return try await inner.unfinishedFlows()
    }
    func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow {
        try await inner.cancel(id, at: now)
    }
    func expireFlows() async throws(StoreError) -> Int { try await inner.expireFlows() }
    func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] { try await inner.tree(of: host) }
    func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {
        try await inner.save(tree, of: host)
    }
}

/// A second view model, with another composition.
private struct NewestFlowViewModel: ViewModel {
    typealias Services = any HasUsers & HasFlows
    let services: Services
    init(withServices services: Services) { self.services = services }
    func newest() async throws(StoreError) -> SavedFlow? { try await services.flows.newestOpenFlow() }
}

@Suite @FlowActor struct ServicesTests {
    private let folder: TemporaryFolder
    private let foyer: AccountStore
    private let flows: RecordingFlows
    private let dependency: AppDependency

    init() async throws {
        folder = try TemporaryFolder()
        foyer = try await AccountStore.open(
            at: folder.appending("accounts.db"), keyFile: folder.appending("keys/key"),
            network: .offline(.custom(MockNetwork(path: folder.appending("mock")))))
        flows = RecordingFlows(foyer.storage)
        dependency = AppDependency(users: foyer.users, flows: flows, outbox: foyer.outbox, networking: nil)
    }

    @Test("B8: a view model of the program reaches the services that it declares, and no others")
    func undeclared() async throws {
        func program(reaching service: String) -> String {
            """
            import Foyer
            import FoyerApp
            struct Counting: ViewModel {
                typealias Services = any HasFlows & HasOutbox
                init(withServices services: Services) { _ = services.\(service) }
            }
            """
        }
        #expect(try await compilerErrors(of: program(reaching: "outbox")) == "")
        #expect(try await compilerErrors(of: program(reaching: "networking")).contains("has no member 'networking'"))
        try await foyer.close()
    }

    @Test("B10: a view model fetches its data from a service, which hears the call")
    func service() async throws {
        let screen = StatusScreen.instantiate(withServices: dependency)
        #expect(flows.calls == [])
        let shown = try await screen.makeScreen(id: "about/status")
        #expect(flows.calls == ["unfinishedFlows"])
        #expect(shown?.title == "Status")
        #expect(shown?.content == .message("Not finished yet: 0\nWaiting for the network: 0"))
        try await foyer.close()
    }

    @Test("B11: one container holds every service of the program")
    func container() async throws {
        let all: any HasUsers & HasFlows & HasOutbox & HasNetworking & HasEnvironment & HasAssets = dependency
        #expect(try await all.users.users().isEmpty && all.networking == nil)
        #expect(try all.assets.template(named: "LoginScreen", for: LoginScreen.self).title == "Sign in")
        try await foyer.close()
    }

    @Test("B12: the container narrows by itself to what each view model declares")
    func narrowing() async throws {
        let wide: any HasUsers & HasFlows & HasOutbox & HasEnvironment = dependency
        let narrow: StatusViewModel.Services = wide
        #expect(try await StatusViewModel(withServices: narrow).status().openFlows == 0)
        try await foyer.close()
    }

    @Test("B13: two view models work with the same instance of a service")
    func shared() async throws {
        _ = try await StatusViewModel(withServices: dependency).status()
        _ = try await NewestFlowViewModel(withServices: dependency).newest()
        #expect(flows.calls == ["unfinishedFlows", "newestOpenFlow"])
        try await foyer.close()
    }

    @Test("The status counts what is under way")
    func status() async throws {
        let host = foyer.register()
        for text in ["ada@example.org", "ada", "correct horse", "Ada", "Lovelace"] {
            let screen = try #require(host.screen)
            let key = try #require(screen.fields.first?.key)
            #expect(try await host.send(ScreenInput(for: screen, .accept, values: [key: Secret(text)])) == .taken)
        }
        let other = foyer.register()
        let screen = try #require(other.screen)
        _ = try await other.send(ScreenInput(for: screen, .accept, values: ["email": Secret("bob@example.org")]))
        let status = try await StatusViewModel(withServices: dependency).status()
        #expect(status == StatusViewModel.Status(openFlows: 1, waiting: 1, secondsToNext: 0))
        try await foyer.close()
    }
}
