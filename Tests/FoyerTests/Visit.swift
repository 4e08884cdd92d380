import Foyer
import FoyerMockNetwork
import FoyerTestSupport
import TestSupport
import Testing

/// A folder with a database, a key and a clock, to which several programs may come one after the other, or at once.
struct Premises {
    let folder: TemporaryFolder
    let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    var database: String { folder.appending("data/foyer.db") }
    /// The pretended server, with a file beside the database.
    var mock: AccountStore.Network {
        .custom(MockNetwork(path: database + ".mock-network", environment: clock.environment))
    }

    func open(_ network: AccountStore.Network? = nil, createIfMissing: Bool = true) async throws -> AccountStore {
        try await AccountStore.open(
            at: database, keyFile: folder.appending("state/key"), network: network ?? mock,
            createIfMissing: createIfMissing,
            environment: clock.environment)
    }
}

/// What whoever started a registration was told.
@FlowActor
final class Told {
    private(set) var outcomes: [String] = []

    func register(in foyer: AccountStore) -> FlowHost {
        foyer.register(didFinish: { self.note($0) }, didCancel: { self.note(nil) })
    }

    func resume(_ flow: SavedFlow, in foyer: AccountStore) throws -> FlowHost {
        try foyer.resume(flow, didFinish: { self.note($0) }, didCancel: { self.note(nil) })
    }

    private func note(_ user: User?) {
        outcomes.append(user.map { "finished \($0.userName ?? "")" } ?? "cancelled")
    }
}

extension FlowHost {
    /// Answers the questions as they come.
    func answer(_ texts: String...) async throws {
        for text in texts {
            let shown = try #require(screen), field = try #require(shown.fields.first)
            let result = try await send(ScreenInput(for: shown, .accept, values: [field.key: Secret(text)]))
            #expect(result == .taken, "\(field.key): \(screen?.fields.first?.error?.text ?? "")")
        }
    }

    /// The name of the visible screen.
    var place: String? { screen.map { String($0.id.dropFirst("register/".count)) } }
}

/// The answers of somebody who registers.
let ada = ["ada@example.org", "ada", "correct horse battery", "Ada", "Lovelace"]

extension FlowHost {
    func answer(contentsOf texts: some Sequence<String>) async throws {
        for text in texts { try await answer(text) }
    }
}
