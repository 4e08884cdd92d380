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
/// With handlers, not with blocked signals and a thread that waits for them: where dispatch parks the main thread of a
/// program, that thread lets every signal in. The handler does nothing but what is allowed in one.
enum SignalGuard {
    fileprivate static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Is nothing without a terminal to put back.
    static func install() {
        guard isatty(0) == 1 else { return }
        TerminalEcho.prepare()
        for number in ending {
            let before = signal(number, endBySignal)
            // What the caller ignores, as `nohup` does with SIGHUP, stays ignored.
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Ends the program as the signal does that a closed terminal sends: it may be on its way still.
    ///
    /// Returns where that signal is ignored.
    static func endByHangUp() {
        letIn(SIGHUP)
        raise(SIGHUP)
    }

    /// Ends the program as that signal does by itself.
    static func end(by number: Int32) {
        signal(number, SIG_DFL)
        letIn(number)
        raise(number)
    }

    /// Lets a signal in on this thread, where dispatch may have blocked it.
    private static func letIn(_ number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}

private nonisolated func endBySignal(_ number: Int32) {
    TerminalEcho.restoreForEver()
    signal(number, SIG_DFL)
    // It waits until this handler returns, and then ends the program.
    raise(number)
}

/// The terminal's echo, which is off only while a secret is typed.
enum TerminalEcho {
    /// `nonisolated(unsafe)`: written only while `isOff` is false, by the one task that asks; read only while it is true.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private static let isOff = Atomic(false)
    private static let isChanging = Atomic(false)
    private static let isEnding = Atomic(false)

    /// Makes everything that a signal handler needs: there, nothing can be made.
    static func prepare() {
        before.initialize(to: termios())
        restore()
        _ = isChanging.load(ordering: .sequentiallyConsistent) || isEnding.load(ordering: .sequentiallyConsistent)
    }

    /// Turns the echo off, and forgets what was typed ahead.
    static func turnOff() {
        withoutSignals {
            // Either the handler sees that a change is under way and waits for it, or the change sees the handler.
            isChanging.store(true, ordering: .sequentiallyConsistent)
            defer { isChanging.store(false, ordering: .sequentiallyConsistent) }
            guard !isEnding.load(ordering: .sequentiallyConsistent), !isOff.load(ordering: .sequentiallyConsistent),
                tcgetattr(0, before) == 0
            else { return }
            isOff.store(true, ordering: .sequentiallyConsistent)
            var mode = before.pointee
            mode.c_lflag &= ~tcflag_t(ECHO)
            // Not TCSAFLUSH, which also waits for the output: a terminal that was stopped would hold up a signal.
            tcsetattr(0, TCSANOW, &mode)
            tcflush(0, TCIFLUSH)
        }
    }

    /// Puts the terminal back to what it was.
    static func restore() {
        guard isOff.load(ordering: .sequentiallyConsistent) else { return }
        tcsetattr(0, TCSANOW, before)
        isOff.store(false, ordering: .sequentiallyConsistent)
    }

    /// Puts the terminal back, and lets nobody turn the echo off again: for a signal handler.
    fileprivate static func restoreForEver() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        while isChanging.load(ordering: .sequentiallyConsistent) {}
        if isOff.load(ordering: .sequentiallyConsistent) { tcsetattr(0, TCSANOW, before) }
    }

    /// On this thread no signal's handler runs meanwhile, which would wait for ever for what it interrupted.
    private static func withoutSignals(_ body: () -> Void) {
        var signals = sigset_t(), mask = sigset_t()
        sigemptyset(&signals)
        for signal in SignalGuard.ending { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
        body()
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
