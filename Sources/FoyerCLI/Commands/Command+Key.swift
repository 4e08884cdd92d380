import Foyer

extension Command {
    static let key = Command(
        name: "key", takes: 1...1, usage: "key rotate|reset",
        summary: "change the key of the secrets, or give up a lost one",
        examples: ["foyer key rotate", "foyer key reset", "foyer key reset --yes"]
    ) { invocation in
        let verb = invocation.arguments[0]
        guard verb == "rotate" || verb == "reset" else { throw Failure.usage("Usage: \(invocation.command.line).") }
        guard let foyer = try await invocation.options.open(creating: false) else {
            throw Failure(StoreError(.noDatabase, "There is no database yet, and so no key."))
        }
        return try await verb == "rotate"
            ? rotate(foyer, invocation.options) : reset(foyer, invocation.options)
    }

    @MainActor
    private static func rotate(_ foyer: Foyer, _ options: Options) async throws -> ExitCode {
        let count = try await foyer.rotateKey()
        if options.json {
            Output.json(["resealed": JSONValue(count)])
        } else {
            Output.line("There is a new key; \(count) secrets were sealed again, and the old key is gone.")
        }
        return .done
    }

    @MainActor
    private static func reset(_ foyer: Foyer, _ options: Options) async throws -> ExitCode {
        let loss = try await foyer.keyLoss()
        Output.error(
            "The key is lost. Without it nobody can read the secrets of \(loss.flows) open flows and "
                + "\(loss.submissions) waiting submissions; they will be asked again. Everything else stays.")
        guard options.yes || isConfirmed(options) else {
            throw Failure(
                code: "not_confirmed", message: "Nothing was changed. `foyer key reset --yes` gives the secrets up.",
                exit: .usage)
        }
        let given = try await foyer.resetKey()
        if options.json {
            Output.json(["flows": JSONValue(given.flows), "submissions": JSONValue(given.submissions)])
        } else {
            Output.line("The store has a key again; what was sealed under the lost one is asked again.")
        }
        return .done
    }

    /// Asks at the terminal; without one nobody can say yes.
    @MainActor
    private static func isConfirmed(_ options: Options) -> Bool {
        guard StandardInput.isTerminal, !options.noInput else { return false }
        Output.prompt("Give them up? Type yes: ")
        return StandardInput().readLine()?.withText { $0 } == "yes"
    }
}
