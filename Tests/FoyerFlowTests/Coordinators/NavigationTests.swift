import FoyerModel
import FoyerApp
import TestSupport
import Testing

@testable import FoyerFlow

@FlowActor
@Suite struct NavigationTests {
    private func book(_ pages: String...) -> Book {
        let book = Book(slot: "book")
        book.start()
        for page in pages { book.push(page) }
        return book
    }

    // MARK: The tree

    @Test("C1: coordinators form a tree, in which each has a path and describes what is below it")
    func tree() throws {
        let book = self.book(), flow = try SampleCoordinator.make()
        book.push(flow)
        #expect(book.children.first === flow && flow.parent === book && flow.root === book)
        #expect(flow.path == "book/sample" && book.subtree.count == 2)
        #expect(FlowHost(book).describe() == "book\n  sample")
    }

    @Test("C12: there are two base kinds, one that shows screens in turn and one that shows tabs")
    func kinds() {
        let bar = TabBarCoordinator(slot: "bar", tabs: [])
        guard case .stack = book().rendering, case .tabs = bar.rendering else {
            return #expect(Bool(false), "another rendering")
        }
    }

    @Test("A40: who conforms to Coordinating alone, without a base class, is a coordinator too")
    func barest() {
        final class Plain: Coordinating {
            let path = "plain"
            private(set) var rendering = ScreenTree.stack([])
            func start() {
                rendering = .screen(Screen(id: path, title: "Plain", content: .message(""), actions: []))
            }
        }
        let both: [any Coordinating] = [Plain(), Book(slot: "book")]
        for coordinator in both {
            #expect(coordinator.rendering.active == nil)
            coordinator.start()
        }
        #expect(both.map { $0.rendering.active?.id } == ["plain", "book/home"])
        #expect(both.map { $0.path } == ["plain", "book"])
    }

    // MARK: Moving

    @Test("C5: the next step's screen is made by the coordinator and pushed on the others")
    func push() throws {
        let flow = try SampleCoordinator.make()
        #expect(flow.stack.map { $0.name } == ["name"] && flow.makeScreen("town")?.id == "sample/town")
        flow.showNext(step: "town")
        #expect(flow.stack.map { $0.name } == ["name", "town"])
        #expect(flow.rendering.active == flow.makeScreen("town"))
    }

    @Test("C19: going back to a named entry leaves all that is above it, and no other")
    func popTo() {
        let book = self.book("a", "b", "a", "c")
        #expect(book.popTo("a") && book.names == ["home", "a", "b", "a"])
        #expect(book.popTo("a") && book.names == ["home", "a"])
        #expect(!book.popTo("a") && !book.popTo("unknown") && book.names == ["home", "a"])
    }

    @Test("C19: going back to the root leaves the first entry alone")
    func popToRoot() {
        let book = self.book("a", "b")
        book.popToRoot()
        book.popToRoot()
        #expect(book.names == ["home"] && !book.pop())
    }

    @Test("C19: what is presented lies over the stack, takes the input, and is one at a time")
    func present() throws {
        let book = self.book("a"), flow = try SampleCoordinator.make()
        var told: [String] = []
        flow.didCancel = { told.append("cancelled") }
        book.present(flow)
        guard case .modal(.stack, let top) = book.rendering else { return #expect(Bool(false), "not modal") }
        #expect(top == flow.rendering && book.activeChild === flow && book.names == ["home", "a"])
        book.present("notice")
        #expect(told == ["cancelled"] && book.children.isEmpty && book.visibleScreen == "notice")
        book.dismiss()
        #expect(book.rendering.active?.id == "book/a" && book.presented == nil)
    }

    @Test("C19: a presented flow offers to go back, which takes it away", arguments: [[], ["a"]])
    func backFromPresented(pages: [String]) async throws {
        let book = self.book(), flow = try SampleCoordinator.make()
        for page in pages { book.push(page) }
        let under = book.rendering.active?.id
        book.present(flow)
        let host = FlowHost(book)
        #expect(host.screen?.actions == [.accept, .back, .cancel])
        #expect(try await host.press("back") == .taken)
        #expect(host.screen?.id == under && book.children.isEmpty)
    }

    // MARK: The presenter's own back gesture

    @Test("C19: the presenter's back gesture is taken over once, however often it is told")
    func gesture() async {
        let host = FlowHost(book("a", "b"))
        let revision = host.screen?.revision ?? 0
        #expect(await host.popped(to: "book/a", revision: revision) == .taken)
        let screens = host.screens
        #expect(screens.active?.id == "book/a")
        for revision in [revision, revision + 1, revision + 2] {
            #expect(await host.popped(to: "book/a", revision: revision) == .taken)
        }
        #expect(host.screens == screens, "telling it again changes nothing, not even the revision")
        #expect(await host.popped(to: "book/home", revision: revision) == .stale)
        #expect(await host.popped(to: "book/unknown", revision: revision + 1) == .stale)
        #expect(host.screens == screens)
    }

    @Test("C19: the presenter's back gesture leaves children, also from inside of them")
    func gestureOutOfChild() async throws {
        let book = self.book(), flow = try SampleCoordinator.make(), outcomes = Outcomes()
        outcomes.listen(to: flow)
        book.push(flow)
        let host = FlowHost(book)
        try await host.press("accept")
        #expect(await host.popped(to: "book/sample/name", revision: host.screen?.revision ?? 0) == .taken)
        #expect(outcomes.told.isEmpty && flow.stack.map { $0.name } == ["name"])
        #expect(await host.popped(to: "book/home", revision: host.screen?.revision ?? 0) == .taken)
        #expect(outcomes.told == ["cancelled"] && book.children.isEmpty)
    }

    @Test("C19: a back gesture reaches neither what lies under something modal nor a hidden tab")
    func gestureElsewhere() async throws {
        let under = self.book(), inside = Book(slot: "inside")
        inside.start()
        inside.push("deep")
        under.push(inside)
        under.present("notice")
        let modal = FlowHost(under)
        for target in ["book/inside/home", "book/home"] {
            #expect(await modal.popped(to: target, revision: modal.screen?.revision ?? 0) == .stale)
        }
        #expect(inside.names == ["home", "deep"] && under.names == ["home", "inside"])

        let shown = Tab("one"), hidden = Tab("two")
        let bar = TabBarCoordinator(slot: "bar", tabs: [deGenericize(shown), deGenericize(hidden)])
        bar.start()
        hidden.start()
        hidden.push("deep")
        let host = FlowHost(bar)
        #expect(await host.popped(to: "bar/two/home", revision: host.screen?.revision ?? 0) == .stale)
        #expect(hidden.stack.map { $0.name } == ["home", "deep"])
    }
}
