import Foyer
import FoyerTestSupport
import TestSupport
import Testing

/// Ten people, each somewhere else on the way, and what each of them answers.
@FlowActor
struct Guests {
    let machine: Machine
    let server: ClockedServer
    private static let password = "four unrelated words"

    /// The answer of a guest at a step; another user name where the first was refused.
    static func answer(_ guest: String, _ step: String, corrected: Bool = false) -> String {
        switch step {
        case "email": "\(guest)@example.org"
        case "userName": guest == "refused" && !corrected ? "regular" : guest == "login" ? "regular" : guest
        case "password": password
        case "firstName": "Ada"
        default: "Lovelace"
        }
    }

    private static let steps = ["email", "userName", "password", "firstName", "lastName"]
    private static let open = ["one", "two", "three", "four"]

    // MARK: The stages

    /// A guest who has an account already, and everybody's first answers.
    func begin() async throws {
        try await machine.program(.custom(server)) { foyer in
            let regular = foyer.register()
            for step in Self.steps { try await regular.answer(Self.answer("regular", step)) }
            #expect(try await foyer.sync().accepted == 1)
        }
        try await machine.program { foyer in
            for (number, guest) in Self.open.enumerated() {
                let host = foyer.register()
                for step in Self.steps.prefix(number + 1) { try await host.answer(Self.answer(guest, step)) }
            }
            let typing = foyer.register()
            for step in Self.steps.prefix(3) { try await typing.answer(Self.answer("typing", step)) }
            let shown = try #require(typing.screen)
            let typed = ScreenInput(for: shown, .back, values: ["firstName": Secret("Hal")])
            #expect(try await typing.send(typed) == .taken)
            for guest in ["waiting", "refused", "parked"] {
                let host = foyer.register()
                for step in Self.steps.prefix(4) { try await host.answer(Self.answer(guest, step)) }
            }
            try await foyer.login().answer(Self.answer("login", "userName"))
        }
    }

    /// One is refused, one is parked; three wait in the outbox.
    func finish() async throws {
        await server.set(reachable: true, malformed: "parked@")
        try await machine.program(.custom(server)) { foyer in
            for guest in ["refused", "parked"] {
                try await resume(guest, in: foyer).answer(Self.answer(guest, "lastName"))
                _ = try await foyer.sync()
            }
            #expect(try await foyer.outbox.waiting().map(\.state.name) == [.parked])
        }
        await server.set(reachable: false)
        try await machine.program(.custom(server)) { foyer in
            try await resume("waiting", in: foyer).answer(Self.answer("waiting", "lastName"))
            try await resume("login", in: foyer).answer(Self.answer("login", "password"))
            try await foyer.resetPassword().answer(Self.answer("reset", "email"))
        }
    }

    /// What programs do at any time: list, expire, prune and deliver.
    func visit(reachable: Bool) async throws {
        await server.set(reachable: reachable)
        try await machine.program(.custom(server)) { foyer in
            _ = try await foyer.flows.unfinishedFlows()
            try await foyer.flows.expireFlows()
            _ = try await foyer.prune()
            _ = try await foyer.sync()
            _ = try await foyer.newestUnfinishedFlow()
        }
        await server.set(reachable: true)
    }

    /// Everybody goes on where they stopped, and gets what they came for once.
    func end(_ comment: Comment) async throws {
        await server.set(reachable: true)
        try await machine.program(.custom(server)) { foyer in
            _ = try await foyer.sync()
            // Once because the network was mended, and once more where it does not know what it was asked before.
            for _ in 0..<2 {
                for parked in try await foyer.outbox.waiting() where parked.state.name == .parked {
                    _ = try await foyer.outbox.retry(parked.id)
                }
                _ = try await foyer.sync()
            }
            #expect(try await foyer.outbox.waiting().isEmpty, comment)
            for saved in try await foyer.flows.unfinishedFlows() {
                let flow = try #require(try await foyer.flows.flow(saved.id))
                try await complete(flow, in: foyer, comment)
            }
            _ = try await foyer.sync()
            let waiting = try await foyer.outbox.waiting().map { "\($0.state) \($0.lastError ?? "")" }
            #expect(waiting == [], comment)
            #expect(try await foyer.flows.unfinishedFlows().isEmpty, comment)
            let kinds = try await foyer.outbox.submissions().filter { $0.state.name == .accepted }.map(\.kind.rawValue)
            #expect(kinds.sorted() == ["login"] + Array(repeating: "register", count: 9) + ["reset"], comment)
        }
        let addresses = try await server.addresses()
        let guests = Self.open + ["typing", "waiting", "refused", "parked", "regular"]
        #expect(addresses == guests.map { "\($0)@example.org" }.sorted(), comment)
    }

    // MARK: One guest

    private func resume(_ guest: String, in foyer: AccountStore) async throws -> FlowHost {
        for saved in try await foyer.flows.unfinishedFlows() where saved.status == .open {
            let flow = try #require(try await foyer.flows.flow(saved.id))
            if Self.guest(of: flow) == guest { return try foyer.resume(flow) }
        }
        throw Failure("\(guest) is lost")
    }

    /// Who the flow belongs to, by what they answered first.
    private static func guest(of flow: SavedFlow) -> String {
        if flow.kind == .login { return "login" }
        return flow.answers.first { $0.step == "email" }?.value?.split(separator: "@").first.map(String.init)
            ?? "nobody"
    }

    /// No answer is asked for again but the one that was refused; a sign-in lives for a quarter of an hour only.
    private func complete(_ flow: SavedFlow, in foyer: AccountStore, _ comment: Comment) async throws {
        let guest = Self.guest(of: flow)
        let host = try foyer.resume(flow)
        let reconciled = foyer.definition(for: flow.kind).reconcile(flow.answers, now: machine.wall)
        for (step, fate) in reconciled.fates where fate != .kept {
            #expect(
                guest == "refused" && step == "userName" || guest == "login", "\(comment): \(guest) \(step) \(fate)")
        }
        if guest == "typing" { #expect(flow.unsent == ["firstName": "Hal"], comment) }
        while let screen = host.screen, screen.isWaitingForInput {
            guard let field = screen.fields.first?.key, screen.content.isQuestion else {
                _ = try await host.send(ScreenInput(for: screen, .submit))
                continue
            }
            try await host.answer(Self.answer(guest, field, corrected: true))
        }
    }
}

extension Screen.Content {
    fileprivate var isQuestion: Bool { if case .review = self { false } else { true } }
}
