package import FoyerModel
import FoyerSQLite

extension Repositories: FlowStorage {
    package func flow(_ id: UUIDv7) async throws(StoreError) -> SavedFlow? {
        try await read { [vault] db in try Flows.findWhole(id, with: vault, in: db) }
    }

    package func newestOpenFlow() async throws(StoreError) -> SavedFlow? {
        try await read { [vault, clock] db in
            let id = try db.first(Flows.newestOpen, clock.now(in: db).milliseconds) { try $0.id(0) }
            guard let id else { return nil }
            return try Flows.findWhole(id, with: vault, in: db)
        }
    }

    /// The flow that is open or submitted and was changed last, with its answers; none that is overdue.
    package func newestUnfinishedFlow() async throws(StoreError) -> SavedFlow? {
        try await read { [vault, clock] db in
            let id = try db.first(Flows.newestUnfinished, clock.now(in: db).milliseconds) { try $0.id(0) }
            guard let id else { return nil }
            return try Flows.findWhole(id, with: vault, in: db)
        }
    }

    package func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow> {
        try await read { [clock] db in
            let now = try clock.moment(in: db)
            return try Flows.reader.list(
                Flows.allUnfinished, now.time.milliseconds, in: db,
                orElse: { ($0.updatedAt, $0.id.text) > ($1.updatedAt, $1.id.text) },
                where: { $0.status.isUnfinished && !$0.isOverdue(at: now.time) }
            ).map { $0.tellingExpiry(at: now) }
        }
    }

    @discardableResult
    package func expireFlows() async throws(StoreError) -> Int {
        try await pruneSome().expired
    }
}

/// The statements on `flows` and their answers that several transactions share.
enum Flows {
    private static let columns: SQL = """
        id, kind, path, status, fingerprint, step, revision, user_id, submission_id, created_at, updated_at, expires_at,
        endpoint, refused
        """
    /// The term of the index `flows_unfinished`, which is used only where it stands word by word.
    static let isUnfinished: SQL = "(status = 'open' OR status = 'submitted')"
    /// Unfinished, and not overdue at the queue's time ?1: one that waits for the network never is.
    private static let isCurrent: SQL = """
        \(isUnfinished) AND (status = 'submitted' OR expires_at IS NULL OR expires_at > ?1)
        """
    private static let newestFirst: SQL = "ORDER BY counted_from DESC, id DESC"
    static let newestOpen: SQL = "SELECT id FROM flows WHERE \(isCurrent) AND status = 'open' \(newestFirst) LIMIT 1"
    static let newestUnfinished: SQL = "SELECT id FROM flows WHERE \(isCurrent) \(newestFirst) LIMIT 1"
    static let allUnfinished: SQL = "SELECT \(columns) FROM flows WHERE \(isCurrent) \(newestFirst)"
    static let byRowID: SQL = "SELECT \(columns) FROM flows WHERE rowid = ?"
    private static let byID: SQL = "SELECT \(columns) FROM flows WHERE id = ?"
    private static let unfinishedByID: SQL = "SELECT 1 FROM flows WHERE id = ? AND \(isUnfinished)"

    /// Whether the flow is in the store, and has not ended.
    static func isUnfinished(_ id: UUIDv7, in db: Connection) throws -> Bool {
        try db.first(unfinishedByID, id.text) { try $0.integer(0) } != nil
    }

    static func find(_ id: UUIDv7, with vault: Vault, in db: Connection) throws -> SavedFlow? {
        let now = try vault.clock.moment(in: db)
        return try find(
            id, at: now, usableUntil: { try Secrets.ends(of: id, at: now.time, with: vault, in: db) }, in: db)
    }

    /// The flow as a change leaves it. A box that could be opened when the change was decided on is not opened again.
    static func find(after change: FlowChange, at now: Moment, in db: Connection) throws -> SavedFlow? {
        var usable = Set(change.flow.answers.filter { $0.usableUntil != nil }.map(\.step))
        usable.formUnion(change.answers.map(\.step))
        if case .submitted(let finish) = change.outcome { usable.formUnion(finish.secrets.keys) }
        let id = change.flow.id
        return try find(
            id, at: now, usableUntil: { try Secrets.expiries(of: id, in: db).filter { usable.contains($0.key) } },
            in: db)
    }

    private static func find(
        _ id: UUIDv7, at now: Moment, usableUntil ends: () throws -> [String: Timestamp], in db: Connection
    ) throws -> SavedFlow? {
        guard var flow = try db.first(byID, id.text, decode: SavedFlow.init(row:)) else { return nil }
        flow.expiresAt = flow.expiresAt.map(now.wall(at:))
        flow.answers = try answers(of: id, at: now, usableUntil: try ends(), in: db)
        return flow
    }

    /// The flow with what was not confirmed, too.
    static func findWhole(_ id: UUIDv7, with vault: Vault, in db: Connection) throws -> SavedFlow? {
        var flow = try find(id, with: vault, in: db)
        let unsent = try db.rows("SELECT step, text FROM unsent_texts WHERE flow_id = ?", id.text) { row in
            (try row.text(0), try row.text(1))
        }
        flow?.unsent = Dictionary(uniqueKeysWithValues: unsent)
        return flow
    }

    private static func answers(
        of id: UUIDv7, at now: Moment, usableUntil ends: [String: Timestamp], in db: Connection
    ) throws -> [SavedAnswer] {
        try db.rows(
            """
            SELECT step, version, kept, value, error, seq, answered_at, counted_from
            FROM flow_steps WHERE flow_id = ? ORDER BY seq
            """, id.text
        ) { row in
            let step = try row.text(0)
            return SavedAnswer(
                step: step, version: Int(try row.integer(1)), kept: try row.choice(2), value: try row.textOrNil(3),
                error: try row.textOrNil(4), seq: Int(try row.integer(5)), answeredAt: try row.timestamp(6),
                age: now.time - (try row.milliseconds(7)), usableUntil: ends[step].map(now.wall(at:)))
        }
    }
}

extension SavedFlow {
    /// Decodes `Flows.columns`; the time of expiry is by the queue's clock.
    init(row: Row) throws {
        self.init(
            id: try row.id(0), kind: try row.choice(1), path: try row.text(2), status: try row.choice(3),
            fingerprint: try row.text(4), step: try row.textOrNil(5),
            refusal: try row.textOrNil(13).flatMap(FieldRefusal.message(in:)), revision: Int(try row.integer(6)),
            userID: try row.idOrNil(7), endpoint: try row.text(12), submissionID: try row.id(8),
            createdAt: try row.timestamp(9), updatedAt: try row.timestamp(10),
            expiresAt: try row.millisecondsOrNil(11))
    }

    /// Puts the time of day in the place of the queue's: outside the store nobody has the queue's clock.
    fileprivate func tellingExpiry(at now: Moment) -> SavedFlow {
        var flow = self
        flow.expiresAt = expiresAt.map(now.wall(at:))
        return flow
    }
}
