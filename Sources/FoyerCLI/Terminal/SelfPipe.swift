import FoyerPlatform
import Synchronization

/// Tells whoever waits for a key of the signals that change what is shown: Ctrl-Z, going on after it, another window size.
///
/// A handler writes the signal's number into a pipe, because it may run on any thread.
enum SelfPipe {
    private static let signals = [SIGTSTP, SIGCONT, SIGWINCH]
    private static let writing = Atomic<Int32>(-1)
    private static let reading = Atomic<Int32>(-1)

    /// The end of the pipe that can be read when there was a signal.
    static var descriptor: Int32 { reading.load(ordering: .sequentiallyConsistent) }

    /// Makes the pipe: a handler can make nothing.
    private static func prepare() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading.store(ends[0], ordering: .sequentiallyConsistent)
        writing.store(ends[1], ordering: .sequentiallyConsistent)
    }

    /// From now on these signals wake; what the caller ignores stays ignored.
    static func begin() {
        if descriptor < 0 { prepare() }
        for number in signals {
            let before = signal(number, wakeBySignal)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// From now on they do what they do by themselves.
    static func end() {
        for number in signals {
            let before = signal(number, SIG_DFL)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
        while let number = next() {
            if number == SIGTSTP { SignalGuard.stop() }
        }
    }

    /// The next signal that came; nil where there is none.
    static func next() -> Int32? {
        var number: UInt8 = 0
        return read(descriptor, &number, 1) == 1 ? Int32(number) : nil
    }

    fileprivate static func tell(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = withUnsafeBytes(of: &byte) { systemWrite(writing.load(ordering: .sequentiallyConsistent), $0) }
        errno = error
    }
}

private nonisolated func wakeBySignal(_ number: Int32) {
    SelfPipe.tell(number)
}
