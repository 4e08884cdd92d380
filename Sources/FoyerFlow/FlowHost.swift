public import FoyerModel

/// Runs one coordinator tree: one input at a time, one write per input, and only then the new screens.
@FlowActor
public final class FlowHost {
    /// What became of an input.
    public enum Result: Equatable, Sendable {
        /// It was taken, and what it changed is on the disk.
        case taken
        /// What was entered breaks a rule; the screen says which.
        case refused
        /// It was taken, and the presenter is asked to do something outside the program.
        case asks(ExternalRequest)
        /// It was meant for a screen that is not shown any more; nothing was done.
        case stale
    }

    /// The screens as of the last input that was written.
    public private(set) var screens: ScreenTree
    let root: AnyCoordinator
    private let flows: any FlowRepository
    private let users: any UserRepository
    private let environment: FoyerEnvironment
    private var revision = 1
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var listeners: [Int: AsyncStream<ScreenTree>.Continuation] = [:]
    private var nextListener = 0

    /// Takes a tree that has been started or restored.
    public init(
        root: AnyCoordinator, flows: any FlowRepository, users: any UserRepository,
        environment: FoyerEnvironment = .system
    ) {
        self.root = root
        self.flows = flows
        self.users = users
        self.environment = environment
        screens = root.rendering.stamped(revision)
    }

    /// The flows that the tree works on.
    public var flowIDs: [UUIDv7] { root.subtree.compactMap(\.flowID) }

    /// The coordinator tree as text, one line each.
    public func describe() -> String { root.describe() }

    /// The screen that takes the input; nil when there is none.
    public var screen: Screen? { screens.active }

    /// The screens now, and after every change; the stream ends with the host.
    public var updates: AsyncStream<ScreenTree> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = nextListener
            nextListener += 1
            listeners[id] = continuation
            continuation.yield(screens)
            continuation.onTermination = { [weak self] _ in
                Task { @FlowActor in self?.listeners[id] = nil }
            }
        }
    }

    /// Handles an input: decided in memory, written in one transaction, then shown.
    ///
    /// When the write fails, memory is what it was before, and the screens stay.
    /// - Throws: what the store says, such as `movedOn` when another process has changed the flow; `reload` then
    ///   shows what it is now.
    public func send(_ input: ScreenInput) async throws(StoreError) -> Result {
        await takeTurn()
        defer { passTurn() }
        guard isCurrent(input.screen, input.revision), screens.actions.contains(where: { $0.id == input.action })
        else { return .stale }
        let undo = root.memento()
        guard let reaction = root.handle(input, at: environment.now()) else { return .stale }
        do throws(StoreError) {
            try await perform(reaction)
        } catch {
            undo()
            throw error
        }
        if let request = reaction.request { return .asks(request) }
        return reaction.isRefusal ? .refused : .taken
    }

    /// Takes over that the presenter has gone back by itself, as a swipe or a browser's button does.
    ///
    /// Telling it twice does no harm: a screen that is on top already stays there.
    public func popped(to screen: Screen.ID, revision: Int) async -> Result {
        await takeTurn()
        defer { passTurn() }
        guard self.screen?.id != screen else { return .taken }
        guard revision == self.revision else { return .stale }
        var visible: AnyCoordinator? = root
        while let node = visible {
            if let node = node as? any Navigating, node.popped(to: screen) {
                publish()
                return .taken
            }
            visible = node.activeChild
        }
        return .stale
    }

    private func isCurrent(_ screen: Screen.ID, _ revision: Int) -> Bool {
        self.screen?.id == screen && self.revision == revision
    }

    /// Takes over what the store knows by now, such as the network's verdict or the answers of another process.
    public func reload() async throws(StoreError) {
        await takeTurn()
        defer { passTurn() }
        for node in root.subtree {
            guard let id = node.flowID, let flow = try await flows.flow(id) else { continue }
            var user: User?
            if let id = flow.userID { user = try await users.user(id) }
            guard let reaction = node.update(from: flow, user: user, at: environment.now()) else { continue }
            try await perform(reaction)
        }
    }

    /// Writes, and when that has succeeded does the rest and shows the result.
    private func perform(_ reaction: Reaction) async throws(StoreError) {
        if let change = reaction.change {
            let flow = try await flows.commit(change)
            for node in root.subtree { node.committed(flow) }
        }
        reaction.then?()
        publish()
    }

    private func publish() {
        revision += 1
        screens = root.rendering.stamped(revision)
        for listener in listeners.values { listener.yield(screens) }
    }

    // MARK: One at a time

    private func takeTurn() async {
        guard isBusy else { return isBusy = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func passTurn() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        isBusy = false
    }

    isolated deinit {
        for listener in listeners.values { listener.finish() }
    }
}
