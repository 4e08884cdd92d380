public import FoyerModel

/// A node of the coordinator tree: owns the order of the screens of one activity, and holds no data of its own.
@FlowActor
open class AnyCoordinator {
    /// The parent's name for this child.
    public let slot: String
    /// The coordinator that holds this one; nil at the root.
    public private(set) weak var parent: AnyCoordinator?
    /// The activities inside this one.
    public private(set) var children: [AnyCoordinator] = []

    /// Makes a coordinator that is not part of a tree yet.
    public init(slot: String) {
        self.slot = slot
    }

    /// The slots from the root down, such as `app/account/register`.
    public final var path: String {
        guard let parent else { return slot }
        return "\(parent.path)/\(slot)"
    }

    /// Shows the first screen.
    open func start() {}

    /// What this coordinator shows at the moment.
    open var rendering: ScreenTree { .stack([]) }

    /// Decides about one input, in memory only, and gives what has to be written before the result may be shown.
    open func handle(_ input: ScreenInput, at now: Timestamp) -> Reaction { .nothing }

    /// Takes over a flow as the store has it now, such as after the network's verdict.
    open func update(from flow: SavedFlow, user: User?, at now: Timestamp) -> Reaction { .nothing }

    /// Hears what the store made of a change that came out of `handle`.
    open func committed(_ flow: SavedFlow) {
        for child in children { child.committed(flow) }
    }

    /// The flow that this coordinator works on, whose changes from outside it wants to hear of.
    open var flowID: UUIDv7? { nil }

    /// Remembers everything that `handle` may change; running the result brings it back.
    ///
    /// A subclass adds its own state to what its superclass remembers.
    open func memento() -> @FlowActor () -> Void {
        let children = self.children
        let inner = children.map { $0.memento() }
        return { [weak self] in
            guard let self else { return }
            for child in self.children where child.parent === self { child.parent = nil }
            self.children = children
            for child in children { child.parent = self }
            for restore in inner { restore() }
        }
    }

    /// The rows from which this part of the tree can be made again.
    open var nodes: [CoordinatorNode] {
        let position = parent?.children.firstIndex { $0 === self } ?? 0
        return [CoordinatorNode(path: path, slot: slot, position: position, config: config, state: "{}")]
            + children.flatMap(\.nodes)
    }

    /// The JSON text from which this coordinator can be made again.
    open var config: String { "{}" }

    /// Holds an activity inside this one.
    public final func addChild(_ child: AnyCoordinator) {
        guard !children.contains(where: { $0 === child }) else { return }
        child.parent?.removeChild(child)
        child.parent = self
        children.append(child)
    }

    /// Lets go of an activity inside this one.
    public final func removeChild(_ child: AnyCoordinator) {
        children.removeAll { $0 === child }
        if child.parent === self { child.parent = nil }
    }

    /// Ends what is inside, innermost first, and lets go of it.
    public final func removeAllChildren() {
        for child in children {
            child.end()
            removeChild(child)
        }
    }

    /// Ends this activity because the one around it ends.
    func end() {
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

/// What has to happen because of an input: the write first, then, if it succeeded, the rest.
public struct Reaction {
    /// What is written in one transaction; nil when only memory changed.
    public var change: FlowChange?
    /// Whether what was entered was refused; the screen says why.
    public var isRefusal: Bool
    /// What is done once the write has succeeded, such as telling the parent.
    public var then: (@FlowActor () -> Void)?

    /// Makes a reaction.
    public init(change: FlowChange? = nil, isRefusal: Bool = false, then: (@FlowActor () -> Void)? = nil) {
        self.change = change
        self.isRefusal = isRefusal
        self.then = then
    }

    /// The input means nothing here.
    public static var nothing: Reaction { Reaction() }
}

/// A coordinator whose activity ends with an output, or is given up.
@FlowActor
open class Coordinator<Output: Sendable>: AnyCoordinator {
    /// Told once when the activity ends with an output.
    public var didFinish: ((Output) -> Void)?
    /// Told once when the activity is given up, or ends because the one around it ends.
    public var didCancel: (() -> Void)?
    fileprivate private(set) var hasEnded = false

    /// Ends the activity with its output; the first outcome wins, later ones are nothing.
    public final func finish(_ output: Output) {
        conclude { didFinish?(output) }
    }

    /// Ends the activity without an output; the first outcome wins, later ones are nothing.
    public final func cancel() {
        conclude { didCancel?() }
    }

    override func end() {
        cancel()
    }

    /// Children end first, then the parent lets go, then whoever waits is told; nothing is held afterwards.
    private func conclude(_ tell: () -> Void) {
        guard !hasEnded else { return }
        hasEnded = true
        removeAllChildren()
        parent?.removeChild(self)
        tell()
        didFinish = nil
        didCancel = nil
    }
}

/// A coordinator that shows one screen after the other and can go back.
@FlowActor
open class NavigationCoordinator<Output: Sendable>: Coordinator<Output> {
    /// The names of the screens that are open, the visible one last.
    public private(set) var stack: [String] = []

    /// Shows a screen on top of the others.
    public final func push(_ screen: String) {
        stack.append(screen)
    }

    /// Goes back to the screen before; false when there is none.
    @discardableResult
    public final func pop() -> Bool {
        guard stack.count > 1 else { return false }
        stack.removeLast()
        return true
    }

    /// Shows these screens in place of all that are open.
    public final func replaceStack(with screens: [String]) {
        stack = screens
    }

    /// What a screen of the stack looks like; nil for a name that is not this coordinator's.
    open func makeScreen(_ name: String) -> Screen? { nil }

    /// The open screens; none once the activity has ended, because an answer to one would be lost.
    open override var rendering: ScreenTree {
        hasEnded ? .stack([]) : .stack(stack.compactMap(makeScreen).map(ScreenTree.screen))
    }

    open override func memento() -> @FlowActor () -> Void {
        let inner = super.memento(), stack = self.stack
        return { [weak self] in
            inner()
            self?.stack = stack
        }
    }
}
