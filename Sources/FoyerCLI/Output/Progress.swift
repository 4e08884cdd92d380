import Foyer
import Synchronization

/// Tells on standard error how far something has come that takes longer than a moment: a line that is drawn anew on a
/// terminal and gone before the results; elsewhere a plain line every few seconds.
final class Progress: Sendable {
    /// What is known of the work.
    struct Status: Equatable {
        let what: String
        var done = 0
        var total: Int?

        /// The whole line; a bar where there is room for one.
        func line(_ style: Style) -> String {
            guard let total, total > 0 else { return done > 0 ? "\(what): \(done)" : "\(what)\(style.ellipsis)" }
            let share = min(100, max(0, done * 100 / total))
            if style.isAccessible { return "\(what): \(share) percent done." }
            let count = total > 1000 ? "" : "  \(min(done, total)) of \(total)"
            guard style.canRedraw else { return "\(what): \(share) %\(count)" }
            let full = share * Self.barWidth / 100
            let bar =
                String(repeating: style.ornament("█", "#"), count: full)
                + String(repeating: style.ornament("░", "."), count: Self.barWidth - full)
            let line = "\(what)  \(bar)  \(share) %\(count)"
            // The last column stays free, where some terminals begin a new line.
            let room = (style.columns ?? 80) - 1
            return DisplayWidth.of(line) <= room
                ? line : DisplayWidth.fitted("\(what): \(share) %", room, style.ellipsis)
        }

        private static let barWidth = 24
    }

    private struct State {
        var status: Status
        /// What stands on the terminal; nil when nothing does.
        var drawn: String?
        /// Somebody is asked: what they see and type stays as it is.
        var isHeld = false
        var hasEnded = false
    }

    private static let current = Mutex<Progress?>(nil)
    private let state: Mutex<State>
    private let style: Style

    private init(_ what: String, _ style: Style) {
        self.style = style
        state = Mutex(State(status: Status(what: what)))
    }

    /// Does some work and shows meanwhile how it goes. With `--json` nothing is shown but on a terminal of its own.
    @MainActor
    static func showing<T>(
        _ what: String, _ options: Options, _ work: (Progress) async throws -> T
    ) async throws -> T {
        let progress = Progress(what, Output.errorStyle)
        let isQuiet = options.json && (Output.isTerminal || !Output.errorStyle.isTerminal)
        let teller = isQuiet ? nil : Task.detached { await progress.tell() }
        current.withLock { $0 = progress }
        defer {
            teller?.cancel()
            progress.end()
            current.withLock { $0 = nil }
        }
        return try await work(progress)
    }

    /// Notes how far the work has come; from any thread, and as often as one likes.
    func update(_ done: Int, of total: Int?) {
        state.withLock {
            $0.status.done = done
            $0.status.total = total
        }
    }

    /// Takes the line away, so that something else can be written there; where it stays, until the next call.
    static func makeRoom(staying: Bool = false) {
        guard let progress = current.withLock({ $0 }) else { return }
        progress.state.withLock { state in
            Self.erase(&state)
            state.isHeld = staying
        }
    }

    private func tell() async {
        try? await Task.sleep(for: style.canRedraw ? .milliseconds(100) : .seconds(2))
        while !Task.isCancelled {
            show()
            try? await Task.sleep(for: style.canRedraw ? .milliseconds(100) : .seconds(5))
        }
    }

    private func show() {
        var style = style
        if style.isTerminal { style.columns = Style.columns(of: 2) }
        state.withLock { state in
            guard !state.hasEnded, !state.isHeld else { return }
            let line = PrintableText.escaped(state.status.line(style))
            guard state.drawn != line else { return }
            Output.draw(style.canRedraw ? "\r\(line)\u{1B}[K" : line + "\n")
            if style.canRedraw { state.drawn = line }
        }
    }

    private func end() {
        state.withLock { state in
            Self.erase(&state)
            state.hasEnded = true
        }
    }

    private static func erase(_ state: inout State) {
        guard state.drawn != nil else { return }
        Output.draw("\r\u{1B}[K")
        state.drawn = nil
    }
}
