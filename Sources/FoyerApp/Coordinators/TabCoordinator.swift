public import Foyer

/// An activity that is one tab of several.
@FlowActor
public protocol TabCoordinator: AnyCoordinator {
    /// The kind of coordinator that the tab shows.
    associatedtype Root: AnyCoordinator
    /// What the tab shows.
    var rootCoordinator: Root { get }
    /// What the tab is called.
    var tabItem: TabItem { get }
}

/// Any tab, whatever it shows; it keeps the tab's coordinator alive.
@FlowActor
public final class AnyTabCoordinator {
    /// The tab's coordinator itself.
    public let coordinator: AnyCoordinator
    /// What the tab shows.
    public let rootCoordinator: AnyCoordinator
    /// What the tab is called.
    public let tabItem: TabItem

    /// Takes the kind of its root off a tab.
    public init<Tab: TabCoordinator>(_ tab: Tab) {
        coordinator = tab
        rootCoordinator = tab.rootCoordinator
        tabItem = tab.tabItem
    }
}

/// Takes the kind of its root off a tab, so that different tabs fit into one array.
@FlowActor
public func deGenericize<Tab: TabCoordinator>(_ tab: Tab) -> AnyTabCoordinator {
    AnyTabCoordinator(tab)
}
