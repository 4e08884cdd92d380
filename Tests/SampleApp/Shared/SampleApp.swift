public import Foyer
import FoyerMockNetwork
import Glibc

/// A small app that embeds Foyer with steps of its own: `app DATABASE KEYFILE`.
///
/// It goes on with the unfinished registration, or begins one. Standard output gets the name of each screen that is
/// asked, standard error the report of the resume; standard input gives one answer per line.
@FlowActor
public enum SampleApp {
    /// Runs the app with the steps of its version.
    /// - Returns: the exit code: 0 when the account is made, 75 when it is saved and not finished.
    public static func run(_ steps: [FlowStep]) async throws -> Int32 {
        let foyer = try await AccountStore.open(
            at: CommandLine.arguments[1], keyFile: CommandLine.arguments[2],
            network: .custom(MockNetwork(path: CommandLine.arguments[1] + ".mock-network")),
            definitions: [try FlowDefinition(.register, steps: steps)])
        var host = foyer.register()
        if let flow = try await foyer.newestUnfinishedFlow() {
            host = try foyer.resume(flow)
        }
        for note in host.notes { say(note, on: STDERR_FILENO) }
        try await ask(host)
        guard let id = host.flowIDs.first, let flow = try await foyer.flows.flow(id) else { return 75 }
        if flow.status == .submitted { _ = try await foyer.sync(waitingUpTo: .seconds(5)) }
        let status = try await foyer.flows.flow(id)?.status
        try await foyer.close()
        return status == .finished ? 0 : 75
    }

    /// Asks one screen after the other, until nothing is left to ask or nobody answers.
    private static func ask(_ host: FlowHost) async throws {
        while let screen = host.screen, let action = screen.actions.first {
            say("\(screen.id.split(separator: "/").last ?? "")", on: STDOUT_FILENO)
            guard let line = readLine() else { return }
            let values = Dictionary(uniqueKeysWithValues: screen.fields.map { ($0.key, Secret(line)) })
            _ = try await host.send(ScreenInput(for: screen, action, values: values))
        }
    }

    private static func say(_ line: String, on descriptor: Int32) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
