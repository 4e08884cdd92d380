public import Foyer

/// A presenter that plays moves on one flow, through as many runs of the program as the script has kills.
@FlowActor
public final class ScriptedPresenter {
    /// Goes on with a saved flow, or begins a new one where there is none: what the app does when it starts.
    public typealias Program = @FlowActor (_ foyer: AccountStore, _ saved: SavedFlow?) async throws -> FlowHost

    /// Registers by the steps that the store was made with.
    public static let registration: Program = { foyer, saved in
        if let saved { return try foyer.resume(saved) }
        return foyer.register()
    }

    private let store: TestStore
    private let program: Program
    private var running: (foyer: AccountStore, host: FlowHost)?
    /// The flow that is played; nil before the first answer.
    public private(set) var flow: UUIDv7?
    /// What was answered last at each step, which a person would give again.
    private var answered: [String: String] = [:]
    private var wasKilled = false

    /// Makes a presenter for a program that is not started before the first move.
    public init(_ store: TestStore, program: @escaping Program = ScriptedPresenter.registration) {
        self.store = store
        self.program = program
    }

    /// The screen that takes the input; nil when none is shown, or the program does not run.
    public var screen: Screen? { running?.host.screen }

    /// The name of that screen: the step's, or `review`, or `submitted`.
    public var place: String? {
        screen.map { $0.id.split(separator: "/").last.map(String.init) ?? $0.id }
    }

    /// The flow as the store has it, with its answers; nil before the first answer.
    public func savedFlow() async throws -> SavedFlow? {
        guard let flow else { return nil }
        return try await run().foyer.flows.flow(flow)
    }

    /// Plays moves, one after the other.
    /// - Throws: `ScriptFailure` where something else happens than the script says; `StoreError`.
    public func play(_ moves: Move...) async throws {
        try await play(moves)
    }

    /// Plays moves, one after the other.
    /// - Throws: `ScriptFailure` where something else happens than the script says; `StoreError`.
    public func play(_ moves: [Move]) async throws {
        for move in moves { try await play(move) }
    }

    private func play(_ move: Move) async throws {
        switch move {
        case .kill:
            running = nil
            wasKilled = true
        case .resume: _ = try await run()
        case .deliver:
            try await run().host.deliver(within: .seconds(600))
        case .expect(let name):
            _ = try await run()
            guard place == name else { throw ScriptFailure("\(shown), and not \"\(name)\".") }
        case .back: try await press(.back)
        case .submit: try await press(.submit)
        case .cancel: try await press(.cancel)
        case .answer(let step, let text):
            try await go(to: step)
            try await enter(text, expecting: .taken)
            answered[step] = text
        case .wrongAnswer(let step, let text, let message):
            try await go(to: step)
            try await enter(text, expecting: .refused)
            let error = screen?.fields.first?.error?.id
            guard message == nil || message == error else {
                throw ScriptFailure("\"\(text)\" was refused with \(error ?? "no message"), not \(message ?? "").")
            }
        }
    }

    // MARK: The program

    private func run() async throws -> (foyer: AccountStore, host: FlowHost) {
        if let running { return running }
        let foyer = try await store.open()
        var saved: SavedFlow?
        if let flow { saved = try await foyer.flows.flow(flow) }
        if let status = saved?.status, !status.isUnfinished {
            throw ScriptFailure("The flow is \(status.rawValue): there is nothing to go on with.")
        }
        let host = try await program(foyer, saved)
        if let flow, !host.flowIDs.contains(flow) {
            throw ScriptFailure("The program did not go on with the flow that was saved.")
        }
        running = (foyer, host)
        return (foyer, host)
    }

    private var shown: String { place.map { "The screen shows \"\($0)\"" } ?? "No screen is shown" }

    /// Shows the screen of a step as a person finds it who was interrupted: what is asked once more is answered as
    /// before, and to what comes earlier they go back.
    private func go(to step: String) async throws {
        _ = try await run()
        // More moves than any flow has steps lead nowhere.
        for _ in 0..<1000 {
            guard let place, place != step, wasKilled else { break }
            let steps = screen.map(\.actions) ?? []
            if let text = answered[place], answered[step] == nil {
                try await enter(text, expecting: .taken)
            } else if answered[step] != nil, steps.contains(.back) {
                try await press(.back)
            } else {
                break
            }
        }
        guard place == step else {
            throw ScriptFailure("\(shown), and not the step \"\(step)\" that the script answers.")
        }
    }

    private func enter(_ text: String, expecting expected: FlowHost.Result) async throws {
        guard let field = screen?.fields.first else {
            throw ScriptFailure("\(shown), which asks nothing.")
        }
        let result = try await send(.accept, values: [field.key: Secret(text)])
        guard result == expected else {
            let error = screen?.fields.first?.error?.text ?? "no message"
            throw ScriptFailure("\(shown); \"\(text)\" was \(result), not \(expected): \(error)")
        }
    }

    private func press(_ action: ScreenAction) async throws {
        _ = try await run()
        guard try await send(action) == .taken else {
            throw ScriptFailure("\(shown), where \"\(action.id)\" cannot be done.")
        }
    }

    private func send(_ action: ScreenAction, values: [String: Secret] = [:]) async throws -> FlowHost.Result {
        let (_, host) = try await run()
        guard let screen = host.screen else { return .stale }
        let before = host.undeclaredValues
        let result = try await host.send(ScreenInput(for: screen, action, values: values))
        if let name = host.undeclaredValues.firstChange(since: before) {
            throw ScriptFailure("\(name) changes with an input: declare it @Saved or @Unsaved.")
        }
        flow = host.flowIDs.first ?? flow
        return result
    }
}
