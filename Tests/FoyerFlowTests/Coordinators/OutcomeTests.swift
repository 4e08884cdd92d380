import FoyerModel
import TestSupport
import Testing

@testable import FoyerFlow

@FlowActor
@Suite struct OutcomeTests {
    /// Everything that can end the activity of a coordinator.
    enum Ending: CaseIterable { case finish, cancel, back, gesture, parentEnds, expiry }

    nonisolated private static let orders = Ending.allCases.flatMap { one in
        Ending.allCases.flatMap { two in Ending.allCases.map { three in [one, two, three] } }
    }

    /// A coordinator of a saved flow, pushed by another one, with a host and whoever waits for its outcome.
    @FlowActor
    private struct Scene {
        let saved: (flow: SavedFlow, store: MemoryStore)
        let book = Book(slot: "book")
        let host: FlowHost

        init(_ outcomes: Outcomes, _ census: Census) async throws {
            saved = try await FoyerFlowTests.saved(answers: 1)
            let child = SampleCoordinator(
                slot: "sample", resuming: saved.flow, definition: try .sample, environment: Story.environment)
            outcomes.listen(to: child)
            book.start()
            book.push(child)
            host = FlowHost(book, saved.store)
            census.note(book.subtree)
        }

        func bring(_ ending: Ending) async throws {
            switch ending {
            case .finish: try await settle(.finished)
            case .expiry: try await settle(.expired)
            case .cancel: try await host.press("cancel")
            case .back: for _ in 0..<2 { try await host.press("back") }
            case .gesture: _ = await host.popped(to: "book/home", revision: host.screen?.revision ?? 0)
            case .parentEnds: book.cancel()
            }
        }

        private func settle(_ status: SavedFlow.Status) async throws {
            let now = Story.environment.now()
            let user = User(id: saved.flow.id, userName: "ada", status: .active, createdAt: now, updatedAt: now)
            await saved.store.change(saved.flow.id, to: status, user: user)
            try await host.reload()
        }
    }

    @Test("C6: whatever ends a flow in a host, and in any order, one outcome is told, once", arguments: orders)
    func orders(order: [Ending]) async throws {
        let outcomes = Outcomes(), census = Census()
        do {
            let scene = try await Scene(outcomes, census)
            for (place, ending) in order.enumerated() {
                try await scene.bring(ending)
                #expect(outcomes.told.count == 1, "after \(order[...place])")
            }
        }
        #expect(outcomes.told == [order.first == .finish ? "finished ada" : "cancelled"])
        #expect(census.seen == ["Book", "SampleCoordinator"] && census.alive == [])
    }

    @Test("C6: whoever waits for the outcome gets it, before and after the end")
    func waiting() async {
        let child = Coordinator<Int>(slot: "child")
        let early = Task { await child.outcome() }
        await Task.yield()
        child.finish(7)
        child.cancel()
        for outcome in [await early.value, await child.outcome()] {
            guard case .finished(let number) = outcome else { return #expect(Bool(false), "not finished") }
            #expect(number == 7)
        }
    }

    @Test("C9: a coordinator reports by a closure, and just as well to a delegate")
    func reports() {
        final class Delegate {
            var heard: [Int] = []
            func childDidFinish(_ number: Int) { heard.append(number) }
        }
        let delegate = Delegate(), child = Coordinator<Int>(slot: "child")
        child.didFinish = { [weak delegate] in delegate?.childDidFinish($0) }
        child.finish(7)
        #expect(delegate.heard == [7])
    }

    // MARK: Fault 8

    /// How a child is left without its own doing.
    enum Leaving: CaseIterable { case pop, popTo, popToRoot, replaceStack, dismiss, removeAll }

    @Test("Fault 8: a child that is left is told once, and is let go of", arguments: Leaving.allCases)
    func left(leaving: Leaving) {
        let book = Book(slot: "book"), census = Census()
        var told: [String] = []
        do {
            let child = Coordinator<User>(slot: "child")
            child.didFinish = { _ in told.append("finished") }
            child.didCancel = { told.append("cancelled") }
            book.start()
            if leaving == .dismiss { book.present(child) } else { book.push(child) }
            census.note([child])
        }
        switch leaving {
        case .pop: book.pop()
        case .popTo: book.popTo("home")
        case .popToRoot: book.popToRoot()
        case .replaceStack: book.replaceStack(with: ["home"])
        case .dismiss: book.dismiss()
        case .removeAll: book.removeAllChildren()
        }
        #expect(told == ["cancelled"] && book.children.isEmpty && book.names == ["home"])
        #expect(census.alive == [])
    }

    @Test("Fault 8: a child that finishes is taken off the stack and let go of", arguments: [true, false])
    func finished(presented: Bool) {
        let book = Book(slot: "book"), census = Census()
        book.start()
        do {
            let child = Coordinator<Int>(slot: "child")
            if presented { book.present(child) } else { book.push(child) }
            census.note([child])
            child.finish(1)
        }
        #expect(book.children.isEmpty && book.names == ["home"] && book.presented == nil && census.alive == [])
    }
}
