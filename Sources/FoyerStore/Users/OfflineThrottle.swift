import FoyerModel

/// How often a password may be tried without the network.
enum OfflineThrottle {
    /// After so many wrong ones in a row only the network decides.
    static let limit: Int64 = 10
    /// How long the next try has to wait after the fifth wrong one, the sixth, and so on.
    private static let waits: [Duration] = [.seconds(30), .seconds(60), .seconds(300), .seconds(900), .seconds(3600)]

    enum Decision: Equatable {
        /// It may be tried, as try number `count`; if that one is wrong, the next has to wait for so long.
        case attempt(count: Int64, lockedFor: Duration)
        case locked(Duration)
        case exhausted
    }

    /// - Parameter count: how many tries there were since the last right one.
    static func decide(count: Int64, lockedUntil: Timestamp, at time: Timestamp) -> Decision {
        if count >= limit { return .exhausted }
        if time < lockedUntil { return .locked(lockedUntil - time) }
        let next = max(0, count) + 1
        let free = limit - 1 - Int64(waits.count)
        let wait = next <= free ? .zero : waits[min(Int(next - free) - 1, waits.count - 1)]
        return .attempt(count: next, lockedFor: wait)
    }
}
