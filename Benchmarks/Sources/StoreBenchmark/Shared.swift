import FoyerModel
import Synchronization

/// Flows that several tasks make, and take to go on with.
final class Shared: Sendable {
    private let flows: Mutex<[SavedFlow?]>

    init(count: Int) { flows = Mutex(Array(repeating: nil, count: count)) }

    func put(_ flow: SavedFlow, at place: Int) { flows.withLock { $0[place] = flow } }

    func take(_ place: Int) -> SavedFlow? { flows.withLock { $0[place] } }
}

/// Times that several tasks measure.
final class SharedLatencies: Sendable {
    private let latencies = Mutex(Latencies())

    var value: Latencies { latencies.withLock { $0 } }

    func add(_ other: Latencies) { latencies.withLock { $0.all += other.all } }
}
