import CPseudoTerminal
import Glibc
import Synchronization

/// A program on a terminal of its own, as a person at a keyboard would use it.
///
/// Expect before you send: what is typed ahead of a prompt may be echoed by the terminal, or thrown away.
public final class PseudoTerminal: Sendable {
    private let program: Program
    private let child: Child
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let master: Descriptor
        var seen: [UInt8] = []
        var screen: TerminalScreen
        /// Where the next `expect` starts to look.
        var mark = 0
    }

    /// Starts the program; the terminal is its standard input, output, error and its controlling terminal.
    public init(_ program: Program, rows: UInt16 = 24, columns: UInt16 = 80) throws {
        var path = [CChar](repeating: 0, count: 128)
        let master = Descriptor(cpt_open(&path, path.count))
        guard master.isOpen else { throw Failure(call: "posix_openpt") }
        guard cpt_set_size(master.number, rows, columns) == 0 else { throw Failure(call: "TIOCSWINSZ") }
        try master.doNotBlock()
        self.program = program
        child = try Child(program) { actions in
            // The first terminal that the leader of a session opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        state = Mutex(State(master: master, screen: TerminalScreen(columns: Int(columns))))
    }

    deinit {
        child.killGroup()
    }

    /// The number of the program's process.
    public var process: Int32 { child.process }

    /// All that the terminal has shown so far, as far as an `expect` or `wait` has read it.
    public var transcript: String { state.withLock { String(decoding: $0.seen, as: UTF8.self) } }

    /// What a person sees of that.
    public var screen: TerminalScreen { state.withLock { $0.screen } }

    /// Whether the terminal shows what is typed; also right after the program was killed.
    public var echoIsOn: Bool {
        get throws { try settings.c_lflag & tcflag_t(ECHO) != 0 }
    }

    /// Whether the terminal edits lines by itself, and gives the program whole ones.
    public var givesLines: Bool {
        get throws { try settings.c_lflag & tcflag_t(ICANON) != 0 }
    }

    private var settings: termios {
        get throws {
            var settings = termios()
            guard state.withLock({ tcgetattr($0.master.number, &settings) }) == 0 else {
                throw Failure(call: "tcgetattr")
            }
            return settings
        }
    }

    /// Types text; Return is `\r`, Ctrl-C is `\u{3}`, Ctrl-D is `\u{4}`.
    public func send(_ text: String) throws {
        try send(bytes: Array(text.utf8))
    }

    /// Types bytes, which need not be whole characters.
    public func send(bytes: [UInt8]) throws {
        let left = state.withLock { $0.master.writeAvailable(bytes[...]) }
        guard left.isEmpty else { throw Failure("the terminal of \(program.commandLine) takes no more input") }
    }

    /// Sends a signal to the program, not to what it started.
    public func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Changes the size of the window, of which the program is told.
    public func resize(rows: UInt16, columns: UInt16) throws {
        guard state.withLock({ cpt_set_size($0.master.number, rows, columns) }) == 0 else {
            throw Failure(call: "TIOCSWINSZ")
        }
        state.withLock { $0.screen.columns = Int(columns) }
    }

    /// Takes the terminal away, as a closed window does: the program gets SIGHUP, and reads find the end.
    public func closeTerminal() {
        state.withLock { $0.master.close() }
    }

    /// Waits until the terminal shows the text after what the last `expect` found.
    public func expect(_ text: String, within limit: Duration = .seconds(30)) async throws {
        try await onOwnThread { [self] in
            let deadline = Deadline(after: limit)
            while true {
                // Asked before the output is read: what an ended program wrote is there to be read by then.
                let exit = child.exitIfEnded()
                let output = readOutput(for: deadline.tick)
                if find(Array(text.utf8)) { return }
                if output == .ended || (output == .silent && exit != nil) {
                    throw failure("ended without", text, exit: child.waitForExit(until: deadline))
                }
                if deadline.hasPassed { throw failure("did not show within \(limit)", text, exit: exit) }
            }
        }
    }

    /// Waits until what a person sees is as it should be.
    public func expect(
        within limit: Duration = .seconds(30), where isRight: @escaping @Sendable (TerminalScreen) -> Bool
    ) async throws {
        try await onOwnThread { [self] in
            let deadline = Deadline(after: limit)
            while !isRight(screen) {
                let exit = child.exitIfEnded()
                let output = readOutput(for: deadline.tick)
                if isRight(screen) { return }
                if output == .ended || (output == .silent && exit != nil) || deadline.hasPassed {
                    throw failure("did not show what it should:\n\(screen.text)", nil, exit: exit)
                }
            }
        }
    }

    /// Reads what is left of the output and waits for the program's end; after `limit` the program is killed.
    @discardableResult
    public func wait(within limit: Duration = .seconds(30)) async throws -> Exit {
        try await onOwnThread { [self] in
            let deadline = Deadline(after: limit)
            while !deadline.hasPassed {
                let hasExited = child.exitIfEnded() != nil
                let output = readOutput(for: deadline.tick)
                if output == .ended || (output == .silent && hasExited) { break }
            }
            if let exit = child.waitForExit(until: deadline) { return exit }
            child.killGroup()
            throw failure("was killed: it did not end within \(limit)", nil, exit: nil)
        }
    }

    private enum Output { case some, silent, ended }

    /// Waits up to so many milliseconds for output. It ends when nobody has the terminal open any more.
    private func readOutput(for milliseconds: Int32) -> Output {
        let master = state.withLock { $0.master.number }
        guard master >= 0 else { return .ended }
        var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return .silent }
        return state.withLock { state in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(state.master.number, &buffer, buffer.count)
            if count > 0 {
                state.seen += buffer[..<count]
                state.screen.feed(buffer[..<count])
                return .some
            }
            // Not closed here: the settings of the terminal can still be asked for.
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .silent : .ended
        }
    }

    /// Looks for the bytes after the mark and moves the mark behind them.
    private func find(_ wanted: [UInt8]) -> Bool {
        state.withLock { state in
            guard let found = state.seen[state.mark...].firstRange(of: wanted) else { return false }
            state.mark = found.upperBound
            return true
        }
    }

    private func failure(_ problem: String, _ wanted: String?, exit: Exit?) -> Failure {
        let unmatched = state.withLock { String(decoding: $0.seen[$0.mark...], as: UTF8.self) }
        return Failure(
            """
            \(program.commandLine) \(problem)\(wanted.map { " \($0.debugDescription)" } ?? "")
            since the last match: \(unmatched.debugDescription)
            all of it: \(transcript.debugDescription)
            exit: \(exit.map { "\($0)" } ?? "still running")
            """)
    }
}
