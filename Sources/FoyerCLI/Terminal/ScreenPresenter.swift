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

    /// The person's input for the visible screen; nil when the input has ended, or when there is nothing to do.
    func ask(_ tree: ScreenTree) -> ScreenInput? {
        guard !readsNothing, let screen = tree.active else { return nil }
        if isInteractive { showHeading(of: screen, tree.tabs) }
        switch screen.content {
        case .form(let fields): return ask(fields, on: screen, tree)
        case .review(let lines): return isInteractive ? confirm(lines, on: screen) : nil
        case .alert(let text), .menu(let text), .message(let text): return choose(text, on: screen, tree)
        }
    }

    // MARK: Forms

    private func ask(_ fields: [FieldView], on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        var values: [String: Secret] = [:]
        for field in fields {
            guard let answer = ask(field, on: screen) else { return nil }
            if isInteractive, let action = Self.action(answer, of: tree) { return ScreenInput(for: screen, action) }
            values[field.key] = answer
        }
        guard let accept = screen.actions.first else { return nil }
        return ScreenInput(for: screen, accept, values: values)
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

    /// What was typed in place of an answer: `<` for back, or a slash and the name of something else to do.
    private static func action(_ answer: Secret, of tree: ScreenTree) -> ScreenAction? {
        answer.withText { text in
            if text == "<" { return tree.actions.first { $0.id == ScreenAction.back.id } }
            guard text.hasPrefix("/") else { return nil }
            return tree.actions.first { $0.id == text.dropFirst() }
        }
    }

    // MARK: Everything else

    /// Shows a text and lets one of the actions be chosen: by its number, by its name, or the first with Enter.
    private func choose(_ text: String, on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        Output.error(text)
        let actions = tree.actions
        guard let first = actions.first else { return nil }
        for (number, action) in actions.enumerated() { Output.error("  \(number + 1)  \(action.title)") }
        while true {
            Output.prompt("[\(first.title)] ")
            guard let answer = input.readLine() else { return nil }
            if answer.withBytes(\.isEmpty) { return ScreenInput(for: screen, first) }
            if let action = Self.action(answer, of: tree) { return ScreenInput(for: screen, action) }
            let number = answer.withText { Int($0) } ?? 0
            if actions.indices.contains(number - 1) { return ScreenInput(for: screen, actions[number - 1]) }
            Output.error("  Type a number from 1 to \(actions.count).")
        }
    }

    private func confirm(_ lines: [ReviewLine], on screen: Screen) -> ScreenInput? {
        Output.error("\(screen.title): everything is answered.")
        for line in lines { Output.error("  \(line.label): \(line.value ?? "••••••••")") }
        Output.prompt("Send it now? [Y/n] ")
        guard let answer = input.readLine() else { return nil }
        let isYes = answer.withText { ["", "y", "yes"].contains($0.lowercased()) }
        return isYes ? ScreenInput(for: screen, .submit) : nil
    }

    private func showHeading(of screen: Screen, _ tabs: [TabItem]) {
        guard lastHeading != screen.title else { return }
        lastHeading = screen.title
        let others = (screen.actions.dropFirst() + tabs.map(\.action)).filter { $0 != .back && $0 != .cancel }
        let ways = others.map { "/\($0.id) \($0.title)" }
        let back = screen.actions.contains(.back) ? ["< Back"] : []
        Output.error("\(screen.title). Every answer is saved; Ctrl-C stops, `foyer resume` continues.")
        if !(ways + back).isEmpty { Output.error("  \((back + ways).joined(separator: "   "))") }
    }
}
