package import FoyerModel
package import FoyerSQLite

extension Outbox {
    /// The gate of an endpoint; open where nothing is known of it.
    package func gate(of endpoint: String) throws -> EndpointGate {
        try Gates.find(endpoint, in: db)
    }

    /// Writes a gate down.
    package func put(_ gate: EndpointGate, for endpoint: String) throws {
        try db.run(
            """
            INSERT INTO endpoints (name, failures, closed_until, not_before, reason, prober, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, closed_until = excluded.closed_until,
                not_before = excluded.not_before, reason = excluded.reason, prober = excluded.prober,
                changed_at = excluded.changed_at
            """,
            endpoint, gate.failures, gate.closedUntil?.milliseconds, gate.notBefore?.milliseconds, gate.reason,
            gate.prober?.text, now.description)
    }

    /// Writes what a sending has shown of its endpoint.
    package func report(_ report: EndpointReport, of submission: ClaimedSubmission) throws {
        let before = try gate(of: submission.endpoint)
        let after = before.after(report, from: submission.worker, at: time)
        guard after != before else { return }
        try put(after, for: submission.endpoint)
        if before.reason == nil, let reason = after.reason {
            try Events.add("endpoint closed", detail: "\(submission.endpoint): \(reason)", at: now, in: db)
        } else if before.reason != nil, after.reason == nil {
            try Events.add("endpoint open", detail: submission.endpoint, at: now, in: db)
        }
    }

    /// Lets one worker try a closed endpoint at once.
    package func hurry(_ endpoint: String) throws {
        let before = try gate(of: endpoint)
        let after = before.hurried(at: time)
        if after != before { try put(after, for: endpoint) }
    }

    /// The gates at which that worker tries.
    func probes(of worker: WorkerID) throws -> [(String, EndpointGate)] {
        let names = try db.rows("SELECT name FROM endpoints WHERE prober = ?", worker.text) { try $0.text(0) }
        return try names.map { ($0, try gate(of: $0)) }
    }
}

/// The statements on `endpoints` that several transactions share.
package enum Gates {
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

    package static func find(_ endpoint: String, in db: Connection) throws -> EndpointGate {
        let known = try db.first(
            "SELECT failures, closed_until, not_before, reason, prober FROM endpoints WHERE name = ?", endpoint
        ) { row in
            var gate = EndpointGate()
            gate.failures = Int(try row.integer(0))
            gate.closedUntil = try row.millisecondsOrNil(1)
            gate.notBefore = try row.millisecondsOrNil(2)
            gate.reason = try row.textOrNil(3)
            gate.prober = try row.textOrNil(4).map { WorkerID($0) }
            return gate
        }
        return known ?? EndpointGate()
    }
}
