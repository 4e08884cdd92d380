import Foyer

/// One flow at the terminal or on a pipe: from the first question to the verdict, or to where the input ends.
@MainActor
struct FlowSession {
    private let foyer: Foyer
    private let host: FlowHost
    private let options: Options
    private let presenter: ScreenPresenter

    init(_ foyer: Foyer, _ host: FlowHost, _ options: Options) {
        self.foyer = foyer
        self.host = host
        self.options = options
        presenter = ScreenPresenter(options: options)
    }

    func run() async throws -> ExitCode {
        var refusal: FieldView?
        while let screen = await host.screen {
            guard screen.isWaitingForInput else {
                guard let reopened = try await deliver() else { return try await finish() }
                presenter.forgetTypedAhead()
                refusal = reopened
                continue
            }
            guard let input = ask(screen) else {
                if let refusal, !presenter.canCorrect, screen.fields.contains(where: { $0.key == refusal.key }) {
                    throw Failure(refusal)
                }
                return try await stop(at: screen)
            }
            let result = try await send(input)
            if result != .taken { presenter.forgetTypedAhead() }
            if input.action == ScreenAction.cancel.id, result == .taken { return try await giveUp() }
            if result == .refused, !presenter.canCorrect, let field = await refusedField() {
                throw Failure(field)
            }
        }
        return try await finish()
    }

    private func ask(_ screen: Screen) -> ScreenInput? {
        if case .review = screen.content, options.yes { return ScreenInput(for: screen, .submit) }
        return presenter.ask(.screen(screen))
    }

    private func send(_ input: ScreenInput) async throws -> FlowHost.Result {
        do {
            return try await host.send(input)
        } catch {
            guard error.isConflict else { throw error }
            // The lines that follow were meant for the steps that were open when they were written.
            guard presenter.canCorrect || error.code != .movedOn else { throw Failure.movedOn }
            Output.error(error.message)
            try await host.reload()
            return .stale
        }
    }

    private func refusedField() async -> FieldView? {
        await host.screen?.fields.first { $0.error != nil }
    }

    /// Gives the network a few seconds; the result is the field that it refused, or nil when the flow is not open.
    private func deliver() async throws -> FieldView? {
        guard let flow = try await savedFlow(), flow.status == .submitted else { return nil }
        _ = try await Progress.showing("Waiting for the network", options) { _ in
            try await foyer.sync(waitingUpTo: .seconds(5), for: flow.submissionID)
        }
        try await host.reload()
        return await refusedField()
    }

    private func savedFlow() async throws -> SavedFlow? {
        guard let id = await host.flowIDs.first else { return nil }
        return try await foyer.flows.flow(id)
    }

    // MARK: Ends

    /// The input ended before the flow did.
    private func stop(at screen: Screen) async throws -> ExitCode {
        let flow = try await savedFlow()
        if options.json { try await writeResult(flow) }
        if case .review = screen.content, flow != nil {
            Output.error("Everything is answered. `foyer resume --yes` sends it.")
        } else if flow != nil {
            Output.error("Saved. `foyer resume` continues.")
        } else {
            Output.error("Nothing was entered, and nothing was saved.")
        }
        return .saved
    }

    private func giveUp() async throws -> ExitCode {
        if options.json { try await writeResult(try await savedFlow()) }
        Output.error("Given up. `foyer help` lists how to begin again.")
        return .done
    }

    /// Every question is answered; the network has decided, or will.
    private func finish() async throws -> ExitCode {
        guard let flow = try await savedFlow() else { return .saved }
        guard flow.status.isUnfinished || flow.status == .finished else {
            throw StoreError.closed(flow.status)
        }
        if options.json { try await writeResult(flow) }
        guard flow.status == .finished else {
            Output.error("Saved. The network has not decided yet; `foyer sync` delivers.")
            return .saved
        }
        if !options.json { Output.line(try await verdict(on: flow)) }
        foyer.mentionMockNetwork()
        Output.next(
            flow.kind == .forgotPassword
                ? "`foyer login` signs in with the password of that mail." : "`foyer users` shows who is in the store.")
        return .done
    }

    private func verdict(on flow: SavedFlow) async throws -> String {
        var name = "somebody"
        if let id = flow.userID, let user = try await foyer.users.user(id) { name = user.userName ?? user.id.text }
        return switch flow.kind {
        case .setup: "Registered \(name)"
        case .login: "Signed in as \(name)"
        case .forgotPassword: "If that address has an account, a mail with a new password is on its way."
        }
    }

    private func writeResult(_ flow: SavedFlow?) async throws {
        var submission: Submission?
        var user: User?
        if let flow {
            submission = try await foyer.outbox.submission(flow.submissionID)
            if let id = flow.userID { user = try await foyer.users.user(id) }
        }
        Output.json([
            "flow": flow.map { JSONValue($0) } ?? .null, "submission": submission.map { JSONValue($0) } ?? .null,
            "user": user.map { JSONValue($0) } ?? .null,
        ])
    }
}

extension Failure {
    fileprivate static let movedOn = Failure(
        code: "moved_on",
        message: "Another program went on with this flow, so the rest of the input was not taken. "
            + "`foyer flows` tells where it is, and `foyer resume` continues there.",
        exit: .refused)

    fileprivate init(_ field: FieldView) {
        let error = field.error ?? FieldMessage("server.rejected")
        self.init(
            code: error.id,
            message: "\(field.label): \(error.text) The other answers are saved; `foyer resume` continues.",
            exit: .refused, field: field.key)
    }
}
