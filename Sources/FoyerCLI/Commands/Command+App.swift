import Foyer
import FoyerApp

extension Command {
    static let app = Command(
        name: "app", summary: "the whole program with its tabs; --json speaks JSON lines",
        flags: [Flag.start], examples: ["foyer app", "foyer app --start login"],
        exitCodes: [.saved]
    ) { invocation in
        let start = try storyToStart(invocation.options)
        guard invocation.options.json || StandardInput.isTerminal else {
            throw Failure.usage("`foyer app` needs a terminal, or --json for another program.")
        }
        return try await runApp(invocation.options, start: start)
    }

    static let open = Command(
        name: "open", summary: "the whole program, where a foyer:// link leads",
        arguments: [Argument(name: "LINK")], flags: [Flag.start],
        examples: ["foyer open foyer://register", "foyer open foyer://register/email", "foyer open foyer://profile"],
        exitCodes: [.saved]
    ) { invocation in
        let link = try DeepLink(invocation.arguments[0])
        return try await runApp(invocation.options, start: try storyToStart(invocation.options), link: link)
    }

    private static func storyToStart(_ options: Options) throws(Failure) -> FlowKind? {
        guard let name = options.start else { return nil }
        guard let start = FlowKind(rawValue: name) else {
            throw Failure.usage(
                "The flag --start takes one of: \(FlowKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return start
    }

    @MainActor
    private static func runApp(
        _ options: Options, start: FlowKind?, link: DeepLink? = nil
    ) async throws -> ExitCode {
        let foyer = try await options.open()
        let host = try await AppLauncher(configureAppServices: { foyer.dependencies }).launch(
            start: start.map(AccountType.init))
        var notes = await host.notes
        if let link, let reason = try await host.open(link) { notes.append("\(link): \(reason).") }
        let presenter: any AppPresenter =
            options.json ? JSONLinesPresenter() : TerminalAppPresenter(options: options)
        presenter.tell(notes: notes)
        let session = AppSession(foyer, host, options, presenter)
        guard options.json || StandardInput.isTerminal else { return try await session.tellPlace() }
        return try await session.run()
    }
}

/// Draws screens and gives back inputs: a terminal, or another program that speaks JSON lines.
@MainActor
protocol AppPresenter {
    /// The input for what is shown; nil when there will be none any more.
    func ask(_ tree: ScreenTree) -> ScreenInput?
    /// Tells what a person should know before the first screen.
    func tell(notes: [String])
    /// Tells what became of the last input, where that is not seen on the screen.
    func tell(_ result: FlowHost.Result)
    /// Tells why the last input could not be written; it has changed nothing.
    func tell(_ error: StoreError)
}

/// The whole program at one presenter, until its input ends.
@MainActor
struct AppSession {
    private let foyer: AccountStore
    private let host: FlowHost
    private let options: Options
    private let presenter: any AppPresenter

    init(_ foyer: AccountStore, _ host: FlowHost, _ options: Options, _ presenter: any AppPresenter) {
        self.foyer = foyer
        self.host = host
        self.options = options
        self.presenter = presenter
    }

    func run() async throws -> ExitCode {
        var waitedFor: Set<UUIDv7> = []
        while let input = presenter.ask(await host.screens) {
            do {
                let result = try await host.send(input)
                presenter.tell(result)
                guard result != .stale else { continue }
            } catch {
                guard !error.isFatal else { throw error }
                presenter.tell(error)
                // Once the file is back, the same input can be sent again.
                if error.code != .databaseGone { try await host.reload() }
                continue
            }
            do {
                try await deliver(&waitedFor)
            } catch {
                // What was taken is saved; the next input meets the same trouble, and is told of it.
                guard error.code == .databaseGone else { throw error }
            }
        }
        return try await stop()
    }

    /// Where nobody is there to go on: only says where the link has led.
    func tellPlace() async throws -> ExitCode {
        if let screen = await host.screen { Output.line(screen.id) }
        return try await stop()
    }

    /// Gives the network a few seconds for what the last input has finished; what was waited for once is sent meanwhile.
    private func deliver(_ waitedFor: inout Set<UUIDv7>) async throws(StoreError) {
        var submitted: [SavedFlow] = []
        for id in await host.flowIDs {
            if let flow = try await foyer.flows.flow(id), flow.status == .submitted { submitted.append(flow) }
        }
        guard !submitted.isEmpty else { return }
        let new = Set(submitted.map(\.submissionID)).subtracting(waitedFor)
        waitedFor.formUnion(new)
        try await host.deliver(within: new.isEmpty ? .zero : FlowSession.timeout)
        for flow in submitted where try await foyer.flows.flow(flow.id)?.status == .finished {
            foyer.mentionMockNetwork()
        }
    }

    private func stop() async throws -> ExitCode {
        let flows = try await foyer.flows.unfinishedFlows()
        guard flows.allSatisfy({ $0.status != .open }) else {
            Output.error("Saved. `foyer resume` continues.")
            return .saved
        }
        let waiting = try await foyer.outbox.waiting()
        // What is parked is the last word only where nothing else waits.
        guard let submission = waiting.first(where: { $0.state.name != .parked }) ?? waiting.first else { return .done }
        let attempt = try await foyer.outbox.attempts(of: submission.id).last
        let (exit, words) = submission.waitingWords(
            after: attempt, delivering: try options.syncCommand(for: submission.endpoint, in: foyer), options)
        Output.error(words)
        return exit
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
        if let input = presenter.ask(tree) { return input }
        // Whoever does not want to send the answers yet goes back to them.
        guard !presenter.hasEnded, let screen = tree.active, screen.actions.contains(.back) else { return nil }
        return ScreenInput(for: screen, .back)
    }

    func tell(notes: [String]) {
        for note in notes { Output.error(note) }
    }

    func tell(_ result: FlowHost.Result) {
        switch result {
        case .asks(.openURL(let address)): Output.error("Open \(address)")
        case .asks(.composeMail(let to, let subject)): Output.error("Write to \(to), subject \"\(subject)\"")
        case .taken: break
        case .refused, .stale: presenter.forgetTypedAhead()
        }
    }

    func tell(_ error: StoreError) {
        Output.error(error.advice)
        presenter.forgetTypedAhead()
    }
}
