import Foyer

/// Draws a screen and asks for its input: the only part of the program that knows how a person answers.
@MainActor
final class ScreenPresenter {
    private let input = StandardInput()
    private let isInteractive: Bool
    private let readsNothing: Bool
    /// What is still to be read above the form; nothing after another kind of screen.
    private var lastHeading = ""
    private var lastWays = ""

    init(options: Options) {
        isInteractive = StandardInput.isTerminal && !options.noInput
        readsNothing = StandardInput.isTerminal && options.noInput
    }

    /// Whether a person is there to correct what was refused.
    var canCorrect: Bool { isInteractive }
    /// Whether nothing will be typed any more.
    var hasEnded: Bool { readsNothing || input.hasEnded }

    /// The person's input for the visible screen; nil when the input has ended, or when there is nothing to do.
    func ask(_ tree: ScreenTree) -> ScreenInput? {
        guard !readsNothing, let screen = tree.active else { return nil }
        if isInteractive { showHeading(of: screen, in: tree) }
        switch screen.content {
        case .form(let fields): return ask(fields, on: screen, tree)
        case .review(let lines): return isInteractive ? confirm(lines, on: screen, tree) : nil
        case .alert(let text), .menu(let text), .message(let text):
            return isInteractive ? choose(text, on: screen, tree) : nil
        }
    }

    // MARK: Forms

    private enum Typed {
        case answer(Secret)
        case action(ScreenAction)
    }

    private func ask(_ fields: [FieldView], on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        var values: [String: Secret] = [:]
        for field in fields {
            switch ask(field, on: screen, tree) {
            case .answer(let answer): values[field.key] = answer
            case .action(let action): return ScreenInput(for: screen, action, values: values)
            case nil: return nil
            }
        }
        guard let accept = screen.actions.first else { return nil }
        return ScreenInput(for: screen, accept, values: values)
    }

    private func ask(_ field: FieldView, on screen: Screen, _ tree: ScreenTree) -> Typed? {
        guard isInteractive else { return input.readLine().map(Typed.answer) }
        if let error = field.error { Output.error("  \(error.text)") }
        if let hint = field.hint { Output.error("  \(hint)") }
        let place = screen.progress.map { "[\($0.step)/\($0.count)] " } ?? ""
        let kept = field.value.flatMap { $0.isEmpty ? nil : $0 }
        let preset = kept.map { " (Enter for \"\($0)\")" } ?? ""
        while let answer = read("\(place)\(field.label)\(preset): ", isSecret: field.isSecret) {
            if let action = Self.action(answer, of: tree) { return .action(action) }
            if let kept, answer.withBytes(\.isEmpty) { return .answer(Secret(kept)) }
            guard !field.isSecret, let word = Self.word(answer) else { return .answer(answer) }
            Output.error("  There is no \(word) here.")
        }
        return nil
    }

    /// The line that is typed at a prompt; at the end of the input, what follows begins on a line of its own.
    private func read(_ prompt: String, isSecret: Bool = false) -> Secret? {
        if isSecret { TerminalEcho.turnOff() }
        Output.prompt(prompt)
        let answer = input.readLine()
        if isSecret { TerminalEcho.restore() }
        if isSecret || input.hasEnded { Output.error("") }
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

    /// A slash and a word, which is hardly meant as an answer.
    private static func word(_ answer: Secret) -> String? {
        answer.withText { text in
            let isWord = text.dropFirst().allSatisfy { $0.isLetter || $0 == "." }
            return text.hasPrefix("/") && isWord ? text : nil
        }
    }

    // MARK: Everything else

    /// Shows a text and lets one of the actions be chosen: by its number, by its name, or the first with Enter.
    private func choose(_ text: String, on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        for line in text.split(separator: "\n") { Output.error("  \(line)") }
        let actions = screen.actions
        // Where there is nothing to do but to wait, the tab that is shown can be shown again.
        guard let first = actions.first ?? tree.actions.first else { return nil }
        if actions.count > 1 {
            for (number, action) in actions.enumerated() { Output.error("  \(number + 1)  \(action.title)") }
        }
        showWays(tree.otherTabs.map(Self.way))
        while let answer = read("[\(first.title)] ") {
            if answer.withBytes(\.isEmpty) { return ScreenInput(for: screen, first) }
            if let action = Self.action(answer, of: tree) { return ScreenInput(for: screen, action) }
            let number = answer.withText { Int($0) } ?? 0
            if (1...actions.count).contains(number) { return ScreenInput(for: screen, actions[number - 1]) }
            Output.error(actions.count > 1 ? "  Type a number from 1 to \(actions.count)." : "  Press Enter.")
        }
        return nil
    }

    /// Shows all answers before they are sent; a no is the end of the input.
    private func confirm(_ lines: [ReviewLine], on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        Output.error("Everything is answered.")
        for line in lines { Output.error("  \(line.label): \(line.value ?? "••••••••")") }
        while let answer = read("Send it now? [Y/n] ") {
            if let action = Self.action(answer, of: tree) { return ScreenInput(for: screen, action) }
            switch answer.withText({ $0.lowercased() }) {
            case "", "y", "yes": return ScreenInput(for: screen, .submit)
            case "n", "no": return nil
            default: Output.error("  Type y or n.")
            }
        }
        return nil
    }

    // MARK: Headings

    private func showHeading(of screen: Screen, in tree: ScreenTree) {
        switch screen.content {
        case .alert, .menu, .message:
            Output.error(screen.title)
            lastHeading = ""
        case .form, .review:
            let isSaved = screen.progress != nil || screen.fields.isEmpty
            let stops = isSaved ? ". Every answer is saved; Ctrl-C stops, `foyer resume` continues." : ""
            if lastHeading != screen.title + stops {
                lastHeading = screen.title + stops
                lastWays = ""
                Output.error(lastHeading)
            }
            let others = screen.actions.dropFirst() + tree.otherTabs
            showWays(others.map(Self.way))
        }
    }

    /// Shows what can be typed in place of an answer, unless it still stands there.
    private func showWays(_ ways: [String]) {
        let line = ways.joined(separator: "   ")
        if line != lastWays, !line.isEmpty { Output.error("  \(line)") }
        lastWays = lastHeading.isEmpty ? "" : line
    }

    private static func way(_ action: ScreenAction) -> String {
        action.id == ScreenAction.back.id ? "< \(action.title)" : "/\(action.id) \(action.title)"
    }
}

extension ScreenTree {
    /// What shows the tabs that are not shown.
    fileprivate var otherTabs: [ScreenAction] {
        switch self {
        case .screen, .modal: []
        case .stack(let trees): trees.last?.otherTabs ?? []
        case .tabs(let items, let selected, let shown):
            items.filter { $0.id != selected }.map(\.action) + shown.otherTabs
        }
    }
}
