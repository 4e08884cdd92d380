/// Whether an endpoint is tried at all: after trouble nothing is sent for a while, and then one worker probes the endpoint
/// with one submission before all others follow.
///
/// It is `closed` while the endpoint works. Trouble makes it `open`; once that is over, it is half-open, and the first
/// worker that claims makes it `probing`. The probe's answer closes it; its failure opens it for longer.
package enum CircuitBreaker: Equatable, Sendable {
    /// Everybody may send. So many failures in a row may have been the submissions' own fault.
    case closed(failures: Int)
    /// Nobody may send; one worker may, when the pause is over.
    case open(Pause)
    /// A worker probes; for all others the breaker is open for as long as that may take.
    case probing(WorkerID, Pause)

    /// How long nothing is sent, and why.
    package struct Pause: Equatable, Sendable {
        /// Until when, by the queue's clock.
        package var until: Timestamp
        /// Why, in words.
        package var reason: String
        /// How often in a row the endpoint was in trouble.
        package var failures: Int
        /// The time before which the endpoint itself wants no more questions.
        package var notBefore: Timestamp?

        /// Makes the value.
        package init(until: Timestamp, reason: String, failures: Int, notBefore: Timestamp? = nil) {
            self.until = until
            self.reason = reason
            self.failures = failures
            self.notBefore = notBefore
        }
    }

    /// How many failures in a row open the breaker where each of them alone may be the submission's own fault.
    package static let softFailures = 3
    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(300)

    /// A breaker of which nothing is known: the endpoint is healthy.
    package init() { self = .closed(failures: 0) }

    /// Why nothing is sent, and until when; nil while it is closed.
    package var pause: Pause? {
        switch self {
        case .closed: nil
        case .open(let pause), .probing(_, let pause): pause
        }
    }

    /// How often in a row the endpoint was in trouble.
    package var failures: Int {
        switch self {
        case .closed(let failures): failures
        case .open(let pause), .probing(_, let pause): pause.failures
        }
    }

    /// The worker that probes.
    package var prober: WorkerID? {
        if case .probing(let worker, _) = self { worker } else { nil }
    }

    /// Who may send at one moment.
    package enum Permission: Equatable, Sendable {
        /// Everybody.
        case everybody
        /// One worker, one submission: the breaker is half-open.
        case oneProbe
        /// Nobody until then.
        case nobody(until: Timestamp)
    }

    /// Who may send at that moment.
    package func permission(at now: Timestamp) -> Permission {
        guard let until = pause?.until else { return .everybody }
        return until > now ? .nobody(until: until) : .oneProbe
    }

    /// The breaker while a worker probes; a closed one stays closed.
    package func probed(by worker: WorkerID, until end: Timestamp) -> CircuitBreaker {
        guard var pause else { return self }
        pause.until = end
        return .probing(worker, pause)
    }

    /// The breaker when nothing is known of the probe: another worker may try.
    package func abandoned(by worker: WorkerID, at now: Timestamp) -> CircuitBreaker {
        guard case .probing(worker, var pause) = self else { return self }
        pause.until = now
        return .open(pause)
    }

    /// The breaker when there is a sign that the network is back: one worker may try, unless the endpoint asked for time.
    package func probedNow(at now: Timestamp) -> CircuitBreaker {
        guard case .open(var pause) = self else { return self }
        pause.until = min(pause.until, max(now, pause.notBefore ?? now))
        return .open(pause)
    }

    /// The breaker after a sending of that worker.
    package func after(_ report: EndpointReport, from worker: WorkerID, at now: Timestamp) -> CircuitBreaker {
        switch report {
        case .silent: return abandoned(by: worker, at: now)
        case .answered:
            // One good answer does not undo that the endpoint has asked for time, unless it was the probe's.
            if prober != worker, let notBefore = pause?.notBefore, notBefore > now { return self }
            return CircuitBreaker()
        case .troubled(let trouble): return troubled(by: trouble, from: worker, at: now)
        }
    }

    private func troubled(
        by trouble: EndpointReport.Trouble, from worker: WorkerID, at now: Timestamp
    ) -> CircuitBreaker {
        let wanted = trouble.retryAfter.map { max(pause?.notBefore ?? now, now + $0 + $0 / 10 * trouble.jitter) }
        let notBefore = wanted ?? pause?.notBefore
        // What was under way when the breaker opened tells nothing new.
        if let pause, prober != worker { return pausing(pause, noEarlierThan: notBefore) }
        let failures = min(failures, .max - 1) + 1
        guard pause != nil || !trouble.isSoft || failures >= Self.softFailures else {
            return .closed(failures: failures)
        }
        let wait = Backoff.delay(
            base: .seconds(1), cap: Self.longest, failures: failures, shortest: Self.shortest, jitter: trouble.jitter)
        return .open(
            Pause(
                until: max(now + wait, notBefore ?? now), reason: trouble.reason, failures: failures,
                notBefore: notBefore))
    }

    /// The same breaker, with a pause that also lets the endpoint have the time that it asked for.
    private func pausing(_ pause: Pause, noEarlierThan notBefore: Timestamp?) -> CircuitBreaker {
        var pause = pause
        pause.notBefore = notBefore
        pause.until = max(pause.until, notBefore ?? pause.until)
        return if let prober { .probing(prober, pause) } else { .open(pause) }
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
