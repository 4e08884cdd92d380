import Foyer
import FoyerMockNetwork
import FoyerTestSupport
import TestSupport
import Testing

@FlowActor
@Suite struct RegistrationTests {
    let premises: Premises
    let told = Told()

    init() throws {
        premises = try Premises()
    }

    @Test("A registration is asked step by step, delivered, and ends with an active person")
    func wholeWay() async throws {
        let foyer = try await premises.open()
        let host = told.register(in: foyer)
        for (step, text) in zip(FlowDefinition.register.steps, ada) {
            #expect(host.place == step.id && host.screen?.title == "Registration")
            try await host.answer(text)
        }
        #expect(host.place == "submitted" && told.outcomes.isEmpty)
        let report = try await foyer.sync()
        #expect(report.accepted == 1 && report.waiting == 0)
        for _ in 0..<2 { try await host.reload() }
        #expect(told.outcomes == ["finished ada"])
        let user = try #require(try await foyer.users.users().first)
        #expect(user.status == .active && user.remoteID != nil)
        #expect([user.email, user.userName, user.firstName, user.lastName] == [ada[0], ada[1], ada[3], ada[4]])
        #expect(try await foyer.sync() == SyncReport(), "a second run sends nothing")
        #expect(try premises.folder.occurrences(of: Array(ada[2].utf8)) == [], "the password lies nowhere")
    }

    @Test("Offline everything waits, and a program with a network delivers it later")
    func offline() async throws {
        let offline = try await premises.open(.offline(premises.mock))
        let host = told.register(in: offline)
        try await host.answer(contentsOf: ada)
        #expect(offline.service == nil)
        #expect(try await offline.sync() == SyncReport(waiting: 1))
        #expect(try await offline.users.users().map(\.status) == [.pending])
        let online = try await premises.open()
        #expect(try await online.sync().accepted == 1)
        try await host.reload()
        #expect(told.outcomes == ["finished ada"], "the first program hears of it")
    }

    @Test("A network that cannot be reached keeps the submission; a later run with the same network delivers it")
    func outage() async throws {
        let network = FlakyNetwork(path: premises.folder.appending("data/server"), failures: 3)
        let foyer = try await premises.open(.custom(network))
        let host = told.register(in: foyer)
        try await host.answer(contentsOf: ada)
        let failed = try await foyer.sync()
        #expect(failed.waiting == 1 && failed.neverReached)
        #expect(try await foyer.sync(waitingUpTo: .seconds(3600)).accepted == 1)
        try await host.reload()
        #expect(told.outcomes == ["finished ada"])
    }

    @Test("A registration goes on in another program at exactly the next step", arguments: 1...5, [true, false])
    func resume(answered: Int, closesFirst: Bool) async throws {
        let first = try await premises.open()
        let host = told.register(in: first)
        try await host.answer(contentsOf: ada.prefix(answered))
        if closesFirst { try await first.close() }
        let second = try await premises.open()
        if answered == 5 {
            #expect(try await second.flows.newestOpenFlow() == nil)
            #expect(try await second.sync().accepted == 1)
            return
        }
        let flow = try #require(try await second.flows.newestOpenFlow())
        let resumed = try told.resume(flow, in: second)
        #expect(resumed.place == FlowDefinition.register.steps[answered].id)
        try await resumed.answer(contentsOf: ada.dropFirst(answered))
        #expect(try await second.sync().accepted == 1)
        try await resumed.reload()
        #expect(told.outcomes == ["finished ada"])
        let user = try await second.users.users().first
        #expect([user?.email, user?.userName, user?.firstName, user?.lastName] == [ada[0], ada[1], ada[3], ada[4]])
    }

    @Test("A password is asked again when its time is over, and the later answers are kept")
    func expiredPassword() async throws {
        let foyer = try await premises.open()
        try await told.register(in: foyer).answer(contentsOf: ada.prefix(4))
        premises.clock.turn(by: .seconds(24 * 3600))
        let flow = try #require(try await foyer.flows.newestOpenFlow())
        let resumed = try told.resume(flow, in: foyer)
        #expect(resumed.place == "password")
        try await resumed.answer(ada[2])
        #expect(resumed.place == "lastName")
        try await resumed.answer(ada[4])
        #expect(try await foyer.sync().accepted == 1)
    }

    @Test("A taken user name is asked again, alone, and the corrected form is delivered")
    func takenName() async throws {
        let foyer = try await premises.open()
        try await foyer.register().answer(contentsOf: ada)
        #expect(try await foyer.sync().accepted == 1)
        let host = told.register(in: foyer)
        try await host.answer("grace@example.org", "ADA", "another long secret", "Grace", "Hopper")
        #expect(try await foyer.sync().rejected == 1)
        #expect(try await foyer.users.users().count == 1, "a refused person is not kept")
        try await host.reload()
        #expect(host.place == "userName")
        #expect(host.screen?.fields.first?.value == "ADA")
        #expect(host.screen?.fields.first?.error == FieldMessage("username.taken"))
        try await host.answer("grace")
        #expect(host.place == "submitted", "nothing else is asked")
        #expect(try await foyer.sync().accepted == 1)
        try await host.reload()
        #expect(told.outcomes == ["finished grace"])
        #expect(try await foyer.users.users().map(\.userName) == ["ada", "grace"])
        #expect(try await foyer.outbox.submissions().map(\.state.name) == [.accepted, .rejected, .accepted])
    }

    @Test("A registration that is given up elsewhere is cancelled here", arguments: [2, 5])
    func cancelled(answered: Int) async throws {
        let foyer = try await premises.open()
        let host = told.register(in: foyer)
        try await host.answer(contentsOf: ada.prefix(answered))
        _ = try await foyer.flows.cancel(try #require(host.flowIDs.first), at: premises.clock.environment.now())
        for _ in 0..<2 { try await host.reload() }
        #expect(told.outcomes == ["cancelled"] && host.screen == nil)
        #expect(try await foyer.users.users().isEmpty)
        #expect(try await foyer.sync().attempts == 0)
    }

    // MARK: What cannot be done

    @Test("Without a database a program that must not make one is told so, and none is made")
    func noDatabase() async throws {
        let error = await #expect(throws: StoreError.self) { _ = try await premises.open(createIfMissing: false) }
        #expect(error?.code == .noDatabase && error?.message.isEmpty == false)
        await #expect(throws: StoreError.self, "it was not made meanwhile") {
            _ = try await premises.open(createIfMissing: false)
        }
    }

    @Test("A closed store takes no answers and says so; the screen stays as it was")
    func closed() async throws {
        let foyer = try await premises.open()
        let host = told.register(in: foyer)
        try await host.answer(ada[0])
        try await foyer.close()
        let screens = host.screens
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await host.answer(ada[1]) }
            #expect(error?.code == .closed)
        }
        #expect(host.screens == screens && told.outcomes.isEmpty)
        let error = await #expect(throws: StoreError.self) { try await foyer.sync() }
        #expect(error?.code == .closed)
    }

    @Test("A flow that has ended is not resumed")
    func nothingToResume() async throws {
        let foyer = try await premises.open()
        let host = told.register(in: foyer)
        try await host.answer(contentsOf: ada)
        _ = try await foyer.sync()
        let id = try #require(host.flowIDs.first)
        let flow = try #require(try await foyer.flows.flow(id))
        let error = #expect(throws: StoreError.self) { _ = try told.resume(flow, in: foyer) }
        #expect(error?.code == .flowClosed)
    }
}

/// The mock network, behind a line that is down at first.
private actor FlakyNetwork: AccountNetwork {
    nonisolated let endpoint = "flaky"
    private let server: MockNetwork
    private var failures: Int

    init(path: String, failures: Int) {
        server = MockNetwork(path: path)
        self.failures = failures
    }

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        guard failures == 0 else {
            failures -= 1
            throw .unreachable("the line is down")
        }
        return try await server.submit(request)
    }

    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { try await server.outcome(of: key) }

    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { try await server.cancel(key) }
}
