import Glibc

/// What was found out about one kind of work.
struct Measurement: Sendable {
    var name: String
    /// What the ratio is of, in words.
    let against: String
    let goal: Double
    /// Whether more than the goal is wanted, or less.
    var isCost = false
    var ratio: Interval
    /// Seconds for each piece of work, in the middle of the rounds.
    var rawSeconds = Double.nan
    var foyerSeconds = Double.nan
    /// Microseconds of single pieces.
    var p50 = Double.nan
    var p99 = Double.nan
    var max = Double.nan
    var faults = Double.nan
    var logBytes = Double.nan

    /// The bound that counts is the worse one.
    var isMet: Bool { isCost ? ratio.high <= goal : ratio.low >= goal }
}

/// Times of single pieces of work, in seconds.
struct Latencies: Sendable {
    var all: [Double] = []
    /// What one piece of work writes to the log, where that was looked at.
    var logBytes = Double.nan

    mutating func measure<T>(_ body: () async throws -> T) async rethrows -> T {
        let start = ContinuousClock.now
        let result = try await body()
        all.append((ContinuousClock.now - start) / .seconds(1))
        return result
    }
}

/// Runs both sides by turns, the first one changing, and compares how fast they were.
///
/// - Parameters:
///   - raw: does a round on the C side and gives the seconds for one piece of work.
///   - foyer: the same for AccountStore, with the times of single pieces.
func compare(
    _ name: String, against: String, goal: Double, rounds: Int, raw: (Int) async throws -> Double,
    foyer: (Int) async throws -> (seconds: Double, latencies: Latencies)
) async throws -> Measurement {
    var rawTimes: [Double] = [], foyerTimes: [Double] = [], latencies = Latencies()
    var faults: [Double] = [], logBytes: [Double] = []
    for round in 0..<rounds {
        if round.isMultiple(of: 2) { rawTimes.append(try await raw(round)) }
        let before = pageFaults()
        let result = try await foyer(round)
        faults.append(Double(pageFaults() - before) / Double(Swift.max(1, result.latencies.all.count)))
        foyerTimes.append(result.seconds)
        latencies.all += result.latencies.all
        logBytes.append(result.latencies.logBytes)
        if !round.isMultiple(of: 2) { rawTimes.append(try await raw(round)) }
    }
    var measurement = Measurement(
        name: name, against: against, goal: goal, ratio: Interval(of: zip(rawTimes, foyerTimes).map { $0 / $1 }))
    measurement.rawSeconds = median(rawTimes)
    measurement.foyerSeconds = median(foyerTimes)
    measurement.logBytes = median(logBytes)
    if !latencies.all.isEmpty {
        measurement.p50 = percentile(latencies.all, 0.5) * 1e6
        measurement.p99 = percentile(latencies.all, 0.99) * 1e6
        measurement.max = percentile(latencies.all, 1) * 1e6
        measurement.faults = median(faults)
    }
    return measurement
}

private func pageFaults() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_minflt
}
