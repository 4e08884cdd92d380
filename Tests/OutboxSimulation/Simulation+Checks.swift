import FoyerModel
import TestSupport

import FoyerSQLite
import FoyerStore

/// What must hold after each step, after each crash, and at the end.
extension Simulation {
    private var db: Connection { machine.db }

    func checkStep() throws {
        let rows = try db.rows(
            """
            SELECT id, state, due_at, fence, failures, worker_deaths, maybe_sent, begun, cancel_wanted, lease_worker,
                lease_until, lane
            FROM submissions WHERE state IN ('ready', 'sending', 'parked') ORDER BY seq
            """
        ) { row in
            Seen(
                id: try row.text(0), state: try row.text(1), due: try row.integer(2), fence: try row.integer(3),
                failures: Int(try row.integer(4)), workerDeaths: Int(try row.integer(5)),
                maybeSent: try row.integer(6) == 1,
                begun: try row.integer(7) == 1, cancel: try row.integer(8) == 1, worker: try row.textOrNil(9),
                until: try row.integerOrNil(10), lane: try row.text(11))
        }
        let expected = model.live.map(Seen.init)
        guard rows == expected else { throw Failure("the store has \(rows), the model \(expected)") }
        guard try CircuitBreakers.find("server", in: db) == model.breaker else { throw Failure("the breakers differ") }
        // Invariant 3: one of a lane in flight; the order of effects is the server's to watch.
        let lanes = rows.filter { $0.state == "sending" }.map(\.lane)
        guard Set(lanes).count == lanes.count else { throw Failure("two of a lane are in flight") }
        guard server.problems.isEmpty else { throw Failure(server.problems.joined(separator: ", ")) }
        try checkVerdicts()
        try checkReasons(rows)
    }

    /// Invariant 2: effects at the server are accepted submissions.
    private func checkVerdicts() throws {
        for row in takeSettled() {
            let stored = try db.first("SELECT state FROM submissions WHERE id = ?", row.id.text) { try $0.text(0) }
            guard stored == row.state else { throw Failure("\(row.id) is \(stored ?? "gone"), not \(row.state)") }
            let hasEffect = server.effects.contains(row.id)
            let isRight = row.state == "accepted" ? hasEffect : !hasEffect || Self.isHarmless(row)
            guard isRight else { throw Failure("\(row.id) is \(row.state), and its effect is \(hasEffect)") }
        }
    }

    /// A sign-in is given up after its time, whatever became of it.
    private static func isHarmless(_ row: OutboxModel.Row) -> Bool { row.kind == .login && row.state == "expired" }

    /// Invariant 5: everything that waits has a reason, and a time at which somebody looks again.
    private func checkReasons(_ rows: [Seen]) throws {
        let shown = try db.first("SELECT count(*), count(nullif(why, '')) FROM submissions_waiting") { row in
            (all: try row.integer(0), explained: try row.integer(1))
        }
        guard let shown, shown.all == Int64(rows.count), shown.explained == shown.all else {
            throw Failure("of \(rows.count) the view shows and explains \(String(describing: shown))")
        }
        guard rows.allSatisfy({ $0.state != "sending" || $0.until != nil }) else { throw Failure("an endless lease") }
    }

    /// Invariants 1 and 4: what was acknowledged is there, whole; no secret outlives its flow.
    func checkAfterCrash() throws {
        for row in model.live {
            let flow = try db.first(
                """
                SELECT flows.status, (SELECT count(*) FROM secrets WHERE flow_id = flows.id)
                FROM submissions JOIN flows ON flows.id = flow_id WHERE submissions.id = ?
                """, row.id.text
            ) { (status: try $0.text(0), secrets: try $0.integer(1)) }
            guard let flow, flow.status == "submitted", flow.secrets == 1 else {
                throw Failure("\(row.id) was acknowledged and is not whole: \(String(describing: flow))")
            }
        }
        let left = try db.first(
            "SELECT count(*) FROM secrets JOIN flows ON flows.id = flow_id WHERE status NOT IN ('open', 'submitted')"
        ) { try $0.integer(0) }
        guard left == 0 else { throw Failure("\(left ?? 0) secrets outlived their flows") }
    }

    func checkEnd() throws {
        try checkAfterCrash()
        let accepted = Set(verdicts.filter { $0.value == "accepted" }.keys)
        let expired = Set(verdicts.filter { $0.value == "expired" }.keys)
        guard server.effects.subtracting(expired) == accepted else {
            throw Failure("effects and accepted submissions are not the same")
        }
        let wrong = try db.first(
            """
            SELECT count(*) FROM submissions JOIN flows ON flows.id = flow_id WHERE flows.status <> CASE state
                WHEN 'accepted' THEN 'finished' WHEN 'cancelled' THEN 'cancelled' WHEN 'expired' THEN 'open'
                ELSE iif(cancel_wanted, 'cancelled', 'open') END
            """
        ) { try $0.integer(0) }
        guard wrong == 0 else { throw Failure("\(wrong ?? 0) flows do not stand where their submissions do") }
        guard try db.first("PRAGMA integrity_check", decode: { try $0.text(0) }) == "ok" else {
            throw Failure("the database is damaged")
        }
    }
}

/// A submission as the table shows it, or as the model says that it should.
private struct Seen: Equatable {
    let id: String
    let state: String
    let due: Int64
    let fence: Int64
    let failures: Int
    let workerDeaths: Int
    let maybeSent: Bool
    let begun: Bool
    let cancel: Bool
    let worker: String?
    let until: Int64?
    let lane: String

    init(
        id: String, state: String, due: Int64, fence: Int64, failures: Int, workerDeaths: Int, maybeSent: Bool,
        begun: Bool,
        cancel: Bool, worker: String?, until: Int64?, lane: String
    ) {
        self.id = id
        self.state = state
        self.due = due
        self.fence = fence
        self.failures = failures
        self.workerDeaths = workerDeaths
        self.maybeSent = maybeSent
        self.begun = begun
        self.cancel = cancel
        self.worker = worker
        self.until = until
        self.lane = lane
    }

    init(_ row: OutboxModel.Row) {
        self.init(
            id: row.id.text, state: row.state, due: row.due.milliseconds, fence: row.fence, failures: row.failures,
            workerDeaths: row.workerDeaths, maybeSent: row.maybeSent, begun: row.begun, cancel: row.cancel,
            worker: row.worker?.text, until: row.until?.milliseconds, lane: row.lane)
    }
}

extension Outbox {
    /// Queues a submission of a flow that has a secret, as a finish does.
    @discardableResult
    func enqueue(_ new: NewSubmission, to endpoint: String = "server", hasSecret: Bool = true) throws -> Int64 {
        let flow = makeID()
        let user = new.kind == .register ? makeID() : nil
        if let user {
            try Users.insert(User(id: user, status: .pending, createdAt: now, updatedAt: now), in: db)
        }
        try db.run(
            """
            INSERT INTO flows (id, kind, path, status, fingerprint, revision, user_id, endpoint, submission_id,
                created_at, updated_at, counted_from)
            VALUES (?, 'register', 'register', 'submitted', '', 1, ?, ?, ?, ?, ?, ?)
            """, flow.text, user?.text, endpoint, new.id.text, now.description, now.description,
            time.milliseconds)
        if hasSecret {
            try db.run(
                """
                INSERT INTO secrets (flow_id, step, version, key_id, box, expires_at, lifetime)
                VALUES (?, 'password', 1, '', 'b1', 0, 0)
                """, flow.text)
        }
        try Submissions.insert(
            new, to: endpoint, flow: flow, user: user, signature: nil, at: now, queued: time, in: db)
        return db.lastInsertedRowID
    }

    /// What somebody at the command line wants.
    func change(_ id: UUIDv7, _ event: (Timestamp) -> OutboxEvent) throws {
        guard let stored = try stored(id) else { throw Failure("\(id) is gone") }
        try apply(event(time), to: stored)
    }
}
