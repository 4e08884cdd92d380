public import FoyerModel

/// A node of the coordinator tree: owns the order of the screens of one activity, and holds no data of its own.
@FlowActor
open class AnyCoordinator: Coordinating {
    /// The parent's name for this kind of child.
    public internal(set) var slot: String
    /// Tells children of one slot apart: 1, unless there are several.
    private var number = 1
    /// The places of saved children that this version of the program could not make again.
    final var leftPlaces: Set<String> = []
    /// The coordinator that holds this one; nil at the root.
    public private(set) weak var parent: AnyCoordinator?
    /// The activities inside this one.
    public private(set) var children: [AnyCoordinator] = []

    /// Makes a coordinator that is not part of a tree yet.
    public init(slot: String) {
        self.slot = slot
    }

    public final var path: String {
        guard let parent else { return slot }
        return parent.place(of: slot, number)
    }

    private func place(of slot: String, _ number: Int) -> String {
        "\(path)/\(slot)\(number > 1 ? "#\(number)" : "")"
    }

    /// The top of the tree that this node is in.
    public final var root: AnyCoordinator { parent?.root ?? self }

    open func start() {}

    open var rendering: ScreenTree { .stack([]) }

    /// The child whose screen is visible; nil while a screen of this coordinator's own is.
    open var activeChild: AnyCoordinator? { nil }

    // MARK: Inputs

    /// Decides about one input, in memory only, and gives what has to be written before the result may be shown.
    ///
    /// The child whose screen is visible is asked first; nil means that the input is nothing to this part of the tree.
    public final func handle(_ input: ScreenInput, at now: Timestamp) -> Reaction? {
        activeChild?.handle(input, at: now) ?? respond(to: input, at: now)
    }

    /// Decides about an input that no child wanted; nil passes it on to the parent.
    open func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? { nil }

    /// Takes over a flow as the store has it now, such as after the network's verdict.
    ///
    /// - Returns: what follows; nil when the flow is not one of this coordinator's own.
    open func update(from flow: SavedFlow, user: User?, at now: Timestamp) -> Reaction? { nil }

    /// Takes over that the flow is not in the store any more; nil when it never was, or the activity has ended.
    open func flowWasErased() -> Reaction? { nil }

    /// Hears what the store made of a change.
    open func committed(_ flow: SavedFlow) {}

    /// The flow that this coordinator works on; nil for one that works on none.
    open var flowID: UUIDv7? { nil }

    /// This node and all below it, parents first.
    public final var subtree: [AnyCoordinator] {
        [self] + children.flatMap(\.subtree)
    }

    // MARK: Saving

    /// What this coordinator and its subclasses declare `@Saved`.
    final private(set) lazy var state = CoordinatorState(of: self)

    /// Remembers everything that an input may change, here and below; running the result brings it back.
    final func snapshot() -> () -> Void {
        let children = self.children
        let inner = [state.snapshot()] + children.map { $0.snapshot() }
        return { [weak self] in
            guard let self else { return }
            for child in self.children where !children.contains(where: { $0 === child }) { child.parent = nil }
            self.children = children
            for child in children { child.parent = self }
            for restore in inner { restore() }
        }
    }

    /// The rows from which this part of the tree can be made again.
    package final var nodes: [CoordinatorNode] { nodes(at: 0) }

    private func nodes(at position: Int) -> [CoordinatorNode] {
        [CoordinatorNode(path: path, slot: slot, position: position, config: config, state: state.text)]
            + children.enumerated().flatMap { $0.element.nodes(at: $0.offset) }
    }

    /// The JSON text from which this coordinator can be made again; its slot's.
    public internal(set) final var config = "{}"

    /// Whether this version of the program can show what was restored; otherwise it begins as it was made, and a person
    /// is told.
    open var canShowRestoredState: Bool { true }

    /// Every kind of child that is made while the program runs; a saved child of another kind is left where it lies.
    open var slots: [AnyChildSlot] { [] }

    /// Shows a child that was made again as it was saved.
    open func showRestored(_ child: AnyCoordinator) {
        addChild(child)
    }

    /// Starts a child that this coordinator has had from the beginning, unless it is started: it has saved children.
    open func startRestored(_ child: AnyCoordinator) {}

    /// What a person should know about how this coordinator was brought back.
    open var notes: [String] { [] }

    // MARK: Links

    /// Where a link leads in this part of the tree; nil where it leads nowhere. Changes nothing.
    open func destination(of link: ArraySlice<String>) -> Destination? { nil }

    /// Keeps in mind what stood in the visible screen's fields when the input for it could not be taken.
    open func keepUnsent(_ input: ScreenInput) {
        activeChild?.keepUnsent(input)
    }

    /// Shows at the visible screen's field that what was entered is one of the flow's secrets.
    /// - Returns: whether there is such a field.
    open func refuseRepeatedSecret(_ input: ScreenInput) -> Bool {
        activeChild?.refuseRepeatedSecret(input) ?? false
    }

    // MARK: Children

    /// Holds an activity inside this one.
    public final func addChild(_ child: AnyCoordinator) {
        guard !children.contains(where: { $0 === child }) else { return }
        child.parent?.removeChild(child)
        let taken = leftPlaces.union(children.map(\.path))
        child.number = (1...).first { !taken.contains(place(of: child.slot, $0)) } ?? 1
        child.parent = self
        children.append(child)
        passDependenciesDown()
    }

    /// Lets go of an activity inside this one.
    public final func removeChild(_ child: AnyCoordinator) {
        children.removeAll { $0 === child }
        if child.parent === self { child.parent = nil }
        didRemove(child)
    }

    /// Hears of a child that was just removed: what showed it must not show it any more.
    open func didRemove(_ child: AnyCoordinator) {}

    /// Ends what is inside, and lets go of it.
    public final func removeAllChildren() {
        for child in children {
            child.end(.parentEnded)
            removeChild(child)
        }
    }

    /// Ends this activity for a reason that lies outside of it.
    open func end(_ reason: CancelReason) {
        removeAllChildren()
    }

    /// The tree below this node as text, one line each.
    public final func describe() -> String {
        describe(indent: "")
    }

    private func describe(indent: String) -> String {
        ([indent + slot] + children.map { $0.describe(indent: indent + "  ") }).joined(separator: "\n")
    }
}
