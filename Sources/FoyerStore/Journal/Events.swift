import FoyerModel
import FoyerSQLite

/// The journal: what happened to which flow, submission and person. Never a value that somebody entered.
enum Events {
    static func add(
        _ what: String, flow: UUIDv7? = nil, submission: UUIDv7? = nil, user: UUIDv7? = nil, detail: String? = nil,
        at now: Timestamp, in db: Connection
    ) throws {
        // Who writes an event has marked the queue's clock before, or the store has never had one.
        try db.run(
            """
            INSERT INTO events (at, what, flow_id, submission_id, user_id, detail, counted_from)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce((SELECT high_water FROM queue_clock), ?7))
            """, now.description, what, flow?.text, submission?.text, user?.text, detail, now.milliseconds)
    }
}
