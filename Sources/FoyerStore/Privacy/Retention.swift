import FoyerModel
import FoyerSQLite

/// What is over its time at one moment, and taking it out: at most a portion of each kind at a time.
///
/// Never an open flow, and never one whose submission has no verdict.
struct Retention {
    static let portion = 200

    private let expiry: Expiry
    /// Flows that ended before go.
    private let ended: Int64?
    /// Whether expired flows go.
    private let removesExpired: Bool
    /// Entries of the journal from before go.
    private let events: Int64?
    /// The queue's time: what anybody can set deletes nothing.
    private let time: Timestamp

    init(_ policy: RetentionPolicy, at time: Timestamp) {
        func before(_ age: Duration?) -> Int64? { age.map { (time + (Duration.zero - $0)).milliseconds } }
        expiry = Expiry(at: time, untouchedSince: before(policy.unfinishedFlows))
        ended = before(policy.endedFlows)
        removesExpired = policy.unfinishedFlows != nil
        events = before(policy.events)
        self.time = time
    }

    // MARK: Looking

    /// Whether there is anything, found without looking at what is not over its time.
    func hasWork(in db: Connection) throws -> Bool {
        try !expiry.overdue(1, in: db).isEmpty || !removable(1, in: db).isEmpty || !forgettable(1, in: db).isEmpty
            || !oldEvents(1, in: db).isEmpty
    }

    /// How much there is of each kind.
    func count(in db: Connection) throws -> RetentionPolicy.Pruned {
        var found = RetentionPolicy.Pruned()
        let overdue = try expiry.overdue(in: db), removable = try removable(-1, in: db)
        found.expired = overdue.count
        found.flows = removable.count + (removesExpired ? overdue.count : 0)
        let flows = removable + (removesExpired ? overdue : [])
        var submissions = Set(try forgettable(-1, in: db))
        for flow in flows { submissions.formUnion(try settled(of: flow, in: db)) }
        found.submissions = submissions.count
        found.events =
            try db.first(
                "SELECT count(*) FROM events WHERE counted_from <= ? AND seq < (SELECT max(seq) FROM events)", events
            ) { Int(try $0.integer(0)) } ?? 0
        return found
    }

    // MARK: Taking out

    /// Takes out a portion of each kind, and then expires what is overdue: that goes the next time.
    func prune(_ outbox: Outbox) throws -> RetentionPolicy.Pruned {
        let db = outbox.db
        var done = RetentionPolicy.Pruned()
        for flow in try removable(Self.portion, in: db) {
            for seq in try settled(of: flow, in: db) {
                done.submissions += try db.run("DELETE FROM submissions WHERE seq = ?", seq)
            }
            try Trees.forget(flow, in: db)
            done.flows += try db.run("DELETE FROM flows WHERE id = ?", flow)
        }
        done.submissions += try outbox.prune(Self.portion)
        for seq in try oldEvents(Self.portion, in: db) {
            done.events += try db.run("DELETE FROM events WHERE seq = ?", seq)
        }
        done.expired = try expiry.expire(at: outbox.moment, in: db)
        return done
    }

    // MARK: The statements; a limit of -1 is none

    private static let hasNothingToDeliver: SQL = """
        NOT EXISTS (SELECT 1 FROM submissions WHERE flow_id = flows.id AND settled_at IS NULL)
        """

    private static let allRemovable: SQL = """
        SELECT id FROM flows WHERE status = 'expired' AND ?1 AND \(hasNothingToDeliver)
        UNION ALL SELECT id FROM flows
        WHERE (status = 'finished' OR status = 'cancelled') AND counted_from <= ?2 AND \(hasNothingToDeliver)
        LIMIT ?3
        """

    private func removable(_ limit: Int, in db: Connection) throws -> [String] {
        try db.rows(Self.allRemovable, removesExpired, ended, limit) { try $0.text(0) }
    }

    private func settled(of flow: String, in db: Connection) throws -> [Int64] {
        try db.rows("SELECT seq FROM submissions WHERE flow_id = ? AND settled_at IS NOT NULL", flow) {
            try $0.integer(0)
        }
    }

    /// As `Outbox.prune`.
    private func forgettable(_ limit: Int, in db: Connection) throws -> [Int64] {
        try db.rows(
            """
            SELECT seq FROM submissions
            WHERE forget_after IS NOT NULL AND forget_after <= ? AND seq < (SELECT max(seq) FROM submissions)
            LIMIT ?
            """, time.milliseconds, limit
        ) { try $0.integer(0) }
    }

    /// The journal is in the order of time, so that its beginning is enough; it never becomes empty, or its numbers
    /// would be given again.
    private func oldEvents(_ limit: Int, in db: Connection) throws -> [Int64] {
        try db.rows(
            """
            SELECT seq FROM (SELECT seq, counted_from FROM events ORDER BY seq LIMIT ?2)
            WHERE counted_from <= ?1 AND seq < (SELECT max(seq) FROM events)
            """, events, limit
        ) { try $0.integer(0) }
    }
}
