import Foyer

extension Command {
    static let sync = Command(
        name: "sync", summary: "deliver what waits for the network", flags: [Flag.watch, Flag.wait],
        examples: ["foyer sync", "foyer sync --json", "foyer sync --watch"],
        exitCodes: [.unreachable, .saved, .brokenContract]
    ) { invocation in
        if invocation.options.watch { return try await watch(invocation.options) }
        return try await deliver(try await invocation.options.open(creating: false), invocation.options)
    }

    /// Delivers everything that falls due soon, and says what came of it.
    @MainActor
    static func deliver(_ foyer: Foyer?, _ options: Options) async throws -> ExitCode {
        // Somebody asks for it now: a closed endpoint is tried at once.
        if try await foyer?.outbox.backlog().waiting ?? 0 > 0 { try await foyer?.service?.networkMayBeBack() }
        let report = try await run(foyer, options)
        if options.json {
            Output.json([
                "accepted": JSONValue(report.accepted), "rejected": JSONValue(report.rejected),
                "waiting": JSONValue(report.waiting),
            ])
        } else {
            Output.line("\(report.accepted) accepted, \(report.rejected) rejected, \(report.waiting) waiting.")
        }
        if report.accepted > 0 { options.mentionMockNetwork() }
        if report.rejected > 0 { Output.error("What was refused is open again: `foyer resume` corrects it.") }
        guard report.waiting > 0 else {
            if report.accepted > 0, report.rejected == 0 { Output.next("`foyer users` shows who is in the store.") }
            return .done
        }
        Output.error(try await advice(foyer, options))
        if report.breaches > 0 { return .brokenContract }
        return report.neverReached ? .unreachable : .saved
    }

    /// What to do about what still waits.
    @MainActor
    private static func advice(_ foyer: Foyer?, _ options: Options) async throws -> String {
        if options.network == "offline" {
            return "Nothing was sent, because the network is off. `foyer sync` delivers later."
        }
        let parked = try await foyer?.outbox.waiting().filter { $0.state == .parked } ?? []
        guard let first = parked.first else {
            return "Some still wait; `foyer outbox` says why. `foyer sync` tries again."
        }
        return
            "\(parked.count) parked: no sync sends them by itself. `foyer outbox show \(first.id.ending)` tells why, and "
            + "what to do."
    }

    /// Delivers, and shows meanwhile how many have their verdict.
    @MainActor
    private static func run(_ foyer: Foyer?, _ options: Options) async throws -> SyncReport {
        guard let foyer, let events = foyer.service?.events else {
            return try await foyer?.sync() ?? SyncReport()
        }
        let waiting = try await foyer.outbox.backlog().waiting
        return try await Progress.showing("Delivering", options) { progress in
            progress.update(0, of: waiting)
            let listener = Task {
                var done = 0
                for await case .settled(_, _, let outcome, _) in events
                where ["accepted", "rejected", "cancelled"].contains(outcome) {
                    done += 1
                    progress.update(done, of: max(done, waiting))
                }
            }
            defer { listener.cancel() }
            return try await foyer.sync(waitingUpTo: .seconds(options.wait))
        }
    }
}

extension Options {
    /// Nobody shall believe that an account exists that does not.
    @MainActor
    func mentionMockNetwork() {
        if network == "mock" { Output.error("delivered to the mock network (no real account)") }
    }
}
