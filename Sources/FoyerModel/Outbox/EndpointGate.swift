/// Whether an endpoint is asked at all: after trouble it is closed for a while, and then one worker tries with one
/// submission before all others follow.
package struct EndpointGate: Equatable, Sendable {
    /// How many failures in a row close the gate where each of them alone may be the submission's own fault.
    package static let softFailures = 3
    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(300)

    /// How often in a row the endpoint was in trouble.
    package var failures = 0
    /// Until when nobody asks; nil while it is open.
    package var closedUntil: Timestamp?
    /// The time before which the endpoint itself wants no more questions.
    package var notBefore: Timestamp?
    /// Why it is closed.
    package var reason: String?
    /// The one who tries.
    package var prober: WorkerID?

    /// An open gate.
    package init() {}

    /// Who may send.
    package enum Passage: Equatable, Sendable {
        /// Everybody.
        case open
        /// One worker with one submission.
        case probe
        /// Nobody until then.
        case closed(until: Timestamp)
    }

    /// Who may send at that moment.
    package func passage(at now: Timestamp) -> Passage {
        guard let closedUntil else { return .open }
        return closedUntil > now ? .closed(until: closedUntil) : .probe
    }

    /// The gate while a worker tries: for everybody else it is closed as long as that may take.
    package func probed(by worker: WorkerID, until end: Timestamp) -> EndpointGate {
        var gate = self
        gate.prober = worker
        gate.closedUntil = end
        return gate
    }

    /// The gate when nothing is known of the one who tried: another may.
    package func abandoned(by worker: WorkerID, at now: Timestamp) -> EndpointGate {
        guard prober == worker else { return self }
        var gate = self
        gate.prober = nil
        gate.closedUntil = now
        return gate
    }

    /// The gate when there is a sign that the network is back: one worker may try, unless the endpoint asked for time.
    package func hurried(at now: Timestamp) -> EndpointGate {
        guard let closedUntil, prober == nil else { return self }
        var gate = self
        gate.closedUntil = min(closedUntil, max(now, notBefore ?? now))
        return gate
    }

    /// The gate after a sending of that worker.
    package func after(_ report: EndpointReport, from worker: WorkerID, at now: Timestamp) -> EndpointGate {
        switch report {
        case .silent: return abandoned(by: worker, at: now)
        case .answered:
            // One good answer does not undo that the endpoint has asked for time, unless it was the trial's.
            if prober != worker, let notBefore, notBefore > now { return self }
            return EndpointGate()
        case .troubled(let trouble): return troubled(by: trouble, from: worker, at: now)
        }
    }

    private func troubled(by trouble: EndpointReport.Trouble, from worker: WorkerID, at now: Timestamp) -> EndpointGate
    {
        var gate = self
        if let wanted = trouble.retryAfter {
            gate.notBefore = max(notBefore ?? now, now + wanted + wanted / 10 * trouble.jitter)
        }
        // What was under way when the gate closed tells nothing new.
        guard closedUntil == nil || prober == worker else {
            gate.closedUntil = closedUntil.map { max($0, gate.notBefore ?? $0) }
            return gate
        }
        gate.failures = min(gate.failures, .max - 1) + 1
        guard closedUntil != nil || !trouble.isSoft || gate.failures >= Self.softFailures else { return gate }
        let pause = Backoff.delay(
            base: .seconds(1), cap: Self.longest, failures: gate.failures, shortest: Self.shortest,
            jitter: trouble.jitter)
        gate.closedUntil = max(now + pause, gate.notBefore ?? now)
        gate.reason = trouble.reason
        gate.prober = nil
        return gate
    }
}

/// What a sending has shown of its endpoint.
public enum EndpointReport: Equatable, Sendable {
    /// It works.
    case answered
    /// Nothing: it was not asked.
    case silent
    /// It does not work.
    case troubled(Trouble)

    /// What kind of trouble.
    public struct Trouble: Equatable, Sendable {
        /// What went wrong, in words.
        public var reason: String
        /// Whether it may have been the submission's own fault.
        public var isSoft: Bool
        /// How long the endpoint wants to be left alone.
        public var retryAfter: Duration?
        /// Chance, from 0 to below 1, to spread out what would otherwise happen at once.
        public var jitter: Double

        /// Makes the value.
        public init(reason: String, isSoft: Bool, retryAfter: Duration?, jitter: Double) {
            self.reason = reason
            self.isSoft = isSoft
            self.retryAfter = retryAfter
            self.jitter = jitter
        }
    }
}

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
