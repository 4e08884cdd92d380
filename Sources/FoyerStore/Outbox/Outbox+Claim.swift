package import FoyerModel
import FoyerSQLite

extension Outbox {
    /// How long a claim holds without a sign of life; longer than any sending takes.
    package static let lease = Duration.seconds(45)

    /// Takes what is due for a worker, as far as the endpoint's breaker lets it.
    ///
    /// - Parameter isIdle: whether the worker holds nothing else. What may have killed a worker is given alone; in the
    ///   queue it holds up what comes after it until somebody is idle, so that its turn comes.
    package func claim(
        _ limit: Int, by worker: WorkerID, for endpoint: String, isIdle: Bool
    ) throws -> [ClaimedSubmission] {
        let breaker = try breaker(of: endpoint)
        let isProbe: Bool
        switch breaker.permission(at: time) {
        case .nobody: return []
        case .everybody: isProbe = false
        case .oneProbe: isProbe = true
        }
        let until = time + Self.lease
        var claimed: [ClaimedSubmission] = []
        for stored in try due(isProbe ? 1 : limit, for: endpoint) {
            let isSuspect = stored.row.isSuspect
            if isSuspect, !(isIdle && claimed.isEmpty) { break }
            let event = OutboxEvent.claimed(Submission.State.Lease(worker: worker, until: until), at: time)
            // What is at the limit of a counter is parked instead.
            guard let row = try apply(event, to: stored), row.state.lease != nil else { continue }
            claimed.append(
                ClaimedSubmission(
                    id: stored.id, fence: row.fence, kind: row.kind, flowID: stored.flow, body: stored.body,
                    failures: row.failures, task: row.task(at: time), maybeSent: row.maybeSent, worker: worker,
                    endpoint: endpoint, isProbe: isProbe, isAlone: isSuspect))
            if isSuspect { break }
        }
        guard !claimed.isEmpty else { return [] }
        try db.run("INSERT INTO workers (id) VALUES (?) ON CONFLICT (id) DO NOTHING", worker.text)
        if isProbe { try put(breaker.probed(by: worker, until: until), for: endpoint) }
        return claimed
    }

    /// What is due at an endpoint, at most the first of each lane, in the order in which it fell due.
    private func due(_ limit: Int, for endpoint: String) throws -> [Stored] {
        let numbers = try db.rows(Submissions.allDue, endpoint, time.milliseconds, limit) { try $0.integer(0) }
        return try readable(numbers)
    }

    /// Notes that a sending begins, unless the claim was lost.
    package func begin(_ submission: ClaimedSubmission) throws -> Bool {
        guard let stored = try stored(submission.id) else { return false }
        let event = OutboxEvent.begun(fence: submission.fence, at: time, until: time + Self.lease)
        guard try apply(event, to: stored) != nil else { return false }
        try db.run(
            "INSERT INTO submission_attempts (submission_id, fence, worker, task, started_at) VALUES (?, ?, ?, ?, ?)",
            submission.id.text, submission.fence, submission.worker.text, submission.task.rawValue, now.description)
        return true
    }

    /// Gives back what a worker still holds, and forgets the worker.
    package func retire(_ worker: WorkerID) throws {
        for stored in try held(by: worker) {
            try apply(.holderRetired(worker, at: time), to: stored)
        }
        try db.run("DELETE FROM workers WHERE id = ?", worker.text)
        for (name, breaker) in try probes(of: worker) { try put(breaker.abandoned(by: worker, at: time), for: name) }
    }

    /// Gives back what dead workers held, at once, and what silent ones held for longer than their lease.
    package func rescue(except worker: WorkerID, isDead: (String) -> Bool) throws {
        let others = try db.rows(
            """
            SELECT lease_worker FROM submissions WHERE lease_worker IS NOT NULL AND lease_worker <> ?1
            UNION SELECT id FROM workers WHERE id <> ?1
            """, worker.text
        ) { try $0.text(0) }
        for other in others where isDead(other) {
            let dead = WorkerID(other)
            for stored in try held(by: dead) {
                try endAttempt(of: stored.id, fence: stored.row.fence, outcome: "worker died")
                try apply(.holderDied(dead, at: time), to: stored)
            }
            try retire(dead)
        }
        let silent = try db.rows(
            "SELECT seq FROM submissions WHERE lease_worker IS NOT NULL AND lease_until < ?", time.milliseconds
        ) { try $0.integer(0) }
        for stored in try readable(silent) {
            try endAttempt(of: stored.id, fence: stored.row.fence, outcome: "lapsed")
            try apply(.leaseChecked(at: time), to: stored)
        }
    }

    private func held(by worker: WorkerID) throws -> [Stored] {
        try readable(
            try db.rows("SELECT seq FROM submissions WHERE lease_worker = ?", worker.text) {
                try $0.integer(0)
            })
    }

    /// Gives up what is over its time, and opens its flow again: nothing is sent that nobody expects any more.
    package func expire() throws {
        // The last condition leaves out what stays as it is, of which there may be much.
        let old = try db.rows(
            """
            SELECT seq FROM submissions
            WHERE settled_at IS NULL AND expires_at <= ? AND lease_worker IS NULL
                AND (maybe_sent = 0 OR state = 'parked' OR kind = 'login')
            """, time.milliseconds
        ) { try $0.integer(0) }
        for stored in try readable(old) { try apply(.lifetimeChecked(at: time), to: stored) }
    }

    /// Forgets what was settled long ago, a part at a time; never the last row, whose number would be given again.
    @discardableResult
    package func prune(_ portion: Int = 500) throws -> Int {
        try db.run(
            """
            DELETE FROM submissions WHERE seq IN (
                SELECT seq FROM submissions
                WHERE forget_after IS NOT NULL AND forget_after <= ? AND seq < (SELECT max(seq) FROM submissions)
                LIMIT ?)
            """, time.milliseconds, portion)
    }
}
