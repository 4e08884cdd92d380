import Foyer

extension Command {
    static let flows = Command(
        name: "flows", summary: "what is unfinished", flags: [Flag.show],
        examples: ["foyer flows", "foyer flows --json"]
    ) { invocation in
        let flows = try await invocation.options.openIfPresent()?.flows.unfinishedFlows() ?? []
        Output.mention(flows.damaged)
        if invocation.options.json {
            Output.json(["flows": .array(flows.map { JSONValue($0) })])
        } else {
            let now = FoyerEnvironment.system.now()
            Output.table(
                ["ID", "KIND", "STATUS", Table.Column("NEXT STEP", shrinks: true), "CHANGED"],
                flows.map {
                    [
                        Table.Cell($0.id.ending), Table.Cell($0.kind.rawValue), Table.Cell($0.status.rawValue),
                        Table.Cell(shown: $0.place, piped: $0.step ?? "-"),
                        Table.Cell($0.updatedAt, from: now),
                    ]
                })
            if flows.isEmpty { Output.error("Nothing is unfinished. `foyer register` begins a registration.") }
        }
        return .done
    }

    static let show = Command(
        name: "show", summary: "one flow with its answers; secrets are masked", arguments: [.id()],
        flags: [Flag.show], examples: ["foyer show 4c21f0a9"], exitCodes: [.nothingThere]
    ) { invocation in
        let id = invocation.arguments[0]
        guard let foyer = try await invocation.options.openIfPresent() else {
            throw Failure.nothingNamed("flow")
        }
        let flow = try await flow(id, in: foyer)
        if invocation.options.json {
            Output.json(["flow": JSONValue(withAnswersOf: flow)])
        } else {
            describe(flow, invocation.options)
        }
        return .done
    }

    static let cancel = Command(
        name: "cancel", summary: "give up a flow: the newest open one, or ID",
        details: "Takes the whole identifier; at a terminal its last 8 characters are enough.",
        arguments: [.id(isOptional: true)], flags: [Flag.yes], examples: ["foyer cancel", "foyer cancel 4c21f0a9"],
        exitCodes: [.nothingThere, .saved]
    ) { invocation in
        guard let foyer = try await invocation.options.openIfPresent() else { throw Failure.nothingToResume }
        let options = invocation.options
        let flow = try await foyer.flow(named: invocation.arguments.first, matching: options.matchToDestroy)
        guard let flow else {
            throw try await foyer.flows.unfinishedFlows().first.map { Failure.waits($0, options) } ?? .nothingToResume
        }
        guard try mayCancel(flow, invocation.options) else { return .done }
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
        Output.next("`foyer register` begins anew; `foyer flows` lists what is unfinished.")
        return .done
    }

    /// The glance lists flows and submissions together: who takes one for the other is told.
    @MainActor
    private static func flow(_ id: String, in foyer: AccountStore) async throws -> SavedFlow {
        do throws(StoreError) {
            return try await foyer.storage.flow(named: id, matching: .anyEnding)
        } catch {
            guard error.code == .notFound,
                (try? await foyer.storage.submission(named: id, matching: .anyEnding)) != nil
            else { throw error }
            throw Failure(
                StoreError(.notFound, "There is no such flow; it is a submission: `foyer outbox show \(id)`."))
        }
    }

    /// Whoever is at a terminal is asked; a script knows what it does.
    @MainActor
    private static func mayCancel(_ flow: SavedFlow, _ options: Options) throws -> Bool {
        guard StandardInput.isTerminal, !options.noInput, !options.yes else { return true }
        let who = flow.answers.first { $0.step == "userName" }?.value.map { " of \($0)" } ?? ""
        if isConfirmed("Give up the \(flow.kind.words) \(flow.id.ending)\(who)? [y/N] ", options) { return true }
        Output.error("Nothing was given up.")
        return false
    }

    @MainActor
    private static func describe(_ flow: SavedFlow, _ options: Options) {
        let next = flow.step.map { ", next step \($0)" } ?? "", now = FoyerEnvironment.system.now()
        Output.line("\(flow.kind.rawValue) \(flow.id): \(flow.status.rawValue)\(next)")
        Output.table(
            [
                "STEP", Table.Column("ANSWER", shrinks: true), "ANSWERED",
                Table.Column("REFUSED BECAUSE", shrinks: true),
            ],
            flow.answers.map { answer in
                [
                    Table.Cell(answer.step),
                    answer.value.map { isPersonal(answer.step) ? Table.Cell(personal: $0, options) : Table.Cell($0) }
                        ?? Table.Cell(shown: Output.secret, piped: "••••••••"),
                    Table.Cell(answer.answeredAt, from: now),
                    Table.Cell(answer.error.map { FieldMessage($0).text } ?? ""),
                ]
            })
    }

    /// User names are public by nature; addresses and names are not.
    private static func isPersonal(_ step: String) -> Bool { step != "userName" }
}

extension AccountStore {
    /// The flow that is named, or the newest open one; nil when there is none open.
    func flow(named name: String?, matching match: IdentifierMatch) async throws(StoreError) -> SavedFlow? {
        guard let name else { return try await flows.newestOpenFlow() }
        return try await storage.flow(named: name, matching: match)
    }
}

extension SavedFlow {
    /// The next step and how far that is; nil when everything is answered.
    var nextStep: String? {
        step.map { step in progress.map { "\(step) (\($0.step) of \($0.count))" } ?? step }
    }

    /// The next step with the network's refusal of its answer; a hyphen when everything is answered.
    fileprivate var place: String { (nextStep ?? "-") + refusalWords }

    /// The network's refusal that waits for the person, to be put at the end of a line; empty where none does.
    var refusalWords: String { refusal.map { "; refused: \($0.text)" } ?? "" }
}

extension Failure {
    static let nothingToResume = Failure(
        code: "nothing_to_resume", message: "Nothing is unfinished. `foyer register` begins a registration.",
        exit: .nothingThere)

    @MainActor
    static func waits(_ flow: SavedFlow, _ options: Options) -> Failure {
        Failure(
            code: "nothing_open",
            message: "Nothing is open. What is finished waits for the network: "
                + "`foyer cancel \(options.nameToDestroy(flow.id))` gives it up, `foyer sync` delivers it.",
            exit: .nothingThere)
    }

    /// Where there is no database, nothing has the name.
    static func nothingNamed(_ kind: String) -> Failure {
        Failure(StoreError(.notFound, "There is no \(kind) with that name: there is no database yet."))
    }
}
