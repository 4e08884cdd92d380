import Foyer
import FoyerMockNetwork

extension Command {
    static let sync = Command(
        name: "sync", summary: "deliver what waits for the network", flags: [Flag.watch, Flag.wait],
        examples: ["foyer sync", "foyer sync --json", "foyer sync --watch"],
        exitCodes: [.unreachable, .saved, .brokenContract]
    ) { invocation in
        if invocation.options.watch { return try await watch(invocation.options) }
        return try await deliver(try await invocation.options.openIfPresent(), invocation.options)
    }

    /// Delivers everything that falls due soon, and says what came of it.
    @MainActor
    static func deliver(_ foyer: AccountStore?, _ options: Options) async throws -> ExitCode {
        // Somebody asks for it now: an endpoint whose circuit breaker is open is probed at once.
        if try await foyer?.outbox.backlog().waiting ?? 0 > 0 { try await foyer?.service?.networkMayBeBack() }
        let report = try await run(foyer, options)
        // Read before anything is written: a failure is the one object then.
        let advice = try await advice(on: report, foyer, options)
        if options.json {
            Output.json([
                "accepted": JSONValue(report.accepted), "rejected": JSONValue(report.rejected),
                "waiting": JSONValue(report.waiting),
            ])
        } else {
            Output.line("\(report.accepted) accepted, \(report.rejected) rejected, \(report.waiting) waiting.")
        }
        if report.accepted > 0 { foyer?.mentionMockNetwork() }
        if report.rejected > 0 { Output.error("What was refused is open again: `foyer resume` corrects it.") }
        guard !advice.isEmpty else {
            if report.accepted > 0, report.rejected == 0 { Output.next("`foyer users` shows who is in the store.") }
            return .done
        }
        advice.forEach(Output.error)
        if report.breaches > 0 { return .brokenContract }
        return report.neverReached ? .unreachable : .saved
    }

    /// What to do about what still waits, a sentence each.
    @MainActor
    private static func advice(
        on report: SyncReport, _ foyer: AccountStore?, _ options: Options
    ) async throws -> [String] {
        guard let foyer else { return [] }
        var advice: [String] = []
        for (endpoint, count) in report.elsewhere.sorted(by: { $0.key < $1.key }) {
            let command = try options.syncCommand(for: endpoint, in: foyer)
            advice.append("\(count) \(count == 1 ? "waits" : "wait") for \(endpoint): `\(command)` delivers.")
        }
        guard report.waiting > report.elsewhere.values.reduce(0, +) else { return advice }
        guard foyer.service != nil else {
            return advice + ["Nothing was sent, because the network is off. `foyer sync` delivers later."]
        }
        let parked = try await foyer.outbox.waiting().filter {
            $0.state.name == .parked && $0.endpoint == foyer.endpoint
        }
        advice.append(
            parked.first.map {
                "\(parked.count) parked: no sync sends them by itself. `foyer outbox show \($0.id.ending)` tells why, "
                    + "and what to do."
            } ?? "Some still wait; `foyer outbox` says why. `foyer sync` tries again.")
        return advice
    }

    /// Delivers, and shows meanwhile how many have their verdict.
    @MainActor
    private static func run(_ foyer: AccountStore?, _ options: Options) async throws -> SyncReport {
        guard let foyer, let events = foyer.service?.events else {
            return try await foyer?.sync() ?? SyncReport()
        }
        let backlog = try await foyer.outbox.backlog(for: foyer.endpoint)
        let waiting = backlog.waiting - backlog.elsewhere.values.reduce(0, +)
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

extension AccountStore {
    /// Whether the network is the mock network.
    var isPractice: Bool { endpoint == MockNetwork.endpoint }

    /// Nobody shall believe that an account exists that does not.
    @MainActor
    func mentionMockNetwork() {
        if isPractice { Output.error("Sent to the practice server; no real account was created.") }
    }
}
