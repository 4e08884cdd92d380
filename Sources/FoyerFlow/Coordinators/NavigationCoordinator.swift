public import FoyerModel

/// A coordinator that shows one screen after the other and can go back.
@FlowActor
open class NavigationCoordinator<Output: Sendable>: Coordinator<Output> {
    /// One place of the stack: a screen of this coordinator's own, or an activity inside it.
    public enum Entry {
        /// The name of a screen.
        case screen(String)
        /// A child with screens of its own.
        case child(AnyCoordinator)

        /// The name of the screen, or of the child's slot.
        @FlowActor
        public var name: String {
            switch self {
            case .screen(let name): name
            case .child(let child): child.slot
            }
        }
    }

    /// What is open, the visible entry last: the only truth about what is shown.
    @Unsaved public private(set) var stack: [Entry] = []
    /// What lies over the stack and has to be dealt with first.
    @Unsaved public private(set) var presented: Entry? = nil

    /// Shows a screen on top of the others.
    public final func push(_ screen: String) {
        stack.append(.screen(screen))
    }

    /// Shows an activity on top of the screens, and holds it.
    public final func push(_ child: AnyCoordinator) {
        addChild(child)
        stack.append(.child(child))
    }

    public final override func showRestored(_ child: AnyCoordinator) {
        push(child)
    }

    /// Goes back to the entry before; an activity that is left this way ends. False where there is none before.
    @discardableResult
    public final func pop() -> Bool {
        guard stack.count > 1 else { return false }
        truncate(to: stack.count - 1)
        return true
    }

    /// Goes back to the topmost entry of that name; false where there is none below.
    @discardableResult
    public final func popTo(_ name: String) -> Bool {
        guard let position = stack.dropLast().lastIndex(where: { $0.name == name }) else { return false }
        truncate(to: position + 1)
        return true
    }

    /// Goes back to the first entry.
    public final func popToRoot() {
        truncate(to: 1)
    }

    /// Shows these screens in place of all that is open.
    public final func replaceStack(with screens: [String]) {
        truncate(to: 0)
        stack = screens.map(Entry.screen)
    }

    /// Lets an activity lie over everything else, and holds it.
    public final func present(_ child: AnyCoordinator) {
        dismiss()
        addChild(child)
        presented = .child(child)
    }

    /// Lets a screen lie over everything else.
    public final func present(_ screen: String) {
        dismiss()
        presented = .screen(screen)
    }

    /// Takes away what lies over everything else; an activity that is left this way ends.
    public final func dismiss() {
        let entry = presented
        presented = nil
        end(entry)
    }

    private func truncate(to count: Int) {
        while stack.count > count { end(stack.removeLast()) }
    }

    private func end(_ entry: Entry?) {
        guard case .child(let child) = entry else { return }
        child.end(.back)
        removeChild(child)
    }

    public final override func didRemove(_ child: AnyCoordinator) {
        stack.removeAll { if case .child(let entry) = $0 { entry === child } else { false } }
        if case .child(let entry) = presented, entry === child { presented = nil }
    }

    // MARK: Screens

    /// What a screen of this coordinator's own looks like; nil for a name that it does not know.
    open func makeScreen(_ name: String) -> Screen? { nil }

    /// The open screens; none once the activity has ended, because an answer to one would be lost.
    open override var rendering: ScreenTree {
        guard !hasEnded else { return .stack([]) }
        let under = ScreenTree.stack(stack.compactMap(render))
        guard let presented, let top = render(presented) else { return under }
        return .modal(over: under, top)
    }

    private func render(_ entry: Entry) -> ScreenTree? {
        switch entry {
        case .screen(let name): makeScreen(name).map(ScreenTree.screen)
        case .child(let child): child.rendering
        }
    }

    /// The visible screen of this coordinator's own; nil while a child's is visible.
    public final var visibleScreen: String? {
        if case .screen(let name) = presented ?? stack.last { name } else { nil }
    }

    public final override var activeChild: AnyCoordinator? {
        if case .child(let child) = presented ?? stack.last { child } else { nil }
    }

    /// Goes back, also when a child's first screen is left; nil where there is nothing to go back to.
    open override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guard input.action == ScreenAction.back.id else { return nil }
        if case .child = presented { return Reaction { [weak self] in self?.dismiss() } }
        guard presented == nil, stack.count > 1 else { return nil }
        return Reaction { [weak self] in _ = self?.pop() }
    }

    /// Whether going back from this coordinator's first screen leads to a screen around it.
    public final var parentCanGoBack: Bool {
        var node: AnyCoordinator = self
        while let parent = node.parent {
            if let navigation = parent as? any Navigating { return navigation.canLeave(node) }
            node = parent
        }
        return false
    }
}

/// A coordinator that has a stack, whatever its output is.
@FlowActor
protocol Navigating: AnyCoordinator {
    /// Whether something is seen when a child is left by going back.
    func canLeave(_ child: AnyCoordinator) -> Bool
    /// Goes back, as the presenter's own gesture has done already, until the screen is on top.
    ///
    /// - Returns: whether the screen is on top now; false where it is not below at all.
    func popped(to screen: Screen.ID) -> Bool
}

extension NavigationCoordinator: Navigating {
    func canLeave(_ child: AnyCoordinator) -> Bool {
        if case .child(let top) = presented, top === child { return true }
        return stack.count > 1
    }

    func popped(to screen: Screen.ID) -> Bool {
        let position = stack.lastIndex { entry in
            guard let tree = render(entry) else { return false }
            return tree.active?.id == screen
        }
        guard let position, presented == nil else { return false }
        truncate(to: position + 1)
        return true
    }
}
