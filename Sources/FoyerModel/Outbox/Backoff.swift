/// How long to wait after failures.
package enum Backoff {
    /// Full jitter: from nothing, or the shortest wait, to the whole of an exponentially growing one, by chance.
    package static func delay(
        base: Duration, cap: Duration, failures: Int, shortest: Duration, jitter: Double
    ) -> Duration {
        let full = min(cap, base * (1 << min(max(0, failures), 20)))
        return max(shortest, full * jitter)
    }
}
