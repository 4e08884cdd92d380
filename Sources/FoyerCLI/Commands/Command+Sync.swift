import Foyer

extension Command {
    static let sync = Command(
        name: "sync", takes: 0...0, usage: "sync [--watch] [--wait SECONDS]",
        summary: "deliver what waits for the network",
        examples: ["foyer sync", "foyer sync --json", "foyer sync --watch"]
    ) { invocation in
        if invocation.options.watch { return try await watch(invocation.options) }
        return try await deliver(try await invocation.options.open(creating: false), invocation.options)
    }

    /// Delivers everything that falls due soon, and says what came of it.
    @MainActor
    static func deliver(_ foyer: Foyer?, _ options: Options) async throws -> ExitCode {
        // Somebody asks for it now: a closed endpoint is tried at once.
        if try await foyer?.outbox.backlog().waiting ?? 0 > 0 { try await foyer?.service?.networkMayBeBack() }
        let progress = foyer.flatMap { Progress($0, options) }
        defer { progress?.end() }
        let report = try await foyer?.sync(waitingUpTo: .seconds(options.wait)) ?? SyncReport()
        if options.json {
            Output.json([
                "accepted": JSONValue(report.accepted), "rejected": JSONValue(report.rejected),
                "waiting": JSONValue(report.waiting),
            ])
        } else {
            Output.line("\(report.accepted) accepted, \(report.rejected) rejected, \(report.waiting) waiting.")
        }
        if report.rejected > 0 { Output.error("What was refused is open again: `foyer resume` corrects it.") }
        if report.accepted > 0 { options.mentionMockNetwork() }
        guard report.waiting > 0 else { return .done }
        Output.error(
            options.network == "offline"
                ? "Nothing was sent, because the network is off. `foyer sync` delivers later."
                : "Some still wait; `foyer outbox` says why. `foyer sync` tries again.")
        return report.neverReached ? .unreachable : .saved
    }
}

/// On a terminal, counts on standard error what a run has done so far.
@MainActor
private final class Progress {
    private var task: Task<Void, Never>?

    init?(_ foyer: Foyer, _ options: Options) {
        guard Output.isErrorTerminal, !options.json, let events = foyer.service?.events else { return nil }
        task = Task {
            var done = 0
            for await event in events {
                guard case .settled(_, _, let outcome, _) = event else { continue }
                if ["accepted", "rejected", "cancelled"].contains(outcome) { done += 1 }
                Output.prompt("\r\(done) delivered")
            }
        }
    }

    func end() {
        task?.cancel()
        Output.prompt("\r")
    }
}

extension Options {
    /// Nobody shall believe that an account exists that does not.
    @MainActor
    func mentionMockNetwork() {
        if network == "mock" { Output.error("delivered to the mock network (no real account)") }
    }
}
