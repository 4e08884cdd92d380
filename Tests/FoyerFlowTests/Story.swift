import FoyerModel
import TestSupport
import Testing

@testable import FoyerFlow

/// Asks `name`, `code` (a secret) and `town`; the text `bad` is refused everywhere.
final class SampleCoordinator: StepCoordinator<User> {
    nonisolated static let steps = ["name", "code", "town"]

    override var title: String { "Sample" }

    override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        let user = User(id: flow.id, userName: draft.text(of: "name"), status: .pending, createdAt: now, updatedAt: now)
        let body = SubmissionBody.stored(fields: draft.credentials.texts)
        return FlowChange.Finish(
            user: user,
            submission: NewSubmission(id: flow.submissionID, kind: .register, lane: user.id.text, body: body))
    }

    override func makeOutput(user: User?) -> User? { user }
}

extension FlowDefinition {
    static var sample: FlowDefinition {
        get throws {
            try FlowDefinition(
                .register,
                steps: SampleCoordinator.steps.map { id in
                    let field = StepField(id, label: id.uppercased())
                    guard id != "code" else {
                        return FlowStep(secret: id, field: field) { entered, _ throws(FieldMessage) in
                            guard !entered.isText("bad") else { throw FieldMessage("field.required") }
                            return entered
                        }
                    }
                    return FlowStep(id, field: field) { text, _ throws(FieldMessage) in
                        guard text != "bad" else { throw FieldMessage("field.required") }
                        return text
                    }
                })
        }
    }
}

/// What a coordinator's owner was told.
@FlowActor
final class Outcomes {
    private(set) var told: [String] = []

    func listen(to coordinator: Coordinator<User>) {
        coordinator.didFinish = { self.told.append("finished \($0.userName ?? "")") }
        coordinator.didCancel = { self.told.append("cancelled") }
    }
}

/// One host with its tree, its store and whoever waits for the outcome.
@FlowActor
struct Story {
    static let environment = FoyerEnvironment(now: { Timestamp(milliseconds: 1_700_000_000_000) })

    let store: MemoryStore
    let host: FlowHost
    let outcomes = Outcomes()

    /// Tells a story with a coordinator that must be gone when it is over.
    ///
    /// - Parameter saved: the flow to go on with, and where it is stored; nil begins a new one.
    static func tell(
        resuming saved: (flow: SavedFlow, store: MemoryStore)? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ scenes: (Story) async throws -> Void
    ) async throws {
        let census = Census()
        do {
            let story = Story(try make(saved?.flow), store: saved?.store ?? MemoryStore())
            census.note(story.host.root.subtree)
            try await scenes(story)
            census.note(story.host.root.subtree)
        }
        #expect(census.alive == [], "a coordinator has outlived its host", sourceLocation: sourceLocation)
    }

    private static func make(_ flow: SavedFlow?) throws -> SampleCoordinator {
        if let flow {
            return SampleCoordinator(slot: "sample", resuming: flow, definition: try .sample, environment: environment)
        }
        let coordinator = SampleCoordinator(slot: "sample", definition: try .sample, environment: environment)
        coordinator.start()
        return coordinator
    }

    private init(_ root: SampleCoordinator, store: MemoryStore) {
        self.store = store
        outcomes.listen(to: root)
        host = FlowHost(root: root, flows: store, users: store, environment: Self.environment)
    }

    // MARK: Inputs

    /// The input that a person makes on the screen that is shown.
    func input(_ action: ScreenAction, _ text: String? = nil) throws -> ScreenInput {
        let screen = try #require(host.screen)
        let values = text.map { text in Dictionary(uniqueKeysWithValues: screen.fields.map { ($0.key, Secret(text)) }) }
        return ScreenInput(for: screen, action, values: values ?? [:])
    }

    @discardableResult
    func send(_ action: ScreenAction, _ text: String? = nil) async throws -> FlowHost.Result {
        try await host.send(input(action, text))
    }

    /// Answers the questions as they come, with these texts.
    func answer(_ texts: String...) async throws {
        for text in texts { #expect(try await send(.accept, text) == .taken) }
    }

    // MARK: What can be seen

    /// The names of the open screens, the visible one last.
    var stack: [String] {
        guard case .stack(let screens) = host.screens else { return [] }
        return screens.compactMap(\.active).map { String($0.id.dropFirst("sample/".count)) }
    }

    var field: FieldView? { host.screen?.fields.first }

    func flow() async throws -> SavedFlow {
        let id = try #require(host.flowIDs.first)
        return try #require(try await store.flow(id))
    }

    /// The saved flow's revision; nil before it is saved.
    var revision: Int? {
        get async throws { try await store.flow(try #require(host.flowIDs.first))?.revision }
    }

    var commits: Int { get async { await store.commits.count } }
}

/// A flow that was saved after so many answers, and the store that it lies in.
@FlowActor
func saved(answers count: Int) async throws -> (flow: SavedFlow, store: MemoryStore) {
    let store = MemoryStore()
    let definition = try FlowDefinition.sample
    let environment = Story.environment
    var flow = SavedFlow(
        id: environment.makeID(), kind: .register, path: "sample", status: .open, fingerprint: definition.fingerprint,
        step: nil, revision: 0, userID: nil, submissionID: environment.makeID(), createdAt: environment.now(),
        updatedAt: environment.now(), expiresAt: nil)
    for step in definition.steps.prefix(count) {
        let content: FlowDraft.Answer = step.isSecret ? .secret(Secret("pw")) : .clear("my \(step.id)")
        flow = try await store.commit(
            FlowChange(
                flow: flow, fingerprint: definition.fingerprint,
                answers: [FlowChange.Answer(step: step.id, version: 1, content: content)], step: nil,
                at: environment.now()))
    }
    return (flow, store)
}
