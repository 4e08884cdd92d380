import Dispatch

/// Runs what takes long, or much memory: one after the other, and not on the few threads that tasks share.
enum SlowWork {
    private static let queue = DispatchQueue(label: "foyer.slow-work")

    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
