import FoyerModel
import FoyerApp
import TestSupport
import Testing

@testable import FoyerFlow

/// A tab that is its own root, and whose first screen has a delegate, as the article wires it.
@FlowActor
final class Tab: NavigationCoordinator<Never>, TabCoordinator {
    final class Home {
        weak var delegate: Tab?
    }

    let tabItem: TabItem
    let home = Home()
    var rootCoordinator: Tab { self }

    init(_ name: String) {
        tabItem = TabItem(name, title: name.uppercased(), image: name, selectedImage: "\(name).fill")
        super.init(slot: name)
        home.delegate = self
    }

    override func start() { push("home") }

    override func makeScreen(_ name: String) -> Screen? {
        Screen(id: "\(path)/\(name)", title: name, content: .message(name), actions: [.back])
    }
}

@FlowActor
@Suite struct TabTests {
    /// A tab whose root is another coordinator than itself.
    private final class Frame: AnyCoordinator, TabCoordinator {
        let rootCoordinator = Book(slot: "book")
        let tabItem = TabItem("frame", title: "Frame", image: "frame", selectedImage: "frame")
    }

    @Test("D2: a tab says its root, whose type follows from the property, and its item")
    func tab() {
        let frame = Frame(slot: "frame")
        #expect(Frame.Root.self == Book.self && Tab.Root.self == Tab.self)
        #expect(frame.rootCoordinator.path == "book" && frame.tabItem.id == "frame")
    }

    @Test("D3: a tab item is an id, a title and the names of two pictures")
    func item() {
        let item = TabItem("about", title: "About", image: "info", selectedImage: "info.fill")
        #expect([item.id, item.title, item.image, item.selectedImage] == ["about", "About", "info", "info.fill"])
        #expect(item.action == ScreenAction("tab.about", title: "About"))
    }

    @Test("D6: an array of a protocol with an associated type, the article's problem, is possible today")
    func array() {
        let tabs: [any TabCoordinator] = [Tab("one"), Frame(slot: "frame")]
        #expect(tabs.map { $0.tabItem.id } == ["one", "frame"])
        #expect(tabs.map { $0.rootCoordinator.slot } == ["one", "book"])
    }

    @Test("D7: AnyTabCoordinator holds tabs of any root in one array, with their root and item")
    func erasure() {
        let tab = Tab("one"), frame = Frame(slot: "frame")
        let tabs = [AnyTabCoordinator(tab), AnyTabCoordinator(frame)]
        #expect(tabs[0].rootCoordinator === tab && tabs[1].rootCoordinator === frame.rootCoordinator)
        #expect(tabs.map(\.tabItem) == [tab.tabItem, frame.tabItem])
    }

    @Test("Fault 1: a tab that is only handed over lives on, and its screen's delegate with it")
    func kept() {
        weak var tab: Tab?
        var home: Tab.Home?
        func make() -> AnyTabCoordinator {
            let made = Frame(slot: "frame")
            let inner = Tab("one")
            made.addChild(inner)
            (tab, home) = (inner, inner.home)
            return deGenericize(made)
        }
        var tabs: [AnyTabCoordinator] = [make()]
        #expect(tab != nil && home?.delegate != nil)
        tabs = []
        #expect(tab == nil && home?.delegate == nil && tabs.isEmpty)
    }

    @Test("D8: deGenericize takes the kind of its root off a tab")
    func deGenericized() {
        let frame = Frame(slot: "frame")
        let any: AnyTabCoordinator = deGenericize(frame)
        #expect(any.coordinator === frame && any.rootCoordinator === frame.rootCoordinator)
    }

    @Test("D9: the bar maps its tabs to items in order, starts each when first shown, and each keeps its place")
    func bar() async throws {
        let one = Tab("one"), two = Tab("two"), census = Census()
        let bar = TabBarCoordinator(slot: "bar", tabs: [deGenericize(one), deGenericize(two)])
        bar.start()
        #expect(two.stack.isEmpty && bar.children.count == 2)
        let host = FlowHost(bar)
        #expect(host.screens.tabs.map(\.id) == ["one", "two"] && host.screen?.id == "bar/one/home")
        one.push("deep")
        try await host.press("tab.two")
        #expect(host.screen?.id == "bar/two/home" && bar.state.text == #"{"selected":"two"}"#)
        try await host.press("tab.one")
        #expect(host.screen?.id == "bar/one/deep")
        try await host.press("tab.two")
        #expect(two.stack.count == 1, "a tab is started once")
        #expect(!bar.select("three") && bar.selected == "two")
        census.note(bar.subtree)
        #expect(census.seen.count == 3)
    }

    @Test("D9: the tab that is named is shown first; without tabs nothing is")
    func selection() {
        let tabs = ["one", "two"].map { deGenericize(Tab($0)) }
        #expect(TabBarCoordinator(slot: "bar", tabs: tabs, selected: "two").selected == "two")
        #expect(TabBarCoordinator(slot: "bar", tabs: tabs, selected: "three").selected == "one")
        let empty = TabBarCoordinator(slot: "bar", tabs: [])
        empty.start()
        #expect(empty.rendering.active == nil)
    }
}
