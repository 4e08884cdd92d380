import FoyerModel
import FoyerSQLite

/// Which open flows are over their time, and their end. Never one whose submission has no verdict.
struct Expiry {
    /// The queue's time: setting the machine's clock expires nothing.
    private let time: Int64
    /// Flows that nobody has changed since then are over their time, too; nil where only their own date counts.
    private let untouched: Int64?

    init(at time: Timestamp, untouchedSince untouched: Int64?) {
        self.time = time.milliseconds
        self.untouched = untouched
    }

    private static let allOverdue: SQL = """
        SELECT id FROM flows WHERE status = 'open' AND expires_at <= ?1
        UNION SELECT id FROM flows WHERE \(Flows.isUnfinished) AND status = 'open' AND counted_from <= ?2
        LIMIT ?3
        """

    /// The open flows that are over their time; a limit of -1 is none.
    func overdue(_ limit: Int = -1, in db: Connection) throws -> [String] {
        try db.rows(Self.allOverdue, time, untouched, limit) { try $0.text(0) }
    }

    /// Expires them: their secrets are destroyed, their answers stay until they are pruned.
    /// - Returns: how many there were.
    func expire(at moment: Moment, in db: Connection) throws -> Int {
        let flows = try overdue(in: db).compactMap(UUIDv7.init(_:))
        for flow in flows {
            try Flows.close(flow, as: .expired, reason: "left alone for too long", at: moment, in: db)
        }
        return flows.count
    }
}
