import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Lets a signal end the program by that signal, after the terminal was put back.
///
/// The signals are blocked for every thread, and one thread waits for them: nothing of ours runs inside a signal
/// handler, where hardly anything is allowed.
enum SignalGuard {
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Has to run before the program has a second thread, and is nothing without a terminal to put back.
    static func install() {
        guard isatty(0) == 1 else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        // What the caller ignores, as `nohup` does with SIGHUP, stays ignored.
        for signal in ending where !isIgnored(signal) { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        startThread(waitingFor: signals)
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        #if canImport(Darwin)
        return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        #else
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        #endif
    }

    private static func startThread(waitingFor signals: sigset_t) {
        let argument = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
        argument.initialize(to: signals)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        pthread_create(&thread, nil, { @Sendable argument in waitForSignal(argument) }, argument)
    }
}

private nonisolated func waitForSignal(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let signals = argument.assumingMemoryBound(to: sigset_t.self)
    var received: Int32 = 0
    while sigwait(signals, &received) != 0 {}
    TerminalEcho.restore()
    signal(received, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, signals, nil)
    raise(received)
    return nil
}

/// The terminal's echo, which is off only while a secret is typed.
enum TerminalEcho {
    private static let before = Mutex<termios?>(nil)

    /// Turns the echo off, and forgets what was typed ahead.
    static func turnOff() {
        before.withLock { before in
            var mode = termios()
            guard before == nil, tcgetattr(0, &mode) == 0 else { return }
            before = mode
            mode.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(0, TCSAFLUSH, &mode)
        }
    }

    /// Puts the terminal back to what it was.
    static func restore() {
        before.withLock { before in
            guard var mode = before else { return }
            tcsetattr(0, TCSANOW, &mode)
            before = nil
        }
    }
}
