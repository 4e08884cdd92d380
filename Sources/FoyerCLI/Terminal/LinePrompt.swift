import Foyer
import FoyerPlatform

/// Asks for one line after another at the terminal: with keys to edit it where the window can be redrawn, and with the
/// terminal's own line elsewhere.
///
/// Of several lines that are pasted the first answers this prompt and the others the next ones, as on a pipe. None of
/// them ever answers a prompt for a secret, and what is pasted there behind the first line is forgotten: it may belong
/// to the secret, and the next prompt would show it.
@MainActor
final class LinePrompt {
    enum Reply {
        case line(Secret)
        /// The Escape key, where it was asked for.
        case back
    }

    /// How long the bytes of one key may be apart, in milliseconds: over a network they may come in two packets.
    private static let keyTime: Int32 = 100
    /// How long the rest of a paste may take to come, in milliseconds.
    private static let pasteTime: Int32 = 300
    private static let controlD: UInt8 = 0x04
    private static let controlL: UInt8 = 0x0C

    private let input: StandardInput
    private var decoder = KeyDecoder()

    init(_ input: StandardInput = StandardInput()) {
        self.input = input
    }

    /// The line that is typed, in which `preset` stands at first; nil at the end of the input.
    ///
    /// A preset is shown only where the line can be edited.
    func ask(_ prompt: String, preset: String = "", canGoBack: Bool = false) -> Reply? {
        guard TerminalWindow.canBeRedrawn else {
            Output.prompt(prompt)
            return closed(input.readLine())
        }
        var field = Field(view: LineView(prompt: prompt), line: EditedLine(preset))
        open(&field, isSecret: false)
        defer { close(&field) }
        while let event = nextEvent(in: &field) {
            switch event {
            case .enter: return .line(Secret(field.line.text))
            case .escape: if canGoBack { return .back }
            case .text(let byte): field.line.type(byte)
            case .change(let change): field.line.change(change)
            case .control(Self.controlD):
                let isUntouched = field.line.isEmpty || field.line == EditedLine(preset)
                if isUntouched { input.end() } else { field.line.change(.deleteForward) }
            case .control(Self.controlL): Output.draw(field.view.redraw(field.line, columns: TerminalWindow.columns))
            case .control(let byte): if let change = EditedLine.Change(control: byte) { field.line.change(change) }
            }
            if input.hasEnded { return nil }
        }
        return nil
    }

    /// The secret that is typed, of which nothing is shown; nil at the end of the input.
    func askSecret(_ prompt: String, canGoBack: Bool = false) -> Reply? {
        guard TerminalWindow.canBeRedrawn else {
            TerminalMode.enter(.hidden, flushing: true)
            Output.prompt(prompt)
            let line = input.readLine()
            TerminalMode.restore()
            Output.error("")
            return line.map(Reply.line)
        }
        var field = Field(view: LineView(prompt: prompt), line: EditedLine())
        var secret = SecretBytes(capacity: 256)
        open(&field, isSecret: true)
        defer {
            if decoder.isPasting { forgetPaste() }
            close(&field)
        }
        while let event = nextEvent(in: &field) {
            switch event {
            case .enter: return .line(Secret(secret))
            case .escape: if canGoBack { return .back }
            case .control(Self.controlD): if secret.count == 0 { input.end() }
            case .control(let byte): secret.change(by: byte)
            case .text(let byte): if secret.count < EditedLine.longest { secret.append(byte) }
            case .change: break
            }
            if input.hasEnded { return nil }
        }
        return nil
    }

    /// At the end of the input, what follows begins on a line of its own.
    private func closed(_ line: Secret?) -> Reply? {
        if input.hasEnded { Output.error("") }
        return line.map(Reply.line)
    }

    // MARK: The field on the screen

    private struct Field {
        var view: LineView
        var line: EditedLine
        var isSecret = false
    }

    private func open(_ field: inout Field, isSecret: Bool) {
        field.isSecret = isSecret
        SelfPipe.begin()
        TerminalMode.enter(.keys, flushing: isSecret)
        if isSecret { forgetPaste() }
        show(&field)
    }

    private func show(_ field: inout Field) {
        Output.draw(field.view.open(field.line, columns: TerminalWindow.columns) + TerminalMode.pasteMarksOn)
    }

    private func close(_ field: inout Field) {
        // Pasted lines that follow stay marked as such: the marks are asked for again at the next prompt.
        Output.draw(field.view.update(field.line, columns: TerminalWindow.columns) + TerminalMode.pasteMarksOff)
        TerminalMode.restore()
        SelfPipe.end()
        Output.error("")
    }

    /// Forgets what was typed or pasted before, and what of that is still on its way.
    private func forgetPaste() {
        while true {
            while let byte = input.takeByte() { _ = decoder.take(byte) }
            guard decoder.isPasting, case .bytes = input.wait(upTo: Self.pasteTime) else { break }
        }
        input.forget()
        decoder = KeyDecoder()
    }

    /// Forgets what was typed or pasted ahead: the lines that follow one that was not taken were meant for other prompts.
    func forgetTypedAhead() {
        forgetPaste()
        tcflush(0, TCIFLUSH)
    }

    // MARK: Keys

    /// The next key; the line is drawn while none is there. Nil at the end of the input.
    private func nextEvent(in field: inout Field) -> KeyDecoder.Key? {
        while true {
            while let byte = input.takeByte() {
                if let key = decoder.take(byte) { return key }
            }
            Output.draw(field.view.update(field.line, columns: TerminalWindow.columns))
            switch input.wait(upTo: decoder.isHalfway ? Self.keyTime : -1) {
            case .bytes: continue
            case .nothing: if let key = decoder.giveUp() { return key }
            case .signal(let number): handle(number, &field)
            case .end: return nil
            }
        }
    }

    private func handle(_ number: Int32, _ field: inout Field) {
        switch number {
        case SIGTSTP:
            Output.draw(TerminalMode.pasteMarksOff)
            TerminalMode.restore()
            SignalGuard.stop()
            TerminalMode.enter(.keys, flushing: field.isSecret)
            show(&field)
        case SIGCONT:
            guard TerminalMode.wasTakenAway() else { return }
            TerminalMode.enter(.keys, flushing: field.isSecret)
            show(&field)
        default: Output.draw(field.view.redraw(field.line, columns: TerminalWindow.columns))
        }
    }
}

extension SecretBytes {
    /// What Backspace, Ctrl-U and Ctrl-W do; any other control is taken, for the rules to refuse.
    fileprivate mutating func change(by control: UInt8) {
        switch EditedLine.Change(control: control) {
        case .deleteBack:
            // All bytes of one character: those behind its first are of this form.
            while withBytes(\.last).map({ $0 & 0xC0 == 0x80 }) == true { removeLast() }
            removeLast()
        // A word of a secret is not told from its neighbours.
        case .deleteToStart, .deleteWordBack: while count > 0 { removeLast() }
        default: append(control)
        }
    }
}
