import Foyer

/// Draws a screen and asks for its input: the only part of the program that knows how a person answers.
@MainActor
final class ScreenPresenter {
    private let input = StandardInput()
    private let prompt: LinePrompt
    private let isInteractive: Bool
    private let readsNothing: Bool
    /// The password that was handed over, until it is asked for.
    private var password: Secret?
    /// What is still to be read above the form; nothing after another kind of screen.
    private var lastHeading = ""
    private var lastWays = ""

    init(options: Options) {
        prompt = LinePrompt(input)
        isInteractive = StandardInput.isTerminal && !options.noInput
        readsNothing = StandardInput.isTerminal && options.noInput
        password = options.password?.take(from: input)
    }

    /// Whether a person is there to correct what was refused.
    var canCorrect: Bool { isInteractive }
    /// Whether nothing will be typed any more.
    var hasEnded: Bool { readsNothing || input.hasEnded }

    /// Takes nothing that was typed before the next prompt, because what was typed last was not taken.
    func forgetTypedAhead() {
        if isInteractive { prompt.forgetTypedAhead() }
    }

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
        /// Back to the field above, on the same screen.
        case fieldAbove

        /// The input of an action.
        func input(for screen: Screen) -> ScreenInput? {
            guard case .action(let action) = self else { return nil }
            return ScreenInput(for: screen, action)
        }
    }

    private func ask(_ fields: [FieldView], on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        var values: [String: Secret] = [:]
        var position = 0
        while position < fields.count {
            let field = fields[position]
            switch ask(field, after: values[field.key], isFirst: position == 0, on: screen, tree) {
            case .answer(let answer):
                values[field.key] = answer
                position += 1
            case .fieldAbove: position -= 1
            case .action(let action): return ScreenInput(for: screen, action, values: values)
            case nil: return nil
            }
        }
        guard let accept = screen.actions.first else { return nil }
        return ScreenInput(for: screen, accept, values: values)
    }

    /// Asks for one field, in which `earlier` was entered before on this screen.
    private func ask(
        _ field: FieldView, after earlier: Secret?, isFirst: Bool, on screen: Screen, _ tree: ScreenTree
    ) -> Typed? {
        if field.isSecret, let given = password.take() { return .answer(given) }
        guard isInteractive else { return input.readLine().map(Typed.answer) }
        if let error = field.error { say("  \(error.text)") }
        if let hint = field.hint { say("  \(hint)") }
        let place = screen.progress.map { "[\($0.step)/\($0.count)] " } ?? ""
        // Where the line cannot be edited, Enter alone gives the earlier answer again.
        let preset = field.isSecret ? "" : earlier.map { String(revealing: $0) } ?? field.value ?? ""
        let kept = TerminalWindow.canBeRedrawn || preset.isEmpty ? nil : preset
        let label = "\(place)\(field.label)\(kept.map { " (Enter for \"\($0)\")" } ?? ""): "
        while let typed = read(
            label, on: tree, preset: preset, isSecret: field.isSecret, isFirst: isFirst)
        {
            guard case .answer(let answer) = typed else { return typed }
            if let kept, answer.isEmpty { return .answer(Secret(kept)) }
            guard !field.isSecret, let word = Self.word(answer) else { return .answer(answer) }
            say("  There is no \(word) here.")
            forgetTypedAhead()
        }
        return nil
    }

    /// What is typed at a prompt: an answer, or something else to do.
    private func read(
        _ label: String, on tree: ScreenTree, preset: String = "", isSecret: Bool = false, isFirst: Bool = true
    ) -> Typed? {
        let back = isFirst ? tree.actions.first { $0.id == ScreenAction.back.id }.map(Typed.action) : .fieldAbove
        let reply =
            isSecret
            ? prompt.askSecret(label, canGoBack: back != nil)
            : prompt.ask(label, preset: preset, canGoBack: back != nil)
        switch reply {
        case .line(let line):
            if line.isText("<"), let back { return back }
            return tree.actions.first { line.isText("/\($0.id)") }.map(Typed.action) ?? .answer(line)
        case .back: return back
        case nil: return nil
        }
    }

    /// A slash and a word, which is hardly meant as an answer.
    private static func word(_ answer: Secret) -> String? {
        let text = String(revealing: answer)
        let isWord = text.dropFirst().allSatisfy { $0.isLetter || $0 == "." }
        return text.hasPrefix("/") && isWord ? text : nil
    }

    // MARK: Everything else

    /// Shows a text and lets one of the actions be chosen: by its number, by its name, or the first with Enter.
    private func choose(_ text: String, on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        for line in text.split(separator: "\n") { say("  \(line)") }
        let actions = screen.actions
        // Where there is nothing to do but to wait, the tab that is shown can be shown again.
        guard let first = actions.first ?? tree.actions.first else { return nil }
        if actions.count > 1 {
            for (number, action) in actions.enumerated() { say("  \(number + 1)  \(action.title)") }
        }
        showWays(tree.otherTabs.map(Self.way))
        while let typed = read("[\(first.title)] ", on: tree) {
            guard case .answer(let answer) = typed else { return typed.input(for: screen) }
            if answer.isEmpty { return ScreenInput(for: screen, first) }
            let number = Int(String(revealing: answer)) ?? 0
            if (1...actions.count).contains(number) { return ScreenInput(for: screen, actions[number - 1]) }
            say(actions.count > 1 ? "  Type a number from 1 to \(actions.count)." : "  Press Enter.")
            forgetTypedAhead()
        }
        return nil
    }

    /// Shows all answers before they are sent; a no is the end of the input.
    private func confirm(_ lines: [ReviewLine], on screen: Screen, _ tree: ScreenTree) -> ScreenInput? {
        say("Everything is answered.")
        for line in lines { say("  \(line.label): \(line.value ?? "••••••••")") }
        while let typed = read("Send it now? [Y/n] ", on: tree) {
            guard case .answer(let answer) = typed else { return typed.input(for: screen) }
            switch String(revealing: answer).lowercased() {
            case "", "y", "yes": return ScreenInput(for: screen, .submit)
            case "n", "no": return nil
            default:
                say("  Type y or n.")
                forgetTypedAhead()
            }
        }
        return nil
    }

    // MARK: Headings

    private func showHeading(of screen: Screen, in tree: ScreenTree) {
        switch screen.content {
        case .alert, .menu, .message:
            say(screen.title)
            lastHeading = ""
        case .form, .review:
            let isSaved = screen.progress != nil || screen.fields.isEmpty
            let stops = isSaved ? ". Every answer is saved; Ctrl-C stops, `foyer resume` continues." : ""
            if lastHeading != screen.title + stops {
                lastHeading = screen.title + stops
                lastWays = ""
                say(lastHeading)
            }
            let others = screen.actions.dropFirst() + tree.otherTabs
            showWays(others.map(Self.way))
        }
    }

    /// Shows what can be typed in place of an answer, unless it still stands there.
    private func showWays(_ ways: [String]) {
        let line = ways.joined(separator: "   ")
        if line != lastWays, !line.isEmpty { Output.error(Self.lines(of: ways)) }
        lastWays = lastHeading.isEmpty ? "" : line
    }

    /// As many ways side by side as the window has room for.
    private static func lines(of ways: [String]) -> String {
        var lines: [String] = []
        for way in ways {
            let longer = lines.last.map { "\($0)   \(way)" }
            if let longer, !TerminalWindow.canBeRedrawn || DisplayWidth.of(longer) < TerminalWindow.columns {
                lines[lines.count - 1] = longer
            } else {
                lines.append("  \(way)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Writes a line, or several where the window is too narrow.
    private func say(_ text: String) {
        Output.error(TerminalWindow.canBeRedrawn ? text.wrapped(to: TerminalWindow.columns - 1) : text)
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
