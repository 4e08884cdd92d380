import Foyer
import FoyerMockNetwork
import Glibc

// Usage: registration FOLDER. Ended anywhere, the next start goes on there. Exit: 0 finished, 75 saved.
let folder = CommandLine.arguments.dropFirst().first ?? "."
let foyer = try await AccountStore.open(
    at: "\(folder)/data/accounts.db", keyFile: "\(folder)/keys/key",
    network: .custom(MockNetwork(path: "\(folder)/data/accounts.db.mock-network")))

// Somebody may be half-way, or wait for the network; otherwise a new registration begins.
let host =
    if let unfinished = try await foyer.newestUnfinishedFlow() {
        try await foyer.resume(unfinished)
    } else {
        await foyer.register()
    }

while let screen = await host.screen {
    if let action = screen.actions.first {
        guard let answers = ask(screen) else { exit(75) }
        _ = try await host.send(ScreenInput(for: screen, action, values: answers))
    } else {
        // Nothing to do but to wait for the network, which may also ask for another answer.
        guard try await host.deliver(within: .seconds(5)) else { exit(75) }
    }
}
print("Your account is made.")
try await foyer.close()

/// What is entered for a screen; nil when nobody answers.
func ask(_ screen: Screen) -> [String: Secret]? {
    if case .review(let lines) = screen.content {
        for line in lines { print("\(line.label): \(line.value ?? "••••")") }
        print("Press Return to send it.")
        return readLine().map { _ in [:] }
    }
    var answers: [String: Secret] = [:]
    for field in screen.fields {
        print([field.label, field.error?.text ?? field.hint].compactMap(\.self).joined(separator: ": "))
        guard let answer = readAnswer(to: field) else { return nil }
        answers[field.key] = answer
    }
    return answers
}

/// One line of standard input, without an echo where a secret is typed at a terminal.
func readAnswer(to field: FieldView) -> Secret? {
    guard field.isSecret, isatty(STDIN_FILENO) == 1 else { return readLine().map { Secret($0) } }
    return getpass("").map { Secret(String(cString: $0)) }
}
