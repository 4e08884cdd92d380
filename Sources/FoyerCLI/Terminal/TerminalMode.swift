import FoyerPlatform
import Synchronization

/// How the terminal takes what is typed, which is changed only while somebody is asked.
enum TerminalMode {
    enum Kind {
        /// The terminal's own line, without its echo.
        case hidden
        /// Every key at once, without echo; the keys that send signals still do.
        case keys
    }

    /// What asks a terminal to mark what is pasted, and what ends that.
    static let pasteMarksOn = "\u{1B}[?2004h"
    static let pasteMarksOff = "\u{1B}[?2004l"

    /// `nonisolated(unsafe)`: written only while `isOn` is false, by the one task that asks; read only while it is true.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private static let isOn = Atomic(false)
    private static let takesKeys = Atomic(false)
    private static let isChanging = Atomic(false)
    private static let isEnding = Atomic(false)

    /// Makes everything that a signal handler needs: there, nothing can be made.
    static func prepare() {
        before.initialize(to: termios())
        restore()
        _ = isChangingNow || isEndingNow || takesKeys.load(ordering: .sequentiallyConsistent)
    }

    private static var isChangingNow: Bool { isChanging.load(ordering: .sequentiallyConsistent) }
    private static var isEndingNow: Bool { isEnding.load(ordering: .sequentiallyConsistent) }

    /// Changes the terminal, and forgets what was typed ahead if a secret is to be typed.
    static func enter(_ kind: Kind, flushing: Bool) {
        waitForTheForeground()
        withoutSignals {
            // Either the handler sees that a change is under way and waits for it, or the change sees the handler.
            isChanging.store(true, ordering: .sequentiallyConsistent)
            defer { isChanging.store(false, ordering: .sequentiallyConsistent) }
            guard !isEndingNow, !isOn.load(ordering: .sequentiallyConsistent), tcgetattr(0, before) == 0 else { return }
            takesKeys.store(kind == .keys, ordering: .sequentiallyConsistent)
            isOn.store(true, ordering: .sequentiallyConsistent)
            var mode = before.pointee
            mode.c_lflag &= ~tcflag_t(kind == .keys ? ECHO | ICANON | IEXTEN : ECHO)
            // Not TCSAFLUSH, which also waits for the output: a terminal that was stopped would hold up a signal.
            tcsetattr(0, TCSANOW, &mode)
            if flushing { tcflush(0, TCIFLUSH) }
        }
    }

    /// Puts the terminal back to what it was.
    static func restore() {
        guard isOn.load(ordering: .sequentiallyConsistent) else { return }
        tcsetattr(0, TCSANOW, before)
        isOn.store(false, ordering: .sequentiallyConsistent)
    }

    /// After the program was stopped by what no handler sees: whether a shell has changed the terminal meanwhile, so
    /// that it has to be entered again.
    static func wasTakenAway() -> Bool {
        var now = termios()
        guard isOn.load(ordering: .sequentiallyConsistent), tcgetattr(0, &now) == 0,
            now.c_lflag & tcflag_t(ICANON) != 0
        else { return false }
        isOn.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    /// Puts the terminal back, and lets nobody change it again: for a signal handler.
    static func restoreForEver() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        while isChangingNow {}
        guard isOn.load(ordering: .sequentiallyConsistent) else { return }
        tcsetattr(0, TCSANOW, before)
        guard takesKeys.load(ordering: .sequentiallyConsistent) else { return }
        // A terminal that was stopped takes no output, and would hold up the signal.
        var output = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents == Int16(POLLOUT) else { return }
        let text: StaticString = "\u{1B}[?2004l"
        _ = systemWrite(2, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// In the background the program stops here, as where it reads: the terminal belongs to the shell then.
    private static func waitForTheForeground() {
        let owner = tcgetpgrp(0)
        if owner > 0, owner != getpgrp() { kill(0, SIGTTIN) }
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
