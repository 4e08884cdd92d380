public import FoyerModel
import Synchronization

/// What a sync service tells while it works.
public enum SyncEvent: Sendable {
    /// A submission is about to be sent.
    case sending(UUIDv7, SubmissionKind)
    /// What became of a sending: such as `accepted`, `rejected`, `cancelled`, `unsent`, `retry`, `parked`; with what
    /// went wrong, where something did.
    case settled(UUIDv7, SubmissionKind, outcome: String, problem: String?)
    /// A plan for a submission came too late and was not written: another worker has it.
    case tooLate(UUIDv7)
    /// There is nothing to send for the moment.
    case waiting(Backlog)
    /// The store cannot be read or written; it is tried again after a while.
    case failed(StoreError)
}

/// Passes events on to everybody who listens.
final class SyncEvents: Sendable {
    private let listeners = Mutex<(next: Int, all: [Int: AsyncStream<SyncEvent>.Continuation])>((0, [:]))

    func tell(_ event: SyncEvent) {
        for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(event) }
    }

    /// Ends the streams of all who listen.
    func finish() {
        for listener in listeners.withLock({ Array($0.all.values) }) { listener.finish() }
    }

    /// A stream of what is told from now on; who does not keep up loses the oldest.
    func listen() -> AsyncStream<SyncEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncEvent.self, bufferingPolicy: .bufferingNewest(1000))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.listeners.withLock { $0.all.removeValue(forKey: number) }
        }
        return stream
    }
}
