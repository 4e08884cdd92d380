import Glibc

/// One run of a program on three pipes, all served by one thread: however much is written, nobody waits for another.
final class PipedRun {
    private let program: Program
    private let child: Child
    private let stdin: Descriptor
    private let stdout: Descriptor
    private let stderr: Descriptor
    private var unwritten: ArraySlice<UInt8> = []
    private var output: [UInt8] = []
    private var errors: [UInt8] = []

    init(_ program: Program, input: Program.Input) throws {
        self.program = program
        let (stdin, stdout, stderr) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        child = try Child(program) { actions in
            switch input {
            case .bytes: posix_spawn_file_actions_adddup2(&actions, stdin.reading.number, 0)
            case .closed: posix_spawn_file_actions_addclose(&actions, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, stdout.writing.number, 1)
            posix_spawn_file_actions_adddup2(&actions, stderr.writing.number, 2)
        }
        (self.stdin, self.stdout, self.stderr) = (stdin.writing, stdout.reading, stderr.reading)
        [stdin.reading, stdout.writing, stderr.writing].forEach { $0.close() }
        if case .bytes(let bytes) = input { unwritten = bytes[...] }
        if unwritten.isEmpty { self.stdin.close() }
        try self.stdin.isOpen ? self.stdin.doNotBlock() : ()
    }

    /// Serves the pipes until the program has ended.
    func finish(within limit: Duration) throws -> Program.Finished {
        let deadline = Deadline(after: limit)
        while stdout.isOpen || stderr.isOpen {
            if deadline.hasPassed { break }
            // A pipe can outlive the program in the hands of what it started: then the program's own end counts.
            if try !servePipes(for: deadline.tick), child.exitIfEnded() != nil { break }
        }
        guard let exit = child.waitForExit(until: deadline) else {
            child.killGroup()
            throw Failure(
                """
                \(program.commandLine) was killed after \(limit).
                stdout: \(String(decoding: output, as: UTF8.self))
                stderr: \(String(decoding: errors, as: UTF8.self))
                """)
        }
        return Program.Finished(
            exit: exit, stdout: String(decoding: output, as: UTF8.self), stderr: String(decoding: errors, as: UTF8.self)
        )
    }

    /// Waits up to so many milliseconds and moves what can be moved; false if nothing could.
    private func servePipes(for milliseconds: Int32) throws -> Bool {
        var pipes = [
            pollfd(fd: stdin.number, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: stdout.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stderr.number, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&pipes, nfds_t(pipes.count), milliseconds)
        guard ready >= 0 || errno == EINTR else { throw Failure(call: "poll") }
        guard ready > 0 else { return ready < 0 }
        if pipes[0].revents != 0 {
            unwritten = stdin.writeAvailable(unwritten)
            if unwritten.isEmpty { stdin.close() }
        }
        if pipes[1].revents != 0 { stdout.readAvailable(into: &output) }
        if pipes[2].revents != 0 { stderr.readAvailable(into: &errors) }
        return true
    }
}
