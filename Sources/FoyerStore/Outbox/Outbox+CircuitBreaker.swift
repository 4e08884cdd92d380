package import FoyerModel
package import FoyerSQLite

extension Outbox {
    /// The breaker of an endpoint; closed where nothing is known of it.
    package func breaker(of endpoint: String) throws -> CircuitBreaker {
        try CircuitBreakers.find(endpoint, in: db)
    }

    /// Writes a breaker down.
    package func put(_ breaker: CircuitBreaker, for endpoint: String) throws {
        try db.run(
            """
            INSERT INTO endpoints (name, failures, open_until, not_before, reason, prober, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, open_until = excluded.open_until,
                not_before = excluded.not_before, reason = excluded.reason, prober = excluded.prober,
                changed_at = excluded.changed_at
            """,
            endpoint, breaker.failures, breaker.pause?.until.milliseconds, breaker.pause?.notBefore?.milliseconds,
            breaker.pause?.reason, breaker.prober?.text, now.description)
    }

    /// Writes what a sending has shown of its endpoint.
    package func report(_ report: EndpointReport, of submission: ClaimedSubmission) throws {
        let before = try breaker(of: submission.endpoint)
        let after = before.after(report, from: submission.worker, at: time)
        guard after != before else { return }
        try put(after, for: submission.endpoint)
        if before.pause == nil, let reason = after.pause?.reason {
            try Events.add(.endpointUnreachable(submission.endpoint, reason: reason), at: now, in: db)
        } else if before.pause != nil, after.pause == nil {
            try Events.add(.endpointReachable(submission.endpoint), at: now, in: db)
        }
    }

    /// Lets one worker probe an endpoint at once whose breaker is open.
    package func probeNow(_ endpoint: String) throws {
        let before = try breaker(of: endpoint)
        let after = before.probedNow(at: time)
        if after != before { try put(after, for: endpoint) }
    }

    /// The breakers at which that worker tries.
    func probes(of worker: WorkerID) throws -> [(String, CircuitBreaker)] {
        let names = try db.rows("SELECT name FROM endpoints WHERE prober = ?", worker.text) { try $0.text(0) }
        return try names.map { ($0, try breaker(of: $0)) }
    }
}

/// The statements on `endpoints` that several transactions share.
package enum CircuitBreakers {
    /// The endpoint that the first flow of the store was begun for.
    package static func first(in db: Connection) throws -> String? {
        try db.first("SELECT name FROM endpoints ORDER BY seq LIMIT 1") { try $0.text(0) }
    }

    /// Notes that a flow is begun for an endpoint.
    package static func remember(_ endpoint: String, at now: Timestamp, in db: Connection) throws {
        try db.run(
            "INSERT INTO endpoints (name, changed_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", endpoint,
            now.description)
    }

    package static func find(_ endpoint: String, in db: Connection) throws -> CircuitBreaker {
        let known = try db.first(
            "SELECT failures, open_until, not_before, reason, prober FROM endpoints WHERE name = ?", endpoint
        ) { row in
            let failures = Int(try row.integer(0))
            guard let until = try row.millisecondsOrNil(1) else { return CircuitBreaker.closed(failures: failures) }
            let pause = CircuitBreaker.Pause(
                until: until, reason: try row.text(3), failures: failures, notBefore: try row.millisecondsOrNil(2))
            guard let prober = try row.textOrNil(4) else { return .open(pause) }
            return .probing(WorkerID(prober), pause)
        }
        return known ?? CircuitBreaker()
    }
}
