import Foyer
import FoyerTestSupport
import TestSupport
import Testing

/// What an app is told of what it did not do itself.
@Suite(.timeLimit(.minutes(2))) struct ObservationTests {
    /// Runs the program `foyer` on these premises, as another process.
    private func foyer(_ arguments: String..., on premises: Premises, lines: [String] = []) async throws
        -> Program.Finished
    {
        let files = ["--database", premises.database, "--key-file", premises.folder.appending("state/key")]
        return try await Program(try builtProduct("foyer"), arguments + files + ["--network", "offline"])
            .run(input: .text(lines.map { "\($0)\n" }.joined()))
    }

    /// Opens the store by the clock that other processes have, too.
    private func open(_ premises: Premises) async throws -> AccountStore {
        try await AccountStore.open(
            at: premises.database, keyFile: premises.folder.appending("state/key"), network: .offline(premises.mock))
    }

    @Test("Values come at once and after each change by another process, until the store closes")
    func valuesComeNowAndAfterEachChangeOfAnotherProcess() async throws {
        let premises = try Premises(), store = try await open(premises)
        let values = store.values { try await $0.flows.unfinishedFlows().map(\.step) }
        var steps = values.makeAsyncIterator()
        #expect(try await steps.next() == [])
        let run = try await foyer("register", on: premises, lines: ["ada@example.org"])
        #expect(run.exit == .code(75), "\(run.stderr)")
        #expect(try await steps.next() == ["userName"])
        try await store.close()
        // The end of the store is the end of the sequence, and no error.
        #expect(try await steps.next() == nil)
    }

    @Test("An unchanged value is not given again, and the queue can be observed")
    func theSameValueIsGivenOnceAndTheQueueCanBeSeen() async throws {
        let premises = try Premises(), store = try await premises.open()
        var backlogs = store.values { try await $0.outbox.backlog().waiting }.makeAsyncIterator()
        #expect(try await backlogs.next() == 0)
        let host = await store.register()
        try await host.answer(contentsOf: ada)
        // Five writes, and only the last one changed what is looked at.
        #expect(try await backlogs.next() == 1)
        _ = try await store.sync()
        #expect(try await backlogs.next() == 0)
        try await store.close()
    }

    @Test("An error thrown by the fetch ends the sequence")
    func whatFetchThrowsEndsTheSequence() async throws {
        let premises = try Premises(), store = try await premises.open(.offline(premises.mock))
        var values = store.values { _ -> Int in throw Failure("no") }.makeAsyncIterator()
        await #expect(throws: Failure.self) { try await values.next() }
        try await store.close()
    }

    @Test("After a listener is cancelled, nothing is fetched for it any more")
    func whoStopsListeningIsNotAskedForAnyMore() async throws {
        let premises = try Premises(), store = try await premises.open(.offline(premises.mock))
        let fetched = Counter()
        let listener = Task {
            for try await _ in store.values(of: { _ in await fetched.next() }) {}
        }
        try await eventually { await fetched.count == 1 }
        listener.cancel()
        try await listener.value
        let seen = await fetched.count
        let host = await store.register()
        try await host.answer("ada@example.org")
        // Whoever listens after the write has been told of it by now, had anybody else listened still.
        var later = store.values { try await $0.flows.unfinishedFlows().count }.makeAsyncIterator()
        #expect(try await later.next() == 1)
        #expect(await fetched.count == seen)
        try await store.close()
    }

    @Test("The screens of a host follow the answers given in another process")
    func screensFollowTheAnswersOfAnotherProcess() async throws {
        let premises = try Premises(), store = try await open(premises)
        let host = await store.register()
        try await host.answer("ada@example.org")
        var screens = store.screens(of: host).makeAsyncIterator()
        #expect(try await screens.next()?.active?.id == "register/userName")
        let run = try await foyer("resume", on: premises, lines: ["ada"])
        #expect(run.exit == .code(75), "\(run.stderr)")
        var place: String?
        while place != "register/password", let shown = try await screens.next() { place = shown.active?.id }
        #expect(place == "register/password")
        try await store.close()
        #expect(try await screens.next() == nil)
    }

    @Test("The newest unfinished flow may be waiting for the network and is never overdue")
    func theNewestUnfinishedFlowMayWaitForTheNetworkAndIsNeverOverdue() async throws {
        let premises = try Premises(), store = try await premises.open(.offline(premises.mock))
        #expect(try await store.newestUnfinishedFlow() == nil)
        let open = await store.register(), submitted = await store.register()
        try await open.answer("b@example.org")
        premises.clock.turn(by: .seconds(1))
        try await submitted.answer(contentsOf: ada)
        let newest = try #require(try await store.newestUnfinishedFlow())
        #expect(newest.status == .submitted && newest.answers.count == 5)
        _ = try await store.outbox.cancel(newest.submissionID)
        #expect(try await store.newestUnfinishedFlow()?.step == "userName")
        premises.clock.turn(by: .seconds(31 * 86400))
        #expect(try await store.newestUnfinishedFlow() == nil)
        try await store.close()
    }

    @Test("Several stores in one process are independent of each other")
    func severalStoresInOneProcessKnowNothingOfEachOther() async throws {
        let homes = try [Premises(), Premises(), Premises()]
        let stores = try await [homes[0].open(), homes[1].open(), homes[2].open()]
        for (number, store) in stores.enumerated() {
            let host = await store.register()
            try await host.answer(contentsOf: ["person\(number)@example.org", "person\(number)"] + ada.dropFirst(2))
        }
        for store in stores { #expect(try await store.sync().accepted == 1) }
        try await stores[0].close()
        for number in [1, 2] {
            #expect(try await stores[number].users.users().map(\.userName) == ["person\(number)"])
            try await stores[number].close()
        }
        // What is closed says so.
        let error = await #expect(throws: StoreError.self) { _ = try await stores[0].users.users() }
        #expect(error?.code == .closed)
    }
}

/// Counts how often it is asked.
private actor Counter {
    private(set) var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
