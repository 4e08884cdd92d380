import Foyer

extension Command {
    static let key = Command(
        name: "key", summary: "change the key of the secrets, or give up a lost one",
        commands: [keyRotate, keyReset], examples: ["foyer key rotate", "foyer key reset", "foyer key reset --yes"])

    private static let keyRotate = Command(
        name: "rotate", summary: "make a new key, and seal everything under it", flags: [Flag.yes],
        examples: ["foyer key rotate"], exitCodes: [.nothingThere, .configuration]
    ) { invocation in
        try await rotate(try await store(invocation.options), invocation.options)
    }

    private static let keyReset = Command(
        name: "reset", summary: "give up a lost key: the passwords under it are asked again", flags: [Flag.yes],
        examples: ["foyer key reset", "foyer key reset --yes"], exitCodes: [.nothingThere, .configuration]
    ) { invocation in
        try await reset(try await store(invocation.options), invocation.options)
    }

    @MainActor
    private static func store(_ options: Options) async throws -> AccountStore {
        if let foyer = try await options.openIfPresent() { return foyer }
        throw Failure(StoreError(.noDatabase, "There is no database yet, and so no key."))
    }

    @MainActor
    private static func rotate(_ foyer: AccountStore, _ options: Options) async throws -> ExitCode {
        let count = try await foyer.rotateKey()
        if options.json {
            Output.json(["resealed": JSONValue(count)])
        } else {
            Output.line("There is a new key; \(count) secrets were sealed again, and the old key is gone.")
        }
        Output.error("Another database that shared the key has lost its secrets with the old one.")
        Output.next("`foyer doctor` checks that the new key opens the store.")
        return .done
    }

    @MainActor
    private static func reset(_ foyer: AccountStore, _ options: Options) async throws -> ExitCode {
        let loss = try await foyer.keyLoss()
        Output.error(
            "The key is lost. Without it nobody can read the secrets of \(loss.flows) open flows and "
                + "\(loss.submissions) waiting submissions; they will be asked again. Everything else stays.")
        guard options.yes || isConfirmed("Give them up? Type yes: ", options, taking: ["yes"]) else {
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
        Output.next("`foyer resume` asks for what was lost; `foyer outbox` shows what waits for it.")
        return .done
    }
}
