import Foyer

/// One flow at the terminal or on a pipe: from the first question to the verdict, or to where the input ends.
@MainActor
struct FlowSession {
    private let foyer: AccountStore
    private let host: FlowHost
    private let options: Options
    private let presenter: ScreenPresenter

    init(_ foyer: AccountStore, _ host: FlowHost, _ options: Options) {
        self.foyer = foyer
        self.host = host
        self.options = options
        presenter = ScreenPresenter(options: options)
    }

    func run() async throws -> ExitCode {
        var refusal: FieldView?
        var wasSaved = try await savedFlow() != nil
        while let screen = await host.screen {
            guard screen.isWaitingForInput else {
                refusal = try await deliver()
                guard await host.screen?.isWaitingForInput == true else { break }
                presenter.forgetTypedAhead()
                continue
            }
            guard let input = ask(screen) else {
                if let refusal, !presenter.canCorrect, screen.fields.contains(where: { $0.key == refusal.key }) {
                    throw Failure(refusal, isSaved: try await savedFlow() != nil)
                }
                return try await end(screen.isReview ? .reviewed : .inputEnded, wasSaved)
            }
            let result = try await send(input)
            guard let result else { break }
            if result != .taken { presenter.forgetTypedAhead() }
            wasSaved = wasSaved || result == .taken
            if input.action == ScreenAction.cancel.id, result == .taken { return try await end(.givenUp, wasSaved) }
            if result == .refused, !presenter.canCorrect, let field = await refusedField() {
                throw Failure(field, isSaved: try await savedFlow() != nil)
            }
        }
        return try await end(.answered, wasSaved)
    }

    private func ask(_ screen: Screen) -> ScreenInput? {
        if case .review = screen.content, options.yes { return ScreenInput(for: screen, .submit) }
        return presenter.ask(.screen(screen))
    }

    /// - Returns: nil where the flow is not in the store any more.
    private func send(_ input: ScreenInput) async throws -> FlowHost.Result? {
        do {
            return try await host.send(input)
        } catch {
            if [.notFound, .flowGone].contains(error.code) { return nil }
            // Whoever is at the terminal can bring the file back and try again.
            let canTryAgain = error.code == .databaseGone && presenter.canCorrect
            guard error.isConflict || canTryAgain else { throw error }
            // The lines that follow were meant for the steps that were open when they were written.
            guard presenter.canCorrect || error.code != .movedOn else { throw Failure.movedOn }
            Output.error(error.advice)
            if error.isConflict { try await host.reload() }
            return .stale
        }
    }

    private func refusedField() async -> FieldView? {
        await host.screen?.fields.first { $0.error != nil }
    }

    /// Gives the network a few seconds; the result is the field that it refused, or nil when the flow is not open.
    private func deliver() async throws -> FieldView? {
        guard try await savedFlow()?.status == .submitted else { return nil }
        try await Progress.showing("Waiting for the network", options) { _ in
            _ = try await host.deliver(within: Self.timeout)
        }
        return await refusedField()
    }

    /// How long a command waits for the verdict on its own submission.
    static let timeout = Duration.seconds(5)

    private func savedFlow() async throws -> SavedFlow? {
        guard let id = await host.flowIDs.first else { return nil }
        return try await foyer.flows.flow(id)
    }

    /// Says what the store holds by now, once: nothing is written before all of it was read.
    private func end(_ ending: LastWords.Ending, _ wasSaved: Bool) async throws -> ExitCode {
        let found = try await SavedRecord(of: await host.flowIDs.first, in: foyer, options)
        switch LastWords(ending, found, wasSaved: wasSaved, options) {
        case .failed(let failure): throw failure
        case .told(let exit, let data, let words):
            if options.json { Output.json(found.members) } else if let data { Output.line(data) }
            if found.flow?.status == .finished { foyer.mentionMockNetwork() }
            words.forEach(Output.error)
            return exit
        }
    }
}

extension Screen {
    fileprivate var isReview: Bool {
        if case .review = content { true } else { false }
    }
}

extension Failure {
    fileprivate static let movedOn = Failure(
        code: "moved_on",
        message: "Another program went on with this flow, so the rest of the input was not taken. "
            + "`foyer flows` tells where it is, and `foyer resume` continues there.",
        exit: .refused)

    /// A refused answer that nobody is there to correct.
    /// - Parameter isSaved: whether the store holds the flow with its other answers.
    fileprivate init(_ field: FieldView, isSaved: Bool) {
        let error = field.error ?? FieldMessage("server.rejected")
        let saved = isSaved ? "The other answers are saved; `foyer resume` continues." : "Nothing is saved yet."
        self.init(
            code: error.id, message: "\(field.label): \(error.text) \(saved)", exit: .refused, field: field.key)
    }
}
