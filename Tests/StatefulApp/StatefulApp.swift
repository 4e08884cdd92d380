import Foyer
import FoyerMockNetwork
import Glibc

/// An app's own base class, which counts the inputs.
class CountingCoordinator: StepCoordinator<User> {
    @Saved private var count = 0

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guard let reaction = super.respond(to: input, at: now) else { return nil }
        count += 1
        return reaction
    }

    var told: String { "count \(count)" }
}

/// A subclass of it, which also remembers where each input was made, and has no line about saving either.
final class RememberingCoordinator: CountingCoordinator {
    /// A value that an app makes of several.
    struct Memory: Codable, Sendable {
        var places: [String] = []
    }

    @Saved private var memory = Memory()

    init(resuming flow: SavedFlow?, in store: AccountStore) {
        super.init(
            slot: "door", resuming: flow, definition: store.definition(for: .register), environment: store.environment)
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        let place = visibleScreen
        guard let reaction = super.respond(to: input, at: now) else { return nil }
        memory.places.append(place ?? "")
        return reaction
    }

    override var told: String { "\(super.told) places \(memory.places.joined(separator: ","))" }
}

/// An app whose coordinator has state of its own: `StatefulApp DATABASE KEYFILE`.
///
/// It writes a line for each screen, with the step and the state, and reads the answer; `<` goes back.
@main
enum StatefulApp {
    static func main() async throws {
        try await run()
    }

    @FlowActor
    private static func run() async throws {
        let store = try await AccountStore.open(
            at: CommandLine.arguments[1], keyFile: CommandLine.arguments[2],
            network: .custom(MockNetwork(path: CommandLine.arguments[1] + ".mock-network")))
        let coordinator = RememberingCoordinator(resuming: try await store.newestUnfinishedFlow(), in: store)
        let host = try await store.host(coordinator)
        while let screen = host.screen, let action = screen.actions.first {
            let step = screen.id.split(separator: "/").last ?? ""
            let line = Array("\(step) \(coordinator.told)\n".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
            guard let answer = readLine() else { break }
            let values = Dictionary(uniqueKeysWithValues: screen.fields.map { ($0.key, Secret(answer)) })
            _ = try await host.send(ScreenInput(for: screen, answer == "<" ? .back : action, values: values))
        }
        try await store.close()
    }
}
