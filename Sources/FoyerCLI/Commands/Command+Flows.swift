import Foyer

extension Command {
    static let flows = Command(
        name: "flows", takes: 0...0, usage: "flows", summary: "what is unfinished",
        examples: ["foyer flows", "foyer flows --json"]
    ) { invocation in
        let flows = try await invocation.options.open(creating: false)?.flows.unfinishedFlows() ?? []
        if invocation.options.json {
            Output.json(["flows": .array(flows.map { JSONValue($0) })])
        } else {
            Output.table(
                ["ID", "KIND", "STATUS", "NEXT STEP", "CHANGED"],
                flows.map { [$0.id.ending, $0.kind.rawValue, $0.status.rawValue, $0.step ?? "-", "\($0.updatedAt)"] })
            if flows.isEmpty { Output.error("Nothing is unfinished. `foyer register` begins a registration.") }
        }
        return .done
    }

    static let show = Command(
        name: "show", takes: 1...1, usage: "show ID", summary: "one flow with its answers; secrets are masked",
        examples: ["foyer show 4c21f0a9"]
    ) { invocation in
        let id = invocation.arguments[0]
        guard let foyer = try await invocation.options.open(creating: false) else { throw Failure.noFlow(id) }
        let flow = try await foyer.flows.flow(endingIn: id)
        if invocation.options.json {
            Output.json(["flow": JSONValue(withAnswersOf: flow)])
        } else {
            describe(flow, masking: Output.isTerminal && !invocation.options.show)
        }
        return .done
    }

    static let cancel = Command(
        name: "cancel", takes: 0...1, usage: "cancel [ID]", summary: "give up a flow: the newest open one, or ID",
        examples: ["foyer cancel", "foyer cancel 4c21f0a9"]
    ) { invocation in
        guard let foyer = try await invocation.options.open(creating: false) else { throw Failure.nothingToResume }
        guard let flow = try await foyer.flow(named: invocation.arguments.first) else {
            throw try await foyer.flows.unfinishedFlows().first.map(Failure.waits) ?? .nothingToResume
        }
        let cancelled = try await foyer.flows.cancel(flow.id, at: FoyerEnvironment.system.now())
        if invocation.options.json {
            Output.json(["flow": JSONValue(cancelled)])
        } else if cancelled.status == .cancelled {
            Output.line("Cancelled \(cancelled.id)")
        }
        guard cancelled.status == .cancelled else {
            Output.error(willAskNetwork)
            return .saved
        }
        return .done
    }

    @MainActor
    private static func describe(_ flow: SavedFlow, masking: Bool) {
        let next = flow.step.map { ", next step \($0)" } ?? ""
        Output.line("\(flow.kind.rawValue) \(flow.id): \(flow.status.rawValue)\(next)")
        Output.table(
            ["STEP", "ANSWER", "ANSWERED", "REFUSED BECAUSE"],
            flow.answers.map { answer in
                let shown = answer.value.map { masking && isPersonal(answer.step) ? Masking.masked($0) : $0 }
                return [
                    answer.step, shown ?? "••••••••", "\(answer.answeredAt)",
                    answer.error.map { FieldMessage($0).text } ?? "",
                ]
            })
    }

    /// User names are public by nature; addresses and names are not.
    private static func isPersonal(_ step: String) -> Bool { step != "userName" }
}

extension Foyer {
    /// The flow with that ending, or the newest open one; nil when there is none open.
    func flow(named id: String?) async throws(StoreError) -> SavedFlow? {
        guard let id else { return try await flows.newestOpenFlow() }
        return try await flows.flow(endingIn: id)
    }
}

extension Failure {
    static let nothingToResume = Failure(
        code: "nothing_to_resume", message: "Nothing is unfinished. `foyer register` begins a registration.",
        exit: .nothingThere)

    static func waits(_ flow: SavedFlow) -> Failure {
        Failure(
            code: "nothing_open",
            message: "Nothing is open. What is finished waits for the network: "
                + "`foyer cancel \(flow.id.ending)` gives it up, `foyer sync` delivers it.",
            exit: .nothingThere)
    }

    static func noFlow(_ id: String) -> Failure {
        Failure(StoreError(.notFound, "There is no flow whose identifier ends with \"\(id)\"."))
    }
}

extension UUIDv7 {
    /// The last characters, which tables show and commands take.
    var ending: String { String(text.suffix(8)) }
}
