import FoyerModel
import FoyerSQLite

/// Everything in the store that belongs to one person.
///
/// Their flows are those that ended in their row, those whose submissions did, and those without anybody's row that
/// answer with their address: an earlier try, a forgotten password. Where a flow asks no address, the user name tells,
/// as for a sign-in that was refused. A key that another person of the store has, too, tells nothing.
struct PersonRows {
    let id: UUIDv7
    let flows: [String]
    let submissions: [String]

    init(_ id: UUIDv7, in db: Connection) throws {
        self.id = id
        let found = try db.first(
            """
            SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM users AS other
                    WHERE other.id <> users.id AND other.email_key = users.email_key)
                    THEN CAST(email_key AS BLOB) END,
                CASE WHEN NOT EXISTS (SELECT 1 FROM users AS other
                    WHERE other.id <> users.id AND other.user_name_key = users.user_name_key)
                    THEN CAST(user_name_key AS BLOB) END
            FROM users WHERE id = ?
            """, id.text
        ) { (email: try $0.blobOrNil(0), userName: try $0.blobOrNil(1)) }
        let keys = try found.orNotFound("person", id)
        let flows = try db.rows(
            """
            SELECT id FROM flows WHERE user_id = ?1
            UNION SELECT flow_id FROM submissions WHERE (user_id = ?1 OR lane = ?1) AND flow_id IS NOT NULL
            UNION SELECT id FROM flows
            WHERE user_id IS NULL AND CASE
                WHEN EXISTS (SELECT 1 FROM flow_steps WHERE flow_id = flows.id AND step = 'email' AND value IS NOT NULL)
                THEN EXISTS (SELECT 1 FROM flow_steps WHERE flow_id = flows.id AND step = 'email'
                    AND value = CAST(?2 AS TEXT) COLLATE NOCASE)
                ELSE EXISTS (SELECT 1 FROM flow_steps WHERE flow_id = flows.id AND step = 'userName'
                    AND value = CAST(?3 AS TEXT) COLLATE NOCASE)
                END
            """, id.text, keys.email, keys.userName
        ) { try $0.text(0) }
        var submissions = Set(
            try db.rows(
                """
                SELECT id FROM submissions WHERE user_id = ?1 OR lane = ?1
                UNION SELECT id FROM submissions
                WHERE user_id IS NULL AND flow_id IS NULL AND lane IN (CAST(?2 AS TEXT), CAST(?3 AS TEXT))
                """, id.text, keys.email, keys.userName
            ) { try $0.text(0) })
        for flow in flows {
            submissions.formUnion(
                try db.rows("SELECT id FROM submissions WHERE flow_id = ?", flow) { try $0.text(0) })
        }
        self.flows = flows
        self.submissions = submissions.sorted()
    }

    /// Refuses while the network may be acting for the person: what it answers would have nobody to go to.
    func requireAtRest(in db: Connection) throws {
        for submission in submissions {
            let isInFlight = try db.first(
                """
                SELECT settled_at IS NULL AND (state = 'sending' OR maybe_sent = 1) FROM submissions WHERE id = ?
                """, submission
            ) { try $0.bool(0) }
            guard isInFlight != true else {
                throw StoreError(
                    .inFlight,
                    "The network may have a submission of this person.",
                    recovery: UUIDv7(submission).map(Recovery.settleSubmission))
            }
        }
    }

    /// What the rows hold that tells who the person is.
    func remains(in db: Connection) throws -> Remains {
        var remains = Remains()
        for name in [id.text] + flows + submissions { remains.add(Array(name.utf8), of: "id") }
        _ = try db.first(
            """
            SELECT CAST(remote_id AS BLOB), CAST(email AS BLOB), CAST(email_key AS BLOB), CAST(user_name AS BLOB),
                CAST(user_name_key AS BLOB), CAST(first_name AS BLOB), CAST(last_name AS BLOB)
            FROM users WHERE id = ?
            """, id.text
        ) { row in
            try remains.add(
                row, "remote_id", "email", "email_key", "user_name", "user_name_key", "first_name", "last_name")
        }
        for flow in flows {
            _ = try db.rows("SELECT CAST(submission_id AS BLOB) FROM flows WHERE id = ?", flow) {
                try remains.add($0, "id")
            }
            _ = try db.rows("SELECT CAST(value AS BLOB), step FROM flow_steps WHERE flow_id = ?", flow) { row in
                remains.add(try row.blobOrNil(0), of: try row.text(1))
            }
            _ = try db.rows("SELECT CAST(text AS BLOB), step FROM unsent_texts WHERE flow_id = ?", flow) { row in
                remains.add(try row.blobOrNil(0), of: try row.text(1))
            }
            _ = try db.rows("SELECT CAST(box AS BLOB), CAST(verifier AS BLOB) FROM secrets WHERE flow_id = ?", flow) {
                try remains.add($0, "box", "verifier")
            }
        }
        _ = try db.rows("SELECT CAST(box AS BLOB) FROM verifiers WHERE user_id = ?", id.text) {
            try remains.add($0, "verifier")
        }
        return remains
    }

    /// Takes it all out, and leaves one event about somebody.
    func erase(as subject: UUIDv7, at now: Timestamp, in db: Connection) throws {
        for submission in submissions { try db.run("DELETE FROM submissions WHERE id = ?", submission) }
        for flow in flows {
            try Trees.forget(flow, in: db)
            try db.run("DELETE FROM flows WHERE id = ?", flow)
        }
        // What happened stays in the journal; to whom does not.
        for name in [id.text] + flows + submissions {
            try db.run(
                """
                UPDATE events SET flow_id = NULL, submission_id = NULL, user_id = NULL, detail = NULL
                WHERE ? IN (flow_id, submission_id, user_id)
                """, name)
        }
        try db.run("DELETE FROM users WHERE id = ?", id.text)
        try Events.add(.personErased, user: subject, at: now, in: db)
        try Scrubs.add(subject.text, in: db)
    }
}
