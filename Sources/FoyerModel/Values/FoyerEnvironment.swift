import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the library takes from the outside world besides files and the network: time, waiting and chance.
///
/// Tests pass their own, so that nothing has to wait or hope.
public struct FoyerEnvironment: Sendable {
    /// The current time.
    public let now: @Sendable () -> Timestamp
    /// A fresh identifier, later than all that this environment gave before.
    public let makeID: @Sendable () -> UUIDv7

    /// Returns after that time, or throws when the task is cancelled before.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 to below 1, to spread out what would otherwise happen at once.
    public let jitter: @Sendable () -> Double

    /// Makes an environment from a clock; identifiers follow that clock.
    public init(
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        let maker = SharedMaker()
        self.now = now
        self.makeID = { maker.next(at: now()) }
        self.sleep = sleep
        self.jitter = jitter
    }

    /// The system's clock and random numbers.
    public static let system = FoyerEnvironment(now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    })
}

private final class SharedMaker: Sendable {
    private let maker = Mutex(UUIDv7.Maker())

    func next(at now: Timestamp) -> UUIDv7 {
        maker.withLock { maker in
            var random = SystemRandomNumberGenerator()
            return maker.next(at: now, using: &random)
        }
    }
}
