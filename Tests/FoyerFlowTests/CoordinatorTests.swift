import FoyerModel
import Testing

@testable import FoyerFlow

@FlowActor
@Suite struct CoordinatorTests {
    // MARK: Outcomes

    enum Ending: CaseIterable { case finish, cancel, parentEnds }

    /// Every way to bring the three endings, some of them twice, one after the other.
    nonisolated private static let orders = Ending.allCases.flatMap { one in
        Ending.allCases.flatMap { two in Ending.allCases.map { three in [one, two, three] } }
    }

    @Test(
        "Whatever ends a coordinator, and in any order, exactly one outcome is told, once: the first", arguments: orders
    )
    func outcomes(order: [Ending]) throws {
        let parent = AnyCoordinator(slot: "parent"), outcomes = Outcomes()
        weak var gone: Coordinator<User>?
        do {
            let child = Coordinator<User>(slot: "child")
            gone = child
            outcomes.listen(to: child)
            parent.addChild(child)
            for ending in order {
                switch ending {
                case .finish: child.finish(Self.user)
                case .cancel: child.cancel()
                case .parentEnds: parent.removeAllChildren()
                }
            }
        }
        #expect(outcomes.told == [order.first == .finish ? "finished ada" : "cancelled"])
        #expect(parent.children.isEmpty && gone == nil)
    }

    @Test("An outcome that is asked for while another is told is nothing", arguments: [true, false])
    func endingWhileTold(finishes: Bool) {
        let child = Coordinator<User>(slot: "child")
        var told: [String] = []
        child.didFinish = { [unowned child] _ in
            told.append("finished")
            child.cancel()
        }
        child.didCancel = { [unowned child] in
            told.append("cancelled")
            child.finish(Self.user)
        }
        if finishes { child.finish(Self.user) } else { child.cancel() }
        #expect(told == [finishes ? "finished" : "cancelled"])
    }

    @Test("What is inside ends first, innermost first, and every one of it is told once")
    func endingInside() {
        var told: [String] = []
        func coordinator(_ slot: String, in parent: AnyCoordinator?) -> Coordinator<User> {
            let coordinator = Coordinator<User>(slot: slot)
            coordinator.didCancel = { told.append(slot) }
            parent?.addChild(coordinator)
            return coordinator
        }
        let root = coordinator("root", in: nil)
        let middle = coordinator("middle", in: root)
        _ = coordinator("leaf", in: middle)
        _ = coordinator("other", in: root)
        root.didFinish = { _ in told.append("root finished") }
        root.finish(Self.user)
        #expect(told == ["leaf", "middle", "other", "root finished"])
        #expect(root.children.isEmpty && middle.children.isEmpty)
    }

    @Test("An ended coordinator lets go of whoever was waiting")
    func handlersAreDropped() {
        weak var waiting: Outcomes?
        let child = Coordinator<User>(slot: "child")
        do {
            let outcomes = Outcomes()
            waiting = outcomes
            outcomes.listen(to: child)
            child.cancel()
        }
        #expect(waiting == nil && child.didFinish == nil && child.didCancel == nil)
    }

    private static var user: User {
        User(
            id: Story.environment.makeID(), userName: "ada", status: .active, createdAt: Story.environment.now(),
            updatedAt: Story.environment.now())
    }

    // MARK: The tree

    @Test("A child is held once, knows its parent, and has one parent at a time")
    func children() {
        let one = AnyCoordinator(slot: "one"), two = AnyCoordinator(slot: "two"), child = AnyCoordinator(slot: "child")
        one.addChild(child)
        one.addChild(child)
        #expect(one.children.count == 1 && child.parent === one)
        two.addChild(child)
        #expect(one.children.isEmpty && two.children.count == 1 && child.parent === two)
        one.removeChild(child)
        #expect(child.parent === two, "it was not this one's child")
        two.removeChild(child)
        #expect(child.parent == nil && two.children.isEmpty)
    }

    @Test("A parent is not held by its children")
    func weakParent() {
        let child = AnyCoordinator(slot: "child")
        weak var parent: AnyCoordinator?
        do {
            let holder = AnyCoordinator(slot: "parent")
            parent = holder
            holder.addChild(child)
        }
        #expect(parent == nil && child.parent == nil && child.path == "child")
    }

    @Test("Removing all children ends and lets go of every one")
    func removeAll() {
        let parent = AnyCoordinator(slot: "parent")
        let children = (0..<3).map { AnyCoordinator(slot: "child \($0)") }
        for child in children { parent.addChild(child) }
        parent.removeAllChildren()
        #expect(parent.children.isEmpty && children.allSatisfy { $0.parent == nil })
    }

    private func tree() -> AnyCoordinator {
        let app = AnyCoordinator(slot: "app"), account = AnyCoordinator(slot: "account")
        app.addChild(account)
        account.addChild(AnyCoordinator(slot: "register"))
        account.addChild(AnyCoordinator(slot: "login"))
        app.addChild(AnyCoordinator(slot: "about"))
        return app
    }

    @Test("Each coordinator has a path and a place among its siblings, from which the tree can be made again")
    func nodes() {
        let nodes = tree().nodes
        #expect(nodes.map(\.path) == ["app", "app/account", "app/account/register", "app/account/login", "app/about"])
        #expect(nodes.map(\.slot) == ["app", "account", "register", "login", "about"])
        #expect(nodes.map(\.position) == [0, 0, 0, 1, 1])
        #expect(nodes.allSatisfy { $0.config == "{}" && $0.state == "{}" })
    }

    @Test("The tree is described with one indented line for each coordinator")
    func describe() {
        #expect(tree().describe() == "app\n  account\n    register\n    login\n  about")
    }

    // MARK: Undoing

    /// Lets go of its first child and takes in another at every input, and wants that written.
    private final class Restless: AnyCoordinator {
        let flow: SavedFlow
        init(_ flow: SavedFlow) {
            self.flow = flow
            super.init(slot: "restless")
        }
        override var rendering: ScreenTree {
            .screen(Screen(id: "only", title: describe(), content: .message(""), actions: [.accept]))
        }
        override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
            if let child = children.first { removeChild(child) }
            addChild(AnyCoordinator(slot: "new"))
            return Reaction(change: FlowChange(flow: flow, fingerprint: "", step: nil, at: now))
        }
    }

    @Test("A failed commit also undoes what an input did to the tree")
    func undoneTree() async throws {
        let saved = try await saved(answers: 1)
        let root = Restless(saved.flow), old = AnyCoordinator(slot: "old")
        root.addChild(old)
        let host = FlowHost(root: root, flows: saved.store, users: saved.store, environment: Story.environment)
        let screen = try #require(host.screen)
        await saved.store.failOnce()
        await #expect(throws: StoreError.self) { try await host.send(ScreenInput(for: screen, .accept)) }
        #expect(root.children.map(\.slot) == ["old"] && old.parent === root && old.path == "restless/old")
        #expect(try await host.send(ScreenInput(for: screen, .accept)) == .taken)
        #expect(root.children.map(\.slot) == ["new"] && old.parent == nil)
    }

    // MARK: Navigation

    private final class Pages: NavigationCoordinator<User> {
        override func makeScreen(_ name: String) -> Screen? {
            guard name != "unknown" else { return nil }
            return Screen(id: name, title: "", content: .message(name), actions: [.back])
        }
    }

    @Test("Screens are stacked, and going back stops at the first")
    func stack() {
        let pages = Pages(slot: "pages")
        #expect(pages.rendering.active == nil && !pages.pop())
        for page in ["a", "b"] { pages.push(page) }
        #expect(pages.rendering.active?.id == "b")
        #expect(pages.pop() && !pages.pop() && pages.stack.map { $0.name } == ["a"])
        pages.replaceStack(with: ["x", "unknown", "y"])
        #expect(pages.rendering == .stack(["x", "y"].compactMap(pages.makeScreen).map(ScreenTree.screen)))
    }

    @Test("An ended coordinator shows nothing any more", arguments: [true, false])
    func endedShowsNothing(finishes: Bool) {
        let pages = Pages(slot: "pages")
        pages.push("a")
        if finishes { pages.finish(Self.user) } else { pages.cancel() }
        #expect(pages.rendering.active == nil)
    }
}
