public import Foyer
import Synchronization

/// A clock that stands still until it is turned; whoever waits by it turns it by that much, and goes on at once.
public final class TestClock: Sendable {
    private let moment: Mutex<Timestamp>

    /// Makes a clock that shows a moment: 14 November 2023, 22:13:20 UTC, unless another is given.
    public init(_ moment: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        self.moment = Mutex(moment)
    }

    /// What the clock shows.
    public var now: Timestamp { moment.withLock { $0 } }

    /// Turns the clock forward, or back by a negative duration.
    public func turn(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }

    /// An environment that lives by this clock, and in which chance adds no delay; identifiers are fresh in every run.
    public var environment: FoyerEnvironment {
        FoyerEnvironment(now: { self.now }, sleep: { self.turn(by: $0) }, jitter: { 0 })
    }
}
