import TestSupport

/// A value in the middle and the bounds between which it lies in 95 of 100 cases.
struct Interval: Sendable {
    let low: Double
    let middle: Double
    let high: Double

    /// The median of some values, with bounds by drawing the values again and again (bootstrap, 2,000 draws, one seed).
    init(of values: [Double]) {
        var random = SeededRandom(seed: 95)
        let draws = (0..<2000).map { _ in
            median((0..<values.count).map { _ in values[random.below(values.count)] })
        }.sorted()
        low = draws[draws.count * 25 / 1000]
        middle = median(values)
        high = draws[draws.count * 975 / 1000]
    }
}

func median(_ values: [Double]) -> Double {
    percentile(values, 0.5)
}

/// The value below which that share of all lies.
func percentile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted(), place = share * Double(sorted.count - 1)
    let below = Int(place.rounded(.down)), above = Int(place.rounded(.up))
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
}

/// How long the closure takes, in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
}
