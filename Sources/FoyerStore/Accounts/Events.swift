import FoyerModel
import FoyerSQLite

/// The journal: what happened to which flow, submission and person. Never a value that somebody entered.
enum Events {
    static func add(
        _ what: String, flow: UUIDv7? = nil, submission: UUIDv7? = nil, user: UUIDv7? = nil, detail: String? = nil,
        at now: Timestamp, in db: Connection
    ) throws {
        try db.run(
            "INSERT INTO events (at, what, flow_id, submission_id, user_id, detail) VALUES (?, ?, ?, ?, ?, ?)",
            now.description, what, flow?.text, submission?.text, user?.text, detail)
    }
}
