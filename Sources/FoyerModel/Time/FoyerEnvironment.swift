import FoyerPlatform
import Synchronization

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
    /// The time since the machine was started, sleep included: nobody can set it.
    public let uptime: @Sendable () -> Duration
    /// Names this run of the machine, in which `uptime` grows; empty where it is not known.
    public let bootID: String
    /// A random number from 0 to below 1, to spread out what would otherwise happen at once.
    public let jitter: @Sendable () -> Double

    /// Makes an environment from a clock; identifiers follow that clock, and so does `uptime` where none is given.
    public init(
        now: @escaping @Sendable () -> Timestamp, uptime: (@Sendable () -> Duration)? = nil, bootID: String = "boot",
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        let maker = SharedMaker()
        self.now = now
        self.makeID = { maker.next(at: now()) }
        self.sleep = sleep
        self.uptime = uptime ?? { .milliseconds(now().milliseconds) }
        self.bootID = bootID
        self.jitter = jitter
    }

    /// The system's clocks and random numbers.
    public static let system = FoyerEnvironment(
        now: {
            let time = read(CLOCK_REALTIME)
            return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        uptime: {
            #if canImport(Darwin)
            let time = read(CLOCK_MONOTONIC)  // On Darwin it also counts while the machine sleeps.
            #else
            let time = read(CLOCK_BOOTTIME)
            #endif
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }, bootID: systemBootID())
}

private func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
}

/// The name that the kernel gave this run of the machine.
private func systemBootID() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    #if canImport(Darwin)
    var count = bytes.count
    guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return "" }
    #else
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    guard read(descriptor, &bytes, bytes.count) > 0 else { return "" }
    #endif
    return String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
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
