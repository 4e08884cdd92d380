import Foyer

/// Asks for the key's passphrase at the terminal, hidden; never on a pipe, whose lines are answers.
@MainActor
final class PassphrasePrompt {
    /// Who gave no passphrase is not asked for it again and again.
    private var mayAsk: Bool

    init(isAllowed: Bool) {
        mayAsk = isAllowed && StandardInput.isTerminal
    }

    func ask(_ request: KeySource.PassphraseRequest) -> Secret? {
        switch request {
        case .enter: return read("Passphrase of the key: ")
        case .enterAgain:
            Output.error("That is not the passphrase of the key.")
            return read("Passphrase of the key: ")
        case .choose:
            Output.error("Choose a passphrase for the key. Nobody can read what is sealed under it without.")
            while let first = read("New passphrase: "), let second = read("Once more: ") {
                if first.isSame(as: second) { return first }
                Output.error("These are not the same.")
            }
            return nil
        }
    }

    private func read(_ prompt: String) -> Secret? {
        guard mayAsk else { return nil }
        guard case .line(let line) = LinePrompt().askSecret(prompt), !line.isEmpty else {
            mayAsk = false
            return nil
        }
        return line
    }
}

extension Secret {
    fileprivate func isSame(as other: Secret) -> Bool {
        withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
    }
}
