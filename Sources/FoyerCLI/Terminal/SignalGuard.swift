import FoyerPlatform

/// Lets a signal end the program by that signal, after the terminal was put back.
///
/// With handlers, not with blocked signals and a thread that waits for them: where dispatch parks the main thread of a
/// program, that thread lets every signal in. The handler does nothing but what is allowed in one.
enum SignalGuard {
    static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Is nothing without a terminal to put back.
    static func install() {
        guard isatty(0) == 1 else { return }
        TerminalMode.prepare()
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

    /// Stops the program as Ctrl-Z does by itself, until it is continued.
    static func stop() {
        let before = signal(SIGTSTP, SIG_DFL)
        letIn(SIGTSTP)
        raise(SIGTSTP)
        signal(SIGTSTP, before)
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
    TerminalMode.restoreForEver()
    signal(number, SIG_DFL)
    // It waits until this handler returns, and then ends the program.
    raise(number)
}
