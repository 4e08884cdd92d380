public import FoyerModel
import FoyerSQLite

extension AccountStore {
    /// How long a claim holds without a sign of life; longer than any sending takes.
    static let lease = Duration.seconds(45)

    public func claim(
        _ limit: Int, by worker: WorkerID, at now: Timestamp
    ) async throws(StoreError) -> [ClaimedSubmission] {
        try await write { [workers, makeID = environment.makeID] db in
            try rescue(notHeldBy: worker, asking: workers, at: now, in: db)
            try expire(at: now, nextSubmissionID: makeID, in: db)
            let claimed = try db.rows(
                """
                UPDATE submissions SET state = 'sending', claims = claims + 1, fence = fence + 1, maybe_sent = 1,
                    lease_worker = ?, lease_until = ?
                WHERE seq IN (
                    SELECT seq FROM submissions AS mine
                    WHERE state = 'ready' AND due_at <= ? AND NOT EXISTS (
                        SELECT 1 FROM submissions AS earlier
                        WHERE earlier.lane = mine.lane AND earlier.seq < mine.seq
                            AND earlier.state IN ('ready', 'sending', 'parked'))
                    ORDER BY due_at, seq LIMIT ?)
                RETURNING id, fence, kind, flow_id, body, strikes
                """,
                worker.text, (now + Self.lease).milliseconds, now.milliseconds, limit,
                decode: ClaimedSubmission.init(row:))
            for submission in claimed {
                try db.run(
                    "INSERT INTO submission_attempts (submission_id, fence, worker, started_at) VALUES (?, ?, ?, ?)",
                    submission.id.text, submission.fence, worker.text, now.description)
            }
            return claimed
        }
    }
}

/// Gives back what dead workers held, at once, and what silent ones held for longer than their lease.
private func rescue(
    notHeldBy worker: WorkerID, asking workers: WorkerLocks, at now: Timestamp, in db: Connection
) throws {
    let holders = try db.rows(
        "SELECT DISTINCT lease_worker FROM submissions WHERE state = 'sending' AND lease_worker <> ?", worker.text
    ) { try $0.text(0) }
    for holder in holders where workers.isDead(holder) {
        try db.run(
            """
            UPDATE submission_attempts SET ended_at = ?, outcome = 'worker died'
            WHERE ended_at IS NULL AND worker = ?
            """, now.description, holder)
        try db.run(
            """
            UPDATE submissions SET state = 'ready', crashes = crashes + 1, due_at = ?, last_error = 'its worker died',
                lease_worker = NULL, lease_until = NULL
            WHERE state = 'sending' AND lease_worker = ?
            """, now.milliseconds, holder)
    }
    try db.run(
        """
        UPDATE submission_attempts SET ended_at = ?, outcome = 'lapsed'
        WHERE ended_at IS NULL AND (submission_id, fence) IN (
            SELECT id, fence FROM submissions WHERE state = 'sending' AND lease_until < ?)
        """, now.description, now.milliseconds)
    try db.run(
        """
        UPDATE submissions SET state = 'ready', due_at = ?1, last_error = 'its worker fell silent',
            lease_worker = NULL, lease_until = NULL
        WHERE state = 'sending' AND lease_until < ?1
        """, now.milliseconds)
}

/// Gives up what is over its time, and opens its flow again: nothing is sent that nobody expects any more.
///
/// What the network may have is not given up, because its verdict has to be learnt; a sign-in has no lasting effect.
private func expire(at now: Timestamp, nextSubmissionID: () -> UUIDv7, in db: Connection) throws {
    let expired = try db.rows(
        """
        UPDATE submissions SET state = 'expired', reason = 'it waited for too long', settled_at = ?
        WHERE state IN ('ready', 'parked') AND expires_at <= ? AND (maybe_sent = 0 OR kind = 'login')
        RETURNING id, flow_id, user_id
        """, now.description, now.milliseconds
    ) { (submission: try $0.id(0), flow: try $0.idOrNil(1), user: try $0.idOrNil(2)) }
    for (submission, flow, user) in expired {
        try Events.add("submission expired", flow: flow, submission: submission, user: user, at: now, in: db)
        if let user { try Users.removePending(user, in: db) }
        guard let flow else { continue }
        let step = try db.first(
            """
            SELECT step FROM flow_steps JOIN secrets USING (flow_id, step) WHERE flow_id = ? ORDER BY seq LIMIT 1
            """, flow.text
        ) { try $0.text(0) }
        try Secrets.destroyAll(of: flow, in: db)
        try Flows.reopen(flow, at: step, nextSubmissionID: nextSubmissionID(), at: now, in: db)
    }
}

extension ClaimedSubmission {
    /// Decodes `id, fence, kind, flow_id, body, strikes`.
    fileprivate init(row: Row) throws {
        self.init(
            id: try row.id(0), fence: try row.integer(1), kind: try row.choice(2), flowID: try row.idOrNil(3),
            body: try row.text(4), strikes: Int(try row.integer(5)))
    }
}
