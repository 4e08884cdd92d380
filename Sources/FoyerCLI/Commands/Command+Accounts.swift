import Foyer

extension Command {
    static let register = Command(
        name: "register", summary: "begin a registration",
        details: "Asks step by step at a terminal; on a pipe each line is an answer, in the order of the steps: "
            + "e-mail, user name, password, first name, last name. Every answer is saved as it is given.",
        flags: GivenPassword.flags + [Flag.yes],
        examples: [
            "foyer register",
            "printf '%s\\n' ada@example.org ada 'correct horse' Ada Lovelace | foyer register",
            "foyer register --password-file ada.password",
        ], exitCodes: [.refused, .saved]
    ) { invocation in
        let foyer = try await invocation.options.open()
        let others = try await foyer.flows.unfinishedFlows().count { $0.status == .open }
        if others > 0 {
            Output.error("\(others) unfinished already; `foyer resume` continues the newest of them.")
        }
        return try await FlowSession(foyer, await foyer.register(), invocation.options).run()
    }

    static let login = Command(
        name: "login", summary: "sign in with an account", flags: GivenPassword.flags + [Flag.yes],
        examples: ["foyer login", "printf '%s\\n' 'correct horse' ada | foyer login --password-stdin"],
        exitCodes: [.refused, .saved]
    ) { invocation in
        let foyer = try await invocation.options.open()
        return try await FlowSession(foyer, await foyer.login(), invocation.options).run()
    }

    static let forgotPassword = Command(
        name: "forgot-password", summary: "ask for a new password", flags: [Flag.yes],
        examples: ["foyer forgot-password"], exitCodes: [.refused, .saved]
    ) { invocation in
        let foyer = try await invocation.options.open()
        return try await FlowSession(foyer, await foyer.resetPassword(), invocation.options).run()
    }

    static let resume = Command(
        name: "resume", summary: "continue the newest unfinished flow, or ID",
        details: "Where nothing is open, but something waits for the network, it delivers that.",
        arguments: [.id(isOptional: true)], flags: GivenPassword.flags + [Flag.yes, Flag.dryRun, Flag.wait],
        examples: ["foyer resume", "foyer resume 4c21f0a9", "foyer resume --dry-run", "foyer resume --yes"],
        exitCodes: [.refused, .nothingThere, .unreachable, .saved]
    ) { invocation in
        guard var foyer = try await invocation.options.openIfPresent() else { throw Failure.nothingToResume }
        if !invocation.options.dryRun {
            let expired = try await foyer.flows.expireFlows()
            if expired > 0 { Output.error("\(expired) left alone for too long: expired.") }
        }
        guard let flow = try await foyer.flow(named: invocation.arguments.first, matching: .anyEnding) else {
            guard try await foyer.outbox.backlog().waiting > 0 else { throw Failure.nothingToResume }
            return try await deliver(foyer, invocation.options)
        }
        if invocation.options.dryRun {
            let reconciliation = foyer.definition(for: flow.kind)
                .reconcile(flow.answers, now: FoyerEnvironment.system.now())
            show(reconciliation, of: flow, asJSON: invocation.options.json)
            return .done
        }
        if let endpoint = flow.endpoint, endpoint != foyer.endpoint,
            let other = try await invocation.options.openIfPresent(forFlowOf: endpoint)
        {
            // Opened for the store's network, and this flow is for another one.
            foyer = other
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
