import Foyer
import Synchronization
import TestSupport
import Testing

/// A clock that stands still until somebody turns it; whoever sleeps turns it by what they would have slept.
final class TurnableClock: Sendable {
    private let moment = Mutex(Timestamp(milliseconds: 1_700_000_000_000))

    var environment: FoyerEnvironment {
        FoyerEnvironment(now: { self.moment.withLock { $0 } }, sleep: { self.turn(by: $0) }, jitter: { 0 })
    }

    func turn(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}

/// A folder with a database, a key and a clock, to which several programs may come one after the other, or at once.
struct Premises {
    let folder: TemporaryFolder
    let clock = TurnableClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    var database: String { folder.appending("data/foyer.db") }

    func open(_ network: Foyer.Network = .mock, createIfMissing: Bool = true) async throws -> Foyer {
        try await Foyer.open(
            at: database, keyFile: folder.appending("state/key"), network: network, createIfMissing: createIfMissing,
            environment: clock.environment)
    }
}

/// What whoever started a registration was told.
@FlowActor
final class Told {
    private(set) var outcomes: [String] = []

    func register(in foyer: Foyer) -> FlowHost {
        foyer.register(didFinish: { self.note($0) }, didCancel: { self.note(nil) })
    }

    func resume(_ flow: SavedFlow, in foyer: Foyer) throws -> FlowHost {
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
