public import Foyer
import Synchronization

/// A clock that stands still until it is turned. Whoever sleeps by it turns it by that much, and goes on at once.
public final class TestClock: Sendable {
    private let state: Mutex<(now: Timestamp, sleeps: [Duration])>

    /// Makes a clock that shows a moment: 14 November 2023, 22:13:20 UTC, unless another is given.
    public init(_ moment: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        state = Mutex((moment, []))
    }

    /// What the clock shows.
    public var now: Timestamp { state.withLock { $0.now } }

    /// How long each sleep was meant to be, the first one first.
    package var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Turns the clock forward, or back by a negative duration.
    public func turn(by duration: Duration) {
        state.withLock { $0.now = $0.now + duration }
    }

    /// An environment that lives by this clock, and in which chance adds no delay; identifiers are fresh in every run.
    public var environment: FoyerEnvironment {
        FoyerEnvironment(
            now: { self.now },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { $0 = ($0.now + duration, $0.sleeps + [duration]) }
            }, jitter: { 0 })
    }
}
