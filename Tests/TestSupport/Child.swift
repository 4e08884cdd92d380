import CPseudoTerminal
import Glibc
import Synchronization

/// A spawned program that leads its own session and process group, so that a test can end all of it.
///
/// A session of its own also takes the terminal away on which the tests themselves may run: a program that opens
/// `/dev/tty` finds none, or the pseudo-terminal that it is given.
final class Child: Sendable {
    let process: pid_t
    private let exit = Mutex<Exit?>(nil)

    /// Spawns the program with the standard descriptors that `arrange` sets up, and no other.
    init(_ program: Program, arrange: (inout posix_spawn_file_actions_t) -> Void) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        arrange(&actions)
        cpt_spawn_close_from(&actions, 3)
        if let folder = program.folder { cpt_spawn_in_folder(&actions, folder) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | cpt_spawn_in_own_session()
        posix_spawnattr_setflags(&attributes, flags)

        var process: pid_t = 0
        let error = withCStrings([program.executable] + program.arguments) { arguments in
            withCStrings(program.completeEnvironment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&process, program.executable, &actions, &attributes, arguments, environment)
            }
        }
        guard error == 0 else { throw Failure(call: "spawn of \(program.executable)", error: error) }
        self.process = process
    }

    deinit {
        guard exit.withLock({ $0 == nil }) else { return }
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }

    /// Sends a signal to the program alone; nothing happens when it has ended.
    func signal(_ number: Int32) {
        // Under the lock the process cannot be reaped, so its number cannot belong to someone else.
        exit.withLock { if $0 == nil { kill(process, number) } }
    }

    /// Kills the program and everything in its process group.
    func killGroup() {
        exit.withLock { if $0 == nil { kill(-process, SIGKILL) } }
    }

    /// How the program ended; nil while it runs. What it left running in its process group is killed.
    func exitIfEnded() -> Exit? {
        exit.withLock { exit in
            if let exit { return exit }
            var information = siginfo_t()
            let answer = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
            guard answer == 0, information.si_signo == SIGCHLD else { return nil }
            kill(-process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            exit = Exit(waitStatus: status)
            return exit
        }
    }

    /// Waits for the end of a program whose output has ended already, which is a matter of microseconds as a rule.
    func waitForExit(until deadline: Deadline) -> Exit? {
        while true {
            if let exit = exitIfEnded() { return exit }
            if deadline.hasPassed { return nil }
            poll(nil, 0, 1)
        }
    }
}

/// Calls `body` with the strings as C wants them: an array that ends with NULL.
private func withCStrings<Value>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
