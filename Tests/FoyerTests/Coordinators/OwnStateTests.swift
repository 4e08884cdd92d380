import Foyer
import FoyerApp
import TestSupport
import Testing

/// An app's own tabs, which count how often another one was chosen.
private class CountedTabs: TabBarCoordinator {
    @Saved private(set) var count = 0

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        count += 1
        return super.respond(to: input, at: now)
    }
}

/// A subclass of them with more to remember.
private final class RememberedTabs: CountedTabs {
    @Saved private(set) var order: [String] = []

    init() {
        super.init(slot: "tabs", tabs: [deGenericize(AccountCoordinator()), deGenericize(AboutTabCoordinator())])
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        order.append(input.action)
        return super.respond(to: input, at: now)
    }
}

/// A registration of an app's own, which counts its inputs.
private class CountedRegistration: StepCoordinator<User> {
    @Saved private(set) var count = 0
    @Unsaved private(set) var latest = ""

    init(resuming flow: SavedFlow?, in store: AccountStore) {
        super.init(
            slot: "register", resuming: flow, definition: store.definition(for: .register),
            environment: store.environment)
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        count += 1
        latest = visibleScreen ?? ""
        return super.respond(to: input, at: now)
    }
}

@FlowActor
@Suite struct OwnStateTests {
    private let premises: Premises

    init() throws { premises = try Premises() }

    private func press(_ action: ScreenAction.ID, in host: FlowHost) async throws {
        let screen = try #require(host.screen)
        _ = try await host.send(ScreenInput(screen: screen.id, revision: screen.revision, action: action))
    }

    @Test("A file that is opened again brings back what each level of an app's tabs declares")
    func reopened() async throws {
        let foyer = try await premises.open()
        let host = try await foyer.restore(RememberedTabs())
        for tab in ["about", "account", "about"] { try await press("tab.\(tab)", in: host) }
        try await foyer.close()

        let again = try await premises.open(), root = RememberedTabs()
        _ = try await again.restore(root)
        #expect(root.selected == "about" && root.count == 3)
        #expect(root.order == ["tab.about", "tab.account", "tab.about"])
        try await again.close()
    }

    @Test("An answer that a store cannot write leaves an app's own state as it was, and the next start has it, too")
    func unwritten() async throws {
        let foyer = try await premises.open()
        let root = CountedRegistration(resuming: nil, in: foyer)
        let host = try await foyer.host(root)
        try await host.answer(ada[0])
        let screens = host.screens
        try await foyer.close()
        await #expect(throws: StoreError.self) { try await host.answer(ada[1]) }
        #expect(root.count == 1 && root.latest == "email" && host.screens == screens)

        let again = try await premises.open()
        let saved = CountedRegistration(resuming: try await again.newestUnfinishedFlow(), in: again)
        let resumed = try await again.host(saved)
        #expect(saved.count == 1 && saved.latest == "" && resumed.place == "userName")
        try await again.close()
    }

    @Test("Delivering at a host sends what its flow waits for, and shows the verdict")
    func delivery() async throws {
        let foyer = try await premises.open(), told = Told()
        let host = told.register(in: foyer)
        #expect(try await host.deliver(within: .seconds(5)) && told.outcomes == [], "nothing waits yet")
        try await host.answer(contentsOf: ada)
        #expect(try await host.deliver(within: .seconds(5)) && told.outcomes == ["finished ada"])

        let offline = try await premises.open(.offline(premises.mock)), second = Told()
        let waiting = second.register(in: offline)
        try await waiting.answer(contentsOf: ["bob@example.org", "bob"] + ada[2...])
        #expect(try await !waiting.deliver(within: .seconds(5)) && second.outcomes == [])
        for store in [foyer, offline] { try await store.close() }
    }
}
