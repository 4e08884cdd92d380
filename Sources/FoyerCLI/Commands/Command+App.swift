import Foyer

extension Command {
    static let app = Command(
        name: "app", takes: 0...0, usage: "app", summary: "the whole program with its tabs; --json speaks JSON lines",
        examples: ["foyer app", "foyer app --start login"]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: true) else { return .failed }
        guard let start = AccountType(rawValue: invocation.options.start) else {
            throw Failure.usage(
                "--start takes one of: \(AccountType.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard invocation.options.json || StandardInput.isTerminal else {
            throw Failure.usage("`foyer app` needs a terminal, or --json for another program.")
        }
        let host = try await AppLauncher(configureAppServices: { foyer.dependencies }).launch(start: start)
        if invocation.options.json { return try await AppSession(foyer, host, JSONLinesPresenter()).run() }
        return try await AppSession(foyer, host, TerminalAppPresenter(options: invocation.options)).run()
    }
}

/// Draws screens and gives back inputs: a terminal, or another program that speaks JSON lines.
@MainActor
protocol AppPresenter {
    /// The input for what is shown; nil when there will be none any more.
    func ask(_ tree: ScreenTree) -> ScreenInput?
    /// Tells what became of the last input, where that is not seen on the screen.
    func tell(_ result: FlowHost.Result)
}

/// The whole program at one presenter, until its input ends.
@MainActor
struct AppSession {
    private let foyer: Foyer
    private let host: FlowHost
    private let presenter: any AppPresenter

    init(_ foyer: Foyer, _ host: FlowHost, _ presenter: any AppPresenter) {
        self.foyer = foyer
        self.host = host
        self.presenter = presenter
    }

    func run() async throws -> ExitCode {
        while let input = presenter.ask(await host.screens) {
            do {
                presenter.tell(try await host.send(input))
            } catch {
                guard error.isConflict else { throw error }
                Output.error(error.message)
                try await host.reload()
            }
            try await deliver()
        }
        return try await foyer.flows.unfinishedFlows().isEmpty ? .done : .saved
    }

    /// Gives the network a few seconds for what the last input has finished.
    private func deliver() async throws {
        for id in await host.flowIDs {
            guard let flow = try await foyer.flows.flow(id), flow.status == .submitted else { continue }
            _ = try await foyer.sync(waitingUpTo: .seconds(5), for: flow.submissionID)
            try await host.reload()
        }
    }
}

/// The program's screens at a terminal.
@MainActor
struct TerminalAppPresenter: AppPresenter {
    private let presenter: ScreenPresenter

    init(options: Options) {
        presenter = ScreenPresenter(options: options)
    }

    func ask(_ tree: ScreenTree) -> ScreenInput? {
        presenter.ask(tree)
    }

    func tell(_ result: FlowHost.Result) {
        switch result {
        case .asks(.openURL(let address)): Output.error("Open \(address)")
        case .asks(.composeMail(let to, let subject)): Output.error("Write to \(to), subject \"\(subject)\"")
        case .taken, .refused, .stale: break
        }
    }
}
