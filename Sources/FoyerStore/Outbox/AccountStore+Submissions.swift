public import FoyerModel
import FoyerSQLite

extension AccountStore: SubmissionRepository {
    public func submissions() async throws(StoreError) -> [Submission] {
        try await read { db in
            try db.rows(
                """
                SELECT submissions.seq, submissions.id, submissions.flow_id, user_id, submissions.kind,
                    submissions.lane, submissions.state, reason, due_at, expires_at, submissions.claims,
                    submissions.strikes, http_status, last_error, submissions.created_at, settled_at,
                    (SELECT why FROM submissions_waiting WHERE submissions_waiting.seq = submissions.seq)
                FROM submissions
                ORDER BY submissions.seq
                """, decode: Submission.init(row:))
        }
    }

    public func submission(_ id: UUIDv7) async throws(StoreError) -> Submission? {
        try await read { db in try Submissions.find(id, in: db) }
    }

    public func submission(endingIn text: String) async throws(StoreError) -> Submission {
        try await read { db in
            let id = try onlyID(
                "SELECT id FROM submissions WHERE substr(id, -length(?1)) = ?1 LIMIT 2", of: "submission",
                endingIn: text, in: db)
            return try Submissions.find(id, in: db).orNotFound("submission", text)
        }
    }

    public func backlog() async throws(StoreError) -> Backlog {
        try await read { db in
            let waiting = try db.first(
                "SELECT count(*) FROM submissions WHERE state IN ('ready', 'sending', 'parked')"
            ) { try $0.integer(0) }
            let due = try db.first(
                """
                SELECT min(due_at) FROM submissions AS mine WHERE state = 'ready' AND NOT EXISTS (
                    SELECT 1 FROM submissions AS earlier WHERE earlier.lane = mine.lane AND earlier.seq < mine.seq
                        AND earlier.state IN ('ready', 'sending', 'parked'))
                """
            ) { try $0.millisecondsOrNil(0) }
            let sending = try db.first("SELECT 1 FROM submissions WHERE state = 'sending' LIMIT 1") {
                try $0.integer(0)
            }
            return Backlog(waiting: Int(waiting ?? 0), nextDueAt: due ?? nil, isSending: sending != nil)
        }
    }

    public func secrets(of submission: ClaimedSubmission) async throws(StoreError) -> [String: Secret] {
        guard let flow = submission.flowID else { return [:] }
        return try await read { [vault] db in try Secrets.open(of: flow, with: vault, in: db) }
    }
}

/// The statements on `submissions` that several transactions share.
enum Submissions {
    static func find(_ id: UUIDv7, in db: Connection) throws -> Submission? {
        try db.first(
            """
            SELECT submissions.seq, submissions.id, submissions.flow_id, user_id, submissions.kind,
                submissions.lane, submissions.state, reason, due_at, expires_at, submissions.claims,
                submissions.strikes, http_status, last_error, submissions.created_at, settled_at,
                (SELECT why FROM submissions_waiting WHERE submissions_waiting.seq = submissions.seq)
            FROM submissions
            WHERE submissions.id = ?
            """, id.text, decode: Submission.init(row:))
    }

    static func insert(
        _ submission: NewSubmission, flow: UUIDv7, user: UUIDv7?, at now: Timestamp, in db: Connection
    ) throws {
        try db.run(
            """
            INSERT INTO submissions (id, flow_id, user_id, kind, lane, due_at, expires_at, body, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            submission.id.text, flow.text, user?.text, submission.kind.rawValue, submission.lane, now.milliseconds,
            (now + submission.kind.lifetime).milliseconds, submission.body, now.description)
    }

    /// Takes a submission out of the queue that was surely never sent.
    /// - Throws: `maybeSent` when the network may have acted on it.
    static func takeBack(_ id: UUIDv7, at now: Timestamp, in db: Connection) throws {
        let changed = try db.run(
            """
            UPDATE submissions SET state = 'cancelled', reason = 'given up', settled_at = ?
            WHERE id = ? AND state IN ('ready', 'parked') AND maybe_sent = 0
            """, now.description, id.text)
        guard changed == 0 else { return }
        throw StoreError(
            .maybeSent, "The network may already have this submission; `foyer sync` finds out what became of it.")
    }
}

extension Submission {
    /// Decodes the columns of `Submissions.find`.
    fileprivate init(row: Row) throws {
        self.init(
            id: try row.id(1), seq: try row.integer(0), flowID: try row.idOrNil(2), userID: try row.idOrNil(3),
            kind: try row.choice(4), lane: try row.text(5), state: try row.choice(6), reason: try row.textOrNil(7),
            dueAt: try row.milliseconds(8), expiresAt: try row.millisecondsOrNil(9), claims: Int(try row.integer(10)),
            strikes: Int(try row.integer(11)), httpStatus: try row.integerOrNil(12).map(Int.init),
            lastError: try row.textOrNil(13), createdAt: try row.timestamp(14),
            settledAt: try row.timestampOrNil(15), why: try row.textOrNil(16))
    }
}
