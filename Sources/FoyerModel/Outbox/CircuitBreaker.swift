/// Whether an endpoint is tried at all: after trouble nobody tries it for a while, and then one worker probes it with one
/// submission before all others follow.
package struct CircuitBreaker: Equatable, Sendable {
    /// How many failures in a row open the breaker where each of them alone may be the submission's own fault.
    package static let softFailures = 3
    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(300)

    /// How often in a row the endpoint was in trouble.
    package var failures = 0
    /// Until when nobody tries; nil while it is closed.
    package var openUntil: Timestamp?
    /// The time before which the endpoint itself wants no more questions.
    package var notBefore: Timestamp?
    /// Why it is open.
    package var reason: String?
    /// The worker that probes.
    package var prober: WorkerID?

    /// A closed breaker: the endpoint is healthy.
    package init() {}

    /// Who may send.
    package enum State: Equatable, Sendable {
        /// Everybody.
        case closed
        /// One worker, one submission.
        case halfOpen
        /// Nobody until then.
        case open(until: Timestamp)
    }

    /// Who may send at that moment.
    package func state(at now: Timestamp) -> State {
        guard let openUntil else { return .closed }
        return openUntil > now ? .open(until: openUntil) : .halfOpen
    }

    /// The breaker while a worker probes: for all others it is open for as long as that may take.
    package func probed(by worker: WorkerID, until end: Timestamp) -> CircuitBreaker {
        var breaker = self
        breaker.prober = worker
        breaker.openUntil = end
        return breaker
    }

    /// The breaker when nothing is known of the one who tried: another may.
    package func abandoned(by worker: WorkerID, at now: Timestamp) -> CircuitBreaker {
        guard prober == worker else { return self }
        var breaker = self
        breaker.prober = nil
        breaker.openUntil = now
        return breaker
    }

    /// The breaker when there is a sign that the network is back: one worker may try, unless the endpoint asked for time.
    package func probedNow(at now: Timestamp) -> CircuitBreaker {
        guard let openUntil, prober == nil else { return self }
        var breaker = self
        breaker.openUntil = min(openUntil, max(now, notBefore ?? now))
        return breaker
    }

    /// The breaker after a sending of that worker.
    package func after(_ report: EndpointReport, from worker: WorkerID, at now: Timestamp) -> CircuitBreaker {
        switch report {
        case .silent: return abandoned(by: worker, at: now)
        case .answered:
            // One good answer does not undo that the endpoint has asked for time, unless it was the trial's.
            if prober != worker, let notBefore, notBefore > now { return self }
            return CircuitBreaker()
        case .troubled(let trouble): return troubled(by: trouble, from: worker, at: now)
        }
    }

    private func troubled(by trouble: EndpointReport.Trouble, from worker: WorkerID, at now: Timestamp)
        -> CircuitBreaker
    {
        var breaker = self
        if let wanted = trouble.retryAfter {
            breaker.notBefore = max(notBefore ?? now, now + wanted + wanted / 10 * trouble.jitter)
        }
        // What was under way when the breaker opened tells nothing new.
        guard openUntil == nil || prober == worker else {
            breaker.openUntil = openUntil.map { max($0, breaker.notBefore ?? $0) }
            return breaker
        }
        breaker.failures = min(breaker.failures, .max - 1) + 1
        guard openUntil != nil || !trouble.isSoft || breaker.failures >= Self.softFailures else { return breaker }
        let pause = Backoff.delay(
            base: .seconds(1), cap: Self.longest, failures: breaker.failures, shortest: Self.shortest,
            jitter: trouble.jitter)
        breaker.openUntil = max(now + pause, breaker.notBefore ?? now)
        breaker.reason = trouble.reason
        breaker.prober = nil
        return breaker
    }
}

/// What a sending has shown of its endpoint.
package enum EndpointReport: Equatable, Sendable {
    /// It works.
    case answered
    /// Nothing: it was not asked.
    case silent
    /// It does not work.
    case troubled(Trouble)

    /// What kind of trouble.
    package struct Trouble: Equatable, Sendable {
        /// What went wrong, in words.
        package var reason: String
        /// Whether it may have been the submission's own fault.
        package var isSoft: Bool
        /// How long the endpoint wants to be left alone.
        package var retryAfter: Duration?
        /// Chance, from 0 to below 1, to spread out what would otherwise happen at once.
        package var jitter: Double

        /// Makes the value.
        package init(reason: String, isSoft: Bool, retryAfter: Duration?, jitter: Double) {
            self.reason = reason
            self.isSoft = isSoft
            self.retryAfter = retryAfter
            self.jitter = jitter
        }
    }
}
