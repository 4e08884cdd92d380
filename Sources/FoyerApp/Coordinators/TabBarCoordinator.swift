public import Foyer

/// A coordinator of activities beside each other, of which one is shown; the others keep where they are.
@FlowActor
open class TabBarCoordinator: Coordinator<Never> {
    /// The tabs in their order.
    public let tabs: [AnyTabCoordinator]
    /// The identifier of the tab that is shown.
    @Saved public private(set) var selected: String
    /// The tabs that have been shown before: a tab is started when it is shown for the first time.
    @Unsaved private var started: Set<String> = []

    /// Makes the bar; the first tab is shown unless another is named.
    public init(slot: String, tabs: [AnyTabCoordinator], selected: String? = nil) {
        self.tabs = tabs
        let names = tabs.map(\.tabItem.id)
        self.selected = selected.flatMap { names.contains($0) ? $0 : nil } ?? names.first ?? ""
        super.init(slot: slot)
        for tab in tabs { addChild(tab.coordinator) }
    }

    open override func start() {
        startIfNeeded()
    }

    /// Shows a tab; false where there is none of that name.
    @discardableResult
    public final func select(_ id: String) -> Bool {
        guard tabs.contains(where: { $0.tabItem.id == id }) else { return false }
        selected = id
        startIfNeeded()
        return true
    }

    private func startIfNeeded() {
        guard let shown, started.insert(selected).inserted else { return }
        shown.coordinator.start()
    }

    private var shown: AnyTabCoordinator? {
        tabs.first { $0.tabItem.id == selected }
    }

    open override var rendering: ScreenTree {
        .tabs(tabs.map(\.tabItem), selected: selected, shown?.rootCoordinator.rendering ?? .stack([]))
    }

    public final override var activeChild: AnyCoordinator? { shown?.coordinator }

    open override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guard let tab = tabs.first(where: { $0.tabItem.action.id == input.action }) else { return nil }
        select(tab.tabItem.id)
        return .taken
    }

    // MARK: Saving

    open override var canShowRestoredState: Bool { shown != nil }

    public final override func startRestored(_ child: AnyCoordinator) {
        guard let tab = tabs.first(where: { $0.coordinator === child }),
            started.insert(tab.tabItem.id).inserted
        else { return }
        child.start()
    }

    // MARK: Links

    /// The first part of a link names the tab.
    open override func destination(of link: ArraySlice<String>) -> Destination? {
        guard let tab = tabs.first(where: { $0.tabItem.id == link.first }),
            var destination = tab.coordinator.destination(of: link.dropFirst())
        else { return nil }
        destination.before { [weak self] in _ = self?.select(tab.tabItem.id) }
        return destination
    }
}
