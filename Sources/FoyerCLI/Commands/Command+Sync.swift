import Foyer

extension Command {
    static let sync = Command(
        name: "sync", takes: 0...0, usage: "sync", summary: "deliver what waits for the network",
        examples: ["foyer sync", "foyer sync --json"]
    ) { invocation in
        try await deliver(try await invocation.options.open(creating: false), invocation.options)
    }

    /// Delivers everything that falls due soon, and says what came of it.
    @MainActor
    static func deliver(_ foyer: Foyer?, _ options: Options) async throws -> ExitCode {
        let report = try await foyer?.sync(waitingUpTo: .seconds(15)) ?? SyncReport()
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

extension Options {
    /// Nobody shall believe that an account exists that does not.
    @MainActor
    func mentionMockNetwork() {
        if network == "mock" { Output.error("delivered to the mock network (no real account)") }
    }
}
