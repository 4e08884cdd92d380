package import FoyerModel
package import FoyerSQLite

extension Repositories: DeliveryQueue {
    package func submissions() async throws(StoreError) -> Listing<Submission> {
        try await read { db in
            try Submissions.reader.list(
                """
                SELECT submissions.seq, submissions.id, submissions.flow_id, user_id, submissions.kind,
                    submissions.lane, submissions.state, reason, due_at, expires_at, submissions.claims,
                    submissions.failures, worker_deaths, maybe_sent OR begun, cancel_wanted, http_status, last_error,
                    submissions.created_at, settled_at,
                    (SELECT why FROM submissions_waiting WHERE submissions_waiting.seq = submissions.seq),
                    submissions.endpoint
                FROM submissions
                ORDER BY submissions.seq
                """, in: db, orElse: { $0.seq < $1.seq })
        }
    }

    package func waiting() async throws(StoreError) -> Listing<Submission> {
        try await read { db in
            try Submissions.reader.list(
                """
                SELECT submissions.seq, submissions.id, submissions.flow_id, user_id, submissions.kind,
                    submissions.lane, submissions.state, reason, due_at, expires_at, submissions.claims,
                    submissions.failures, worker_deaths, maybe_sent OR begun, cancel_wanted, http_status, last_error,
                    submissions.created_at, settled_at, submissions_waiting.why, submissions.endpoint
                FROM submissions JOIN submissions_waiting USING (seq)
                WHERE submissions.state IN ('ready', 'sending', 'parked')
                ORDER BY submissions.seq
                """, in: db, orElse: { $0.seq < $1.seq }, where: \.state.isLive)
        }
    }

    package func submission(_ id: UUIDv7) async throws(StoreError) -> Submission? {
        try await read { db in try Submissions.find(id, in: db) }
    }

    package func attempts(of id: UUIDv7) async throws(StoreError) -> [Submission.Attempt] {
        try await read { db in try Submissions.attempts(of: id, in: db) }
    }

    package func secrets(of submission: ClaimedSubmission) async throws(StoreError) -> [String: Secret] {
        guard let flow = submission.flowID else { return [:] }
        return try await read { [vault, clock] db in
            try Secrets.deliver(submission, of: flow, at: try clock.now(in: db), with: vault, in: db)
        }
    }
}

/// The statements on `submissions` that several transactions share.
package enum Submissions {
    static func find(_ id: UUIDv7, in db: Connection) throws -> Submission? {
        try db.first(
            """
            SELECT submissions.seq, submissions.id, submissions.flow_id, user_id, submissions.kind,
                submissions.lane, submissions.state, reason, due_at, expires_at, submissions.claims,
                submissions.failures, worker_deaths, maybe_sent OR begun, cancel_wanted, http_status, last_error,
                submissions.created_at, settled_at,
                (SELECT why FROM submissions_waiting WHERE submissions_waiting.seq = submissions.seq),
                submissions.endpoint
            FROM submissions
            WHERE submissions.id = ?
            """, id.text, decode: Submission.init(row:))
    }

    /// How many submissions wait for each endpoint.
    static func waitingCounts(in db: Connection) throws -> [String: Int] {
        let counts = try db.rows(
            "SELECT endpoint, count(*) FROM submissions WHERE state IN ('ready', 'sending', 'parked') GROUP BY endpoint"
        ) { (try $0.text(0), Int(try $0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    /// When the first submission falls due that nothing of its lane holds up; at any endpoint where none is named.
    static func firstDue(at endpoint: String?, in db: Connection) throws -> Timestamp? {
        guard let endpoint else {
            return try db.first(
                """
                SELECT due_at FROM submissions AS mine WHERE state = 'ready' AND NOT EXISTS (
                    SELECT 1 FROM submissions AS earlier
                    WHERE earlier.endpoint = mine.endpoint AND earlier.lane = mine.lane AND earlier.seq < mine.seq
                        AND earlier.state IN ('ready', 'sending', 'parked'))
                ORDER BY due_at LIMIT 1
                """
            ) { try $0.milliseconds(0) }
        }
        return try db.first(
            """
            SELECT due_at FROM submissions AS mine WHERE state = 'ready' AND endpoint = ? AND NOT EXISTS (
                SELECT 1 FROM submissions AS earlier
                WHERE earlier.endpoint = mine.endpoint AND earlier.lane = mine.lane AND earlier.seq < mine.seq
                    AND earlier.state IN ('ready', 'sending', 'parked'))
            ORDER BY due_at LIMIT 1
            """, endpoint
        ) { try $0.milliseconds(0) }
    }

    /// Whether a worker is sending something; to any endpoint where none is named.
    static func isSending(to endpoint: String?, in db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM submissions WHERE state = 'sending' AND endpoint = coalesce(?, endpoint) LIMIT 1", endpoint
        ) { try $0.integer(0) } != nil
    }

    static func attempts(of id: UUIDv7, in db: Connection) throws -> [Submission.Attempt] {
        try db.rows(
            """
            SELECT fence, worker, task, started_at, ended_at, outcome, http_status, error
            FROM submission_attempts WHERE submission_id = ? ORDER BY fence
            """, id.text
        ) { row in
            Submission.Attempt(
                fence: try row.integer(0), worker: try row.text(1), task: try row.text(2),
                startedAt: try row.timestamp(3), endedAt: try row.timestampOrNil(4), outcome: try row.textOrNil(5),
                httpStatus: try row.integerOrNil(6).map(Int.init), error: try row.textOrNil(7))
        }
    }

    /// Queues a submission at the queue's time `time`.
    package static func insert(
        _ submission: NewSubmission, to endpoint: String, flow: UUIDv7, user: UUIDv7?, signature: [UInt8]?,
        at now: Timestamp, queued time: Timestamp, in db: Connection
    ) throws {
        try db.run(
            """
            INSERT INTO submissions (id, flow_id, user_id, kind, endpoint, lane, due_at, expires_at, body, created_at,
                signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            submission.id.text, flow.text, user?.text, submission.kind.rawValue, endpoint, submission.lane,
            time.milliseconds,
            (time + submission.kind.submissionLifetime).milliseconds, submission.body, now.description, signature)
    }
}

extension Submission {
    /// Decodes the columns of `Submissions.find`.
    init(row: Row) throws {
        self.init(
            id: try row.id(1), seq: try row.integer(0), flowID: try row.idOrNil(2), userID: try row.idOrNil(3),
            kind: try row.choice(4), endpoint: try row.text(20), lane: try row.text(5), state: try row.choice(6),
            reason: try row.textOrNil(7), dueAt: try row.milliseconds(8), expiresAt: try row.millisecondsOrNil(9),
            claims: Int(try row.integer(10)), failures: Int(try row.integer(11)),
            workerDeaths: Int(try row.integer(12)),
            maybeSent: try row.integer(13) != 0, isCancelWanted: try row.integer(14) != 0,
            httpStatus: try row.integerOrNil(15).map(Int.init), lastError: try row.textOrNil(16),
            createdAt: try row.timestamp(17), settledAt: try row.timestampOrNil(18), why: try row.textOrNil(19))
    }
}
