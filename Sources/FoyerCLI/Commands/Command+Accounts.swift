import Foyer

extension Command {
    static let register = Command(
        name: "register", takes: 0...0, usage: "register", summary: "begin a registration",
        examples: [
            "foyer register",
            "printf '%s\\n' ada@example.org ada 'correct horse' Ada Lovelace | foyer register",
        ]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: true) else { return .failed }
        let others = try await foyer.flows.unfinishedFlows().count { $0.status == .open }
        if others > 0 {
            Output.error("\(others) unfinished already; `foyer resume` continues the newest of them.")
        }
        return try await FlowSession(foyer, await foyer.register(), invocation.options).run()
    }

    static let login = Command(
        name: "login", takes: 0...0, usage: "login", summary: "sign in with an account", examples: ["foyer login"]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: true) else { return .failed }
        return try await FlowSession(foyer, await foyer.login(), invocation.options).run()
    }

    static let forgotPassword = Command(
        name: "forgot-password", takes: 0...0, usage: "forgot-password", summary: "ask for a new password",
        examples: ["foyer forgot-password"]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: true) else { return .failed }
        return try await FlowSession(foyer, await foyer.forgotPassword(), invocation.options).run()
    }

    static let resume = Command(
        name: "resume", takes: 0...1, usage: "resume [ID]", summary: "continue the newest unfinished flow, or ID",
        examples: ["foyer resume", "foyer resume 4c21f0a9"]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: false) else { throw Failure.nothingToResume }
        if !invocation.options.dryRun {
            let expired = try await foyer.flows.expireFlows(at: FoyerEnvironment.system.now())
            if expired > 0 { Output.error("\(expired) left alone for too long: expired.") }
        }
        guard let flow = try await foyer.flow(named: invocation.arguments.first) else {
            guard try await foyer.outbox.backlog().waiting > 0 else { throw Failure.nothingToResume }
            return try await deliver(foyer, invocation.options)
        }
        if invocation.options.dryRun {
            let reconciliation = foyer.definition(for: flow.kind)
                .reconcile(flow.answers, now: FoyerEnvironment.system.now())
            show(reconciliation, of: flow, asJSON: invocation.options.json)
            return .done
        }
        let host = try await foyer.resume(flow)
        for note in await host.notes { Output.error(note) }
        return try await FlowSession(foyer, host, invocation.options).run()
    }

    /// Says what resuming would do with each saved answer.
    @MainActor
    private static func show(_ reconciliation: Reconciliation, of flow: SavedFlow, asJSON: Bool) {
        if asJSON {
            return Output.json(["flow": JSONValue(flow), "reconciliation": JSONValue(reconciliation)])
        }
        for (step, fate) in reconciliation.fates.sorted(by: { $0.key < $1.key }) where fate == .kept {
            Output.line("\(step): kept")
        }
        for sentence in reconciliation.sentences { Output.line(sentence) }
        Output.line("Next: \(reconciliation.cursor ?? "a last look at everything")")
    }
}
