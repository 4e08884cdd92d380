package import FoyerModel
package import FoyerSQLite

/// The outbox inside one write transaction.
///
/// What may happen to a submission is decided by `OutboxRow`; here it is read, and written together with what it means
/// for flows, people and secrets.
package struct Outbox {
    /// For how long after its verdict a submission is remembered: longer than any network may take its key.
    static let memory = Duration.seconds(30 * 86400)

    package let db: Connection
    /// The present moment by both clocks.
    package let moment: Moment
    /// The time of day, for people.
    package var now: Timestamp { moment.wall }
    /// The queue's time.
    package var time: Timestamp { moment.time }
    package let makeID: () -> UUIDv7

    package init(_ db: Connection, clock: QueueClock, environment: FoyerEnvironment) throws {
        self.db = db
        moment = try clock.mark(in: db)
        makeID = environment.makeID
    }

    /// A submission as it stands in the table.
    package struct Stored {
        let seq: Int64
        let id: UUIDv7
        let flow: UUIDv7?
        let user: UUIDv7?
        let body: String
        let row: OutboxRow
    }

    private static let columns: SQL = """
        seq, id, flow_id, user_id, kind, body, expires_at, claims, failures, worker_deaths, fence, maybe_sent,
        cancel_wanted, last_error, state, due_at, lease_worker, lease_until, begun, reason
        """
    private static let byNumber: SQL = "SELECT \(columns) FROM submissions WHERE seq = ?"
    private static let byID: SQL = "SELECT \(columns) FROM submissions WHERE id = ?"

    /// The submissions with these numbers. One that cannot be read, because another program has changed it, is parked,
    /// so that it holds up its lane alone.
    package func readable(_ numbers: [Int64]) throws -> [Stored] {
        try numbers.compactMap { seq in
            do {
                return try db.first(Self.byNumber, seq, decode: Stored.init(row:))
            } catch let error as SQLiteError where StoreError(error).code == .damagedRow {
                try parkUnreadable(seq, error)
                return nil
            }
        }
    }

    private func parkUnreadable(_ seq: Int64, _ error: SQLiteError) throws {
        try db.run(
            """
            UPDATE submissions SET state = 'parked', reason = ?, lease_worker = NULL, lease_until = NULL,
                maybe_sent = max(maybe_sent, begun), begun = 0
            WHERE seq = ? AND state <> 'parked'
            """, "it cannot be read: \(error.message)", seq)
    }

    package func stored(_ id: UUIDv7) throws -> Stored? {
        try db.first(Self.byID, id.text, decode: Stored.init(row:))
    }

    /// Writes what an event makes of a submission, with all that follows from it.
    /// - Returns: the submission after it; nil when the event did not apply.
    @discardableResult
    package func apply(_ event: OutboxEvent, to stored: Stored, httpStatus: Int? = nil) throws -> OutboxRow? {
        guard let row = stored.row.after(event) else { return nil }
        let state = row.state
        try db.run(
            """
            UPDATE submissions SET state = ?, reason = ?, due_at = coalesce(?, due_at), lease_worker = ?, lease_until = ?,
                begun = ?, claims = ?, failures = ?, worker_deaths = ?, fence = ?, maybe_sent = ?, cancel_wanted = ?,
                last_error = ?, http_status = coalesce(?, http_status), settled_at = ?, forget_after = ?
            WHERE seq = ?
            """,
            state.name.rawValue, state.reason, state.due?.milliseconds, state.lease?.worker.text,
            state.lease?.until.milliseconds, state.hasBegun, row.claims, row.failures, row.workerDeaths, row.fence,
            row.maybeSent, row.isCancelWanted, row.lastError, httpStatus, state.isLive ? nil : now.description,
            state.isLive ? nil : (time + Self.memory).milliseconds, stored.seq)
        try followUp(row, stored)
        return row
    }

    /// What an end without the network's verdict means for the flow; a verdict brings its own consequences.
    private func followUp(_ row: OutboxRow, _ stored: Stored) throws {
        guard row.state.name != stored.row.state.name else {
            if row.isCancelWanted, !stored.row.isCancelWanted { try note(.submissionToBeTakenBack, stored) }
            return
        }
        switch row.state {
        case .ready, .sending, .ended(.accepted, _), .ended(.rejected, _): break
        case .parked(let reason): try note(.submissionParked(reason: reason), stored)
        case .ended(.cancelled, let reason):
            try note(.submissionCancelled(reason: reason), stored)
            if let flow = stored.flow { try Flows.close(flow, as: .cancelled, reason: reason, at: moment, in: db) }
        case .ended(.expired, let reason):
            try note(.submissionExpired(reason: reason), stored)
            try reopenExpired(stored)
        }
    }

    /// Opens the flow of a submission that nobody expects any more, without its secrets.
    private func reopenExpired(_ stored: Stored) throws {
        if let user = stored.user { try Users.removePending(user, in: db) }
        guard let flow = stored.flow else { return }
        let step = try db.first(
            """
            SELECT step FROM flow_steps WHERE flow_id = ? AND (kept = 'sealed' OR kept = 'volatile') ORDER BY seq LIMIT 1
            """, flow.text
        ) { try $0.text(0) }
        try Secrets.destroyAll(of: flow, in: db)
        try Flows.reopen(flow, at: step, nextSubmissionID: makeID(), at: moment, in: db)
    }

    /// Moves a submission that waits, and its flow, to another endpoint.
    func move(_ stored: Stored, to endpoint: String, signingWith vault: Vault) throws {
        let signature = try vault.signatureAfterMoving(stored.id, to: endpoint, in: db)
        try db.run(
            "UPDATE submissions SET endpoint = ?, signature = ? WHERE seq = ?", endpoint, signature.map(BoxText.init),
            stored.seq)
        try db.run("UPDATE flows SET endpoint = ? WHERE id = ?", endpoint, stored.flow?.text)
        try CircuitBreakers.remember(endpoint, at: now, in: db)
        try note(.submissionRedirected(to: endpoint), stored)
    }

    func note(_ event: JournalEntry.Event, _ stored: Stored, user: UUIDv7? = nil) throws {
        try Events.add(
            event, flow: stored.flow, submission: stored.id, user: user ?? stored.user, at: now, in: db)
    }
}

extension Outbox.Stored {
    /// Decodes `Outbox.columns`.
    init(row: Row) throws {
        seq = try row.integer(0)
        id = try row.id(1)
        flow = try row.idOrNil(2)
        user = try row.idOrNil(3)
        body = try row.text(5)
        var state = OutboxRow(
            kind: try row.choice(4), state: try Submission.State(row: row, from: 14),
            expiresAt: try row.millisecondsOrNil(6))
        state.claims = Int(try row.integer(7))
        state.failures = Int(try row.integer(8))
        state.workerDeaths = Int(try row.integer(9))
        state.fence = try row.integer(10)
        state.maybeSent = try row.integer(11) != 0
        state.isCancelWanted = try row.integer(12) != 0
        state.lastError = try row.textOrNil(13)
        self.row = state
    }
}
