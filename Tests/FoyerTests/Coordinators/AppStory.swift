import Foyer
import FoyerApp
import FoyerMockNetwork
import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import FoyerFlow

/// The mock network, which keeps in mind what it was asked for.
final class RecordingNetwork: AccountNetwork {
    let endpoint = "recording"
    let server: MockNetwork
    private let recorded = Mutex<[SubmissionRequest]>([])

    init(path: String, script: [ScriptedAnswer] = []) {
        server = MockNetwork(path: path, script: script)
    }

    var requests: [SubmissionRequest] { recorded.withLock { $0 } }
    var kinds: [FlowKind] { requests.map(\.kind) }

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        recorded.withLock { $0.append(request) }
        return try await server.submit(request)
    }

    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { try await server.outcome(of: key) }

    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { try await server.cancel(key) }
}

/// The whole program with a person before it. Every input is made twice, and must be taken once; and no coordinator
/// that was ever seen may outlive the story.
@FlowActor
struct AppStory {
    let premises: Premises
    let network: RecordingNetwork
    let foyer: AccountStore
    let host: FlowHost
    let census: Census

    /// Tells a story.
    ///
    /// - Parameters:
    ///   - start: the story to show in any case; nil begins where an earlier one ended.
    ///   - premises: where an earlier story ended; nil begins with an empty house.
    static func tell(
        start: AccountType? = nil, in premises: Premises? = nil, script: [ScriptedAnswer] = [],
        sourceLocation: SourceLocation = #_sourceLocation, _ scenes: (AppStory) async throws -> Void
    ) async throws {
        let premises = if let premises { premises } else { try Premises() }
        let census = Census()
        do {
            let network = RecordingNetwork(path: premises.folder.appending("server"), script: script)
            let foyer = try await premises.open(.custom(network))
            let host = try await AppLauncher(configureAppServices: { foyer.dependencies }).launch(start: start)
            let story = AppStory(premises: premises, network: network, foyer: foyer, host: host, census: census)
            story.look()
            try await scenes(story)
            story.look()
            try await foyer.close()
        }
        #expect(census.seen.count >= 3 && census.alive == [], sourceLocation: sourceLocation)
    }

    private func look() { census.note(host.root.subtree) }

    // MARK: What a person does

    /// Presses a button, after these texts were put into the fields; and then once more.
    @discardableResult
    func press(_ action: ScreenAction.ID, _ texts: [String] = []) async throws -> FlowHost.Result {
        let screen = try #require(host.screen)
        let values = zip(screen.fields.map(\.key), texts.map { Secret($0) })
        let input = ScreenInput(
            screen: screen.id, revision: screen.revision, action: action,
            values: Dictionary(uniqueKeysWithValues: values))
        let undeclared = host.undeclaredValues
        let result = try await host.send(input)
        #expect(host.undeclaredValues.firstChange(since: undeclared) == nil)
        look()
        let screens = host.screens
        #expect(try await host.send(input) == .stale && host.screens == screens, "\(action) was taken twice")
        return result
    }

    /// Follows a link.
    func open(_ link: String) async throws -> String? {
        defer { look() }
        return try await host.open(DeepLink(link))
    }

    /// Fills in the visible form and goes on.
    func fill(_ texts: String...) async throws {
        #expect(try await press("accept", texts) == .taken, "\(place)")
    }

    /// Lets the network decide, and shows what it has decided.
    func deliver() async throws {
        try await host.deliver(within: .seconds(60))
        look()
    }

    /// Registers Ada beforehand, as another program would.
    func registerAda() async throws {
        try await foyer.register().answer(contentsOf: ada)
        #expect(try await foyer.sync().accepted == 1)
    }

    // MARK: What can be seen

    /// The visible screen, such as `account/login`.
    var place: String { host.screen.map { String($0.id.dropFirst("app/".count)) } ?? "" }

    var message: String? {
        switch host.screen?.content {
        case .message(let text), .alert(let text), .menu(let text): text
        default: nil
        }
    }

    var app: AppCoordinator? { host.root as? AppCoordinator }

    /// The names of what is open in the account's tab.
    var stack: [String] { app?.account.stack.map { $0.name } ?? [] }
}

/// What somebody enters on each of the three forms.
extension AccountType {
    var rightTexts: [String] {
        switch self {
        case .setup: Array(ada.prefix(3))
        case .login: [ada[1], ada[2]]
        case .forgotPassword: [ada[0]]
        }
    }
}
