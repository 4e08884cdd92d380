import Synchronization

/// Passes what is told on to everybody in this process who listens.
package final class Broadcast<Element: Sendable>: Sendable {
    private let buffering: AsyncStream<Element>.Continuation.BufferingPolicy
    private let listeners = Mutex<(next: Int, all: [Int: AsyncStream<Element>.Continuation])>((0, [:]))

    /// Makes one whose listeners keep up to `limit` of the newest elements that they have not seen yet.
    package init(keepingNewest limit: Int) {
        buffering = .bufferingNewest(limit)
    }

    package func tell(_ element: Element) {
        for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(element) }
    }

    /// Ends the streams of all who listen.
    package func finish() {
        for listener in listeners.withLock({ Array($0.all.values) }) { listener.finish() }
    }

    /// A stream of what is told from now on.
    package func listen() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
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
