import Glibc
import Synchronization

/// A program on pipes that answers line by line, as another program talks with it; what it tells people is dropped.
public final class Dialogue: Sendable {
    private let program: Program
    private let child: Child
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let input: Descriptor
        let output: Descriptor
        var unread: [UInt8] = []
    }

    /// Starts the program.
    public init(_ program: Program) throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        self.program = program
        child = try Child(program) { actions in
            posix_spawn_file_actions_adddup2(&actions, input.reading.number, 0)
            posix_spawn_file_actions_adddup2(&actions, output.writing.number, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        input.reading.close()
        output.writing.close()
        state = Mutex(State(input: input.writing, output: output.reading))
    }

    /// The number of the program's process.
    public var process: Int32 { child.process }

    /// Sends a signal to the program, not to what it started.
    public func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Sends a line and gives the next one that the program writes.
    public func answer(to line: String, within limit: Duration = .seconds(20)) async throws -> String {
        try await send(line)
        return try await nextLine(within: limit)
    }

    /// Sends a line, and does not wait for what becomes of it.
    public func send(_ line: String) async throws {
        try await onOwnThread { [self] in
            let left = state.withLock { $0.input.writeAvailable(Array((line + "\n").utf8)[...]) }
            guard left.isEmpty else { throw Failure("\(program.commandLine) takes no more input") }
        }
    }

    /// The next line that the program writes, without its end.
    public func nextLine(within limit: Duration = .seconds(20)) async throws -> String {
        try await onOwnThread { [self] in
            let deadline = Deadline(after: limit)
            while !deadline.hasPassed {
                if let line = takeLine() { return line }
                guard readOutput(for: deadline.tick) else { break }
            }
            throw Failure("\(program.commandLine) wrote no line within \(limit)")
        }
    }

    /// Ends the program's input, and goes on reading what it writes.
    public func closeInput() async throws {
        try await onOwnThread { [self] in state.withLock { $0.input.close() } }
    }

    /// Kills the program, and waits for its end.
    public func kill(within limit: Duration = .seconds(20)) async throws {
        child.signal(SIGKILL)
        _ = try await end(within: limit)
    }

    /// Ends the input, and waits for the program's end.
    public func end(within limit: Duration = .seconds(20)) async throws -> Exit {
        try await onOwnThread { [self] in
            let deadline = Deadline(after: limit)
            state.withLock { $0.input.close() }
            while !deadline.hasPassed, readOutput(for: deadline.tick) {}
            guard let exit = child.waitForExit(until: deadline) else {
                throw Failure("\(program.commandLine) did not end within \(limit)")
            }
            return exit
        }
    }

    private func takeLine() -> String? {
        state.withLock { state in
            guard let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { state.unread.removeFirst(end + 1) }
            return String(decoding: state.unread[..<end], as: UTF8.self)
        }
    }

    /// Waits up to so many milliseconds for output; false when there will be none any more.
    private func readOutput(for milliseconds: Int32) -> Bool {
        let number = state.withLock { $0.output.number }
        guard number >= 0 else { return false }
        var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return true }
        return state.withLock { state in
            state.output.readAvailable(into: &state.unread)
            return state.output.isOpen
        }
    }
}
