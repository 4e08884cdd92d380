import Foundation
import Glibc

/// Runs code that waits on a thread of its own, so that the few threads of Swift's tasks stay free for other tests.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            // A write to a program that has gone must be an error here, not the end of all tests.
            var brokenPipe = sigset_t()
            sigemptyset(&brokenPipe)
            sigaddset(&brokenPipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
            continuation.resume(with: Result { try body() })
        }
    }
}

/// The moment until which a helper may wait.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(after duration: Duration) {
        end = .now + duration
    }

    var hasPassed: Bool { end <= .now }

    /// Milliseconds to wait in one `poll`: until the deadline, yet short enough to notice a program's end.
    var tick: Int32 {
        let left = ContinuousClock.now.duration(to: end)
        return left >= .milliseconds(50) ? 50 : left > .zero ? Int32(left / .milliseconds(1)) + 1 : 0
    }
}
