import Foyer

/// Draws a screen and asks for its input: the only part of the program that knows how a person answers.
@MainActor
final class ScreenPresenter {
    private let input = StandardInput()
    private let isInteractive: Bool
    private let readsNothing: Bool
    private var lastHeading: String?

    init(options: Options) {
        isInteractive = StandardInput.isTerminal && !options.noInput
        readsNothing = StandardInput.isTerminal && options.noInput
    }

    /// Whether a person is there to correct what was refused.
    var canCorrect: Bool { isInteractive }

    /// The person's input for a screen; nil when the input has ended.
    func ask(_ screen: Screen) -> ScreenInput? {
        if readsNothing { return nil }
        switch screen.content {
        case .form(let fields): return ask(fields, on: screen)
        case .review(let lines): return isInteractive ? confirm(lines, on: screen) : nil
        case .message: return nil
        }
    }

    private func ask(_ fields: [FieldView], on screen: Screen) -> ScreenInput? {
        if isInteractive { showHeading(of: screen) }
        var values: [String: Secret] = [:]
        for field in fields {
            guard let answer = ask(field, on: screen) else { return nil }
            if isInteractive, screen.actions.contains(.back), answer.withBytes({ $0 == [UInt8(ascii: "<")] }) {
                return ScreenInput(for: screen, .back)
            }
            values[field.key] = answer
        }
        return ScreenInput(for: screen, .accept, values: values)
    }

    private func ask(_ field: FieldView, on screen: Screen) -> Secret? {
        guard isInteractive else { return input.readLine() }
        if let error = field.error { Output.error("  \(error.text)") }
        if let hint = field.hint { Output.error("  \(hint)") }
        let place = screen.progress.map { "[\($0.step)/\($0.count)] " } ?? ""
        let preset = field.value.map { " (Enter for \"\($0)\")" } ?? ""
        if field.isSecret { TerminalEcho.turnOff() }
        Output.prompt("\(place)\(field.label)\(preset): ")
        let answer = input.readLine()
        if field.isSecret {
            TerminalEcho.restore()
            Output.error("")
        }
        if let value = field.value, let answer, answer.withBytes(\.isEmpty) { return Secret(value) }
        return answer
    }

    private func showHeading(of screen: Screen) {
        guard lastHeading != screen.title else { return }
        lastHeading = screen.title
        let back = screen.actions.contains(.back) ? " \"<\" goes back." : ""
        Output.error("\(screen.title). Every answer is saved; Ctrl-C stops, `foyer resume` continues.\(back)")
    }

    private func confirm(_ lines: [ReviewLine], on screen: Screen) -> ScreenInput? {
        Output.error("\(screen.title): everything is answered.")
        for line in lines { Output.error("  \(line.label): \(line.value ?? "••••••••")") }
        Output.prompt("Send it now? [Y/n] ")
        guard let answer = input.readLine() else { return nil }
        let isYes = answer.withText { ["", "y", "yes"].contains($0.lowercased()) }
        return isYes ? ScreenInput(for: screen, .submit) : nil
    }
}
