package import FoyerModel
package import FoyerSQLite

extension Repositories: DeliveryQueue {
    package func submissions() async throws(StoreError) -> Listing<Submission> {
        try await read { db in
            try Submissions.reader.list(Submissions.all, in: db, orElse: { $0.seq < $1.seq })
        }
    }

    package func waiting() async throws(StoreError) -> Listing<Submission> {
        try await read { db in
            try Submissions.reader.list(
                Submissions.allLive, in: db, orElse: { $0.seq < $1.seq }, where: \.state.isLive)
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
    /// The columns of the row itself.
    static let ownColumns: SQL = """
        seq, id, flow_id, user_id, kind, lane, expires_at, claims, failures, worker_deaths, maybe_sent OR begun,
        cancel_wanted, http_status, last_error, created_at, settled_at, endpoint,
        state, due_at, lease_worker, lease_until, begun, reason
        """
    /// The same, and why it waits.
    private static let columns: SQL = """
        \(ownColumns), (SELECT why FROM submissions_waiting AS waiting WHERE waiting.seq = submissions.seq)
        """
    static let all: SQL = "SELECT \(columns) FROM submissions ORDER BY seq"
    static let allLive: SQL = "SELECT \(columns) FROM submissions WHERE settled_at IS NULL ORDER BY seq"
    private static let byID: SQL = "SELECT \(columns) FROM submissions WHERE id = ?"

    static func find(_ id: UUIDv7, in db: Connection) throws -> Submission? {
        try db.first(byID, id.text, decode: Submission.init(row:))
    }

    /// How many submissions wait for each endpoint.
    static func waitingCounts(in db: Connection) throws -> [String: Int] {
        let counts = try db.rows(
            "SELECT endpoint, count(*) FROM submissions WHERE settled_at IS NULL GROUP BY endpoint"
        ) { (try $0.text(0), Int(try $0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    private static let isFirstOfLane: SQL = """
        NOT EXISTS (
            SELECT 1 FROM submissions AS earlier
            WHERE earlier.endpoint = mine.endpoint AND earlier.lane = mine.lane AND earlier.seq < mine.seq
                AND earlier.settled_at IS NULL)
        """
    private static let firstDue: SQL = """
        SELECT due_at FROM submissions AS mine WHERE state = 'ready' AND \(isFirstOfLane) ORDER BY due_at LIMIT 1
        """
    private static let firstDueAtEndpoint: SQL = """
        SELECT due_at FROM submissions AS mine WHERE state = 'ready' AND endpoint = ? AND \(isFirstOfLane)
        ORDER BY due_at LIMIT 1
        """
    /// The numbers of those that are due at an endpoint, at most the first of each lane, as they fell due.
    static let allDue: SQL = """
        SELECT seq FROM submissions AS mine
        WHERE state = 'ready' AND endpoint = ? AND due_at <= ? AND \(isFirstOfLane) ORDER BY due_at, seq LIMIT ?
        """

    /// When the first submission falls due that nothing of its lane holds up; at any endpoint where none is named.
    static func firstDue(at endpoint: String?, in db: Connection) throws -> Timestamp? {
        guard let endpoint else { return try db.first(firstDue) { try $0.milliseconds(0) } }
        return try db.first(firstDueAtEndpoint, endpoint) { try $0.milliseconds(0) }
    }

    /// Whether a worker is sending something; to any endpoint where none is named.
    static func isSending(to endpoint: String?, in db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM submissions WHERE lease_worker IS NOT NULL AND endpoint = coalesce(?, endpoint) LIMIT 1",
            endpoint
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
            time.milliseconds, (time + submission.kind.submissionLifetime).milliseconds, submission.body,
            now.description,
            signature.map(BoxText.init))
    }
}

extension Submission {
    /// Decodes `Submissions.columns`.
    init(row: Row) throws {
        self.init(
            id: try row.id(1), seq: try row.integer(0), flowID: try row.idOrNil(2), userID: try row.idOrNil(3),
            kind: try row.choice(4), endpoint: try row.text(16), lane: try row.text(5),
            state: try Submission.State(row: row, from: 17), expiresAt: try row.millisecondsOrNil(6),
            claims: Int(try row.integer(7)), failures: Int(try row.integer(8)),
            workerDeaths: Int(try row.integer(9)), maybeSent: try row.integer(10) != 0,
            isCancelWanted: try row.integer(11) != 0, httpStatus: try row.integerOrNil(12).map(Int.init),
            lastError: try row.textOrNil(13), createdAt: try row.timestamp(14),
            settledAt: try row.timestampOrNil(15), why: try row.textOrNil(23))
    }
}

extension Submission.State {
    /// Decodes `state, due_at, lease_worker, lease_until, begun, reason` from a column on.
    init(row: Row, from column: Int) throws {
        let name: Name = try row.choice(column), reason = try row.textOrNil(column + 5)
        self =
            switch name {
            case .ready: .ready(due: try row.milliseconds(column + 1))
            case .sending:
                .sending(
                    Lease(worker: WorkerID(try row.text(column + 2)), until: try row.milliseconds(column + 3)),
                    begun: try row.integer(column + 4) != 0)
            case .parked: .parked(reason: reason ?? "needs help")
            case .accepted: .ended(.accepted, reason: reason)
            case .rejected: .ended(.rejected, reason: reason)
            case .cancelled: .ended(.cancelled, reason: reason)
            case .expired: .ended(.expired, reason: reason)
            }
    }
}
