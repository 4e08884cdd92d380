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

    /// Delivers what is due until a submission has its verdict, and no longer than a time.
    package typealias Delivery = @Sendable (UUIDv7, Duration) async throws(StoreError) -> Void

    /// The screens as of the last input that was written.
    public private(set) var screens: ScreenTree
    let root: AnyCoordinator
    private let flows: any FlowStorage
    private let users: any UserRepository
    private let environment: FoyerEnvironment
    private let delivery: Delivery
    /// Under which name the tree is saved; nil for one that works on a single flow, and is saved under the flow's.
    private let name: String?
    private let report: RestoreReport
    private var savedTree: [CoordinatorNode]
    private var revision = 1
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var listeners: [Int: AsyncStream<ScreenTree>.Continuation] = [:]
    private var nextListener = 0

    /// Takes a tree that has been started.
    package init(
        root: AnyCoordinator, name: String? = nil, report: RestoreReport = RestoreReport(), flows: any FlowStorage,
        users: any UserRepository, environment: FoyerEnvironment = .system,
        delivery: @escaping Delivery = { _, _ throws(StoreError) in }
    ) {
        self.root = root
        self.name = name
        self.report = report
        self.flows = flows
        self.users = users
        self.environment = environment
        self.delivery = delivery
        savedTree = []
        screens = root.rendering.stamped(revision)
    }

    /// Brings a tree back as it was saved, each flow fitted to the steps of today.
    ///
    /// Nothing is shown before all of it is settled. What cannot be brought back stays in its rows; `notes` says so.
    /// - Parameters:
    ///   - name: the name of the tree; nil for one that works on a single flow, and is saved under the flow's.
    ///   - settle: what else is done to the tree before it is shown.
    package static func restore(
        _ root: AnyCoordinator, name: String?, flows: any FlowStorage, users: any UserRepository,
        environment: FoyerEnvironment = .system, delivery: @escaping Delivery = { _, _ throws(StoreError) in },
        settle: () async throws(StoreError) -> Void = {}
    ) async throws(StoreError) -> FlowHost {
        var saved: [CoordinatorNode] = []
        if let name = name ?? root.flowID?.text { saved = try await flows.tree(of: name) }
        let host = FlowHost(
            root: root, name: name, report: root.restore(saved), flows: flows, users: users,
            environment: environment, delivery: delivery)
        host.savedTree = saved
        try await host.reload()
        try await settle()
        host.screens = root.rendering.stamped(host.revision)
        return host
    }

    /// What a person should know about how the tree was brought back, a sentence each; empty where all is as it was.
    public var notes: [String] { report.sentences + root.subtree.flatMap(\.notes) }

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

    // MARK: What happens

    /// Handles an input: decided in memory, written in one transaction, then shown.
    ///
    /// When an answer cannot be written, memory is what it was before, and the screens stay. An input that gives none, and
    /// only leads to another place of the tree, leads there all the same; the next one writes it.
    /// - Throws: what the store says, such as `movedOn` when another process has changed the flow; `reload` then
    ///   shows what it is now, and what was typed for it is still in its field. So it is after `databaseGone`: the same
    ///   input can be sent again once the file is back. `flowGone` when the flow was erased.
    public func send(_ input: ScreenInput) async throws(StoreError) -> Result {
        await takeTurn()
        defer { passTurn() }
        guard isCurrent(input.screen, input.revision), screens.actions.contains(where: { $0.id == input.action })
        else { return .stale }
        let undo = root.snapshot()
        guard let reaction = root.handle(input, at: environment.now()) else { return .stale }
        do throws(StoreError) {
            try await perform(reaction) { error in
                undo()
                if error.isConflict || error.code == .databaseGone { root.keepUnsent(input) }
                if error.code == .databaseGone { redraw() }
            }
        } catch {
            guard error.code == .repeatedSecret, root.refuseRepeatedSecret(input) else { throw error }
            try await show()
            return .refused
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
                // The presenter has gone back already: what cannot be saved now is saved with the next input.
                try? await show()
                return .taken
            }
            visible = node.activeChild
        }
        return .stale
    }

    /// Goes where a link leads, or keeps it until what it waits for has happened.
    ///
    /// The link is looked up as a whole before anything is changed; one that leads nowhere changes nothing.
    /// - Returns: what the link waits for, in words; nil when its place is shown.
    /// - Throws: `DeepLinkError.leadsNowhere`; a `StoreError` when the new place is shown and cannot be saved.
    public func open(_ link: DeepLink) async throws -> String? {
        await takeTurn()
        defer { passTurn() }
        guard let destination = root.destination(of: link.path[...]) else { throw DeepLinkError.leadsNowhere }
        destination.go()
        try await show()
        return destination.waitsFor
    }

    /// Takes over what the store knows by now, such as the network's verdict or the answers of another process.
    public func reload() async throws(StoreError) {
        await takeTurn()
        defer { passTurn() }
        for node in root.subtree {
            guard let id = node.flowID else { continue }
            guard let flow = try await flows.flow(id) else {
                if let reaction = node.flowWasErased() { try await perform(reaction) }
                continue
            }
            var user: User?
            if let id = flow.userID { user = try await users.user(id) }
            guard let reaction = node.update(from: flow, user: user, at: environment.now()) else { continue }
            try await perform(reaction)
        }
    }

    /// Delivers what the flows of the tree wait for, and shows the verdicts: after `limit` at the latest, whatever the
    /// network does.
    ///
    /// A submission that is being sent when the time is over goes on. Inputs are taken meanwhile.
    /// - Returns: whether no flow of the tree waits for the network any more.
    /// - Throws: `StoreError` when the store cannot be read or written.
    @discardableResult
    public func deliver(within limit: Duration) async throws(StoreError) -> Bool {
        let end = ContinuousClock.now + limit
        for id in flowIDs {
            guard let flow = try await flows.flow(id), flow.status == .submitted else { continue }
            try await delivery(flow.submissionID, max(.zero, end - ContinuousClock.now))
        }
        try await reload()
        for id in flowIDs where try await flows.flow(id)?.status == .submitted { return false }
        return true
    }

    // MARK: Writing

    /// Writes, and when that has succeeded does the rest and shows the result.
    private func perform(
        _ reaction: Reaction, undo: (StoreError) -> Void = { _ in }
    ) async throws(StoreError) {
        if var change = reaction.change {
            change.host = name
            change.tree = root.nodes + report.left
            do throws(StoreError) {
                let flow = try await flows.commit(change)
                savedTree = change.tree
                for node in root.subtree { node.committed(flow) }
            } catch {
                undo(error)
                throw error
            }
        }
        reaction.then?()
        try await show()
    }

    /// Saves where everything is, and shows it; what has ended cannot be undone, so it is shown in any case.
    private func show() async throws(StoreError) {
        defer { publish() }
        try await saveTree()
    }

    /// Writes the tree where it is not what was written last; that of a single flow not before the flow.
    private func saveTree() async throws(StoreError) {
        guard let name = name ?? (savedTree.isEmpty ? nil : root.flowID?.text) else { return }
        let tree = root.nodes + report.left
        guard tree != savedTree else { return }
        try await flows.save(tree, of: name)
        savedTree = tree
    }

    private func publish() {
        revision += 1
        redraw()
    }

    /// Shows what memory has now; the screens take the same inputs as before.
    private func redraw() {
        screens = root.rendering.stamped(revision)
        for listener in listeners.values { listener.yield(screens) }
    }

    private func isCurrent(_ screen: Screen.ID, _ revision: Int) -> Bool {
        self.screen?.id == screen && self.revision == revision
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
