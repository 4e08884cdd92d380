import FoyerModel
import FoyerSQLite

/// The statements on `events`.
enum Events {
    private static let columns: SQL = "seq, at, what, flow_id, submission_id, user_id, detail"
    /// The events about a flow, a submission or a person.
    static let about: SQL = "SELECT \(columns) FROM events WHERE ? IN (flow_id, submission_id, user_id)"
    /// All events of the flows that begin with an event, since a time where one is given.
    static let ofFlowsBegunWith: SQL = """
        SELECT \(columns) FROM events
        WHERE flow_id IN (
            SELECT flow_id FROM events
            WHERE what = ?1 AND detail = ?2 AND flow_id IS NOT NULL AND (?3 IS NULL OR at >= ?3))
        ORDER BY seq
        """

    static func add(
        _ event: JournalEntry.Event, flow: UUIDv7? = nil, submission: UUIDv7? = nil, user: UUIDv7? = nil,
        at now: Timestamp, in db: Connection
    ) throws {
        // Who writes an event has marked the queue's clock before, or the store has never had one.
        try db.run(
            """
            INSERT INTO events (at, what, flow_id, submission_id, user_id, detail, counted_from)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce((SELECT high_water FROM queue_clock), ?7))
            """, now.description, event.what, flow?.text, submission?.text, user?.text,
            event.detail, now.milliseconds)
    }
}

extension JournalEntry {
    /// Decodes `Events.columns`.
    init(row: Row) throws {
        self.init(
            seq: try row.integer(0), at: try row.timestamp(1),
            event: Event(what: try row.text(2), detail: try row.textOrNil(6)), flowID: try row.idOrNil(3),
            submissionID: try row.idOrNil(4), userID: try row.idOrNil(5))
    }
}
