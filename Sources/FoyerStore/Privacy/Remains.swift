import FoyerModel
import FoyerSQLite

/// What was erased, as bytes, so that the files can be searched for it. It lives in memory only.
struct Remains: Sendable {
    /// What is shorter is found by chance.
    private static let shortest = 3

    /// The values, each with the column or step that it was first met in.
    private(set) var values: [[UInt8]: String] = [:]
    private(set) var tooShort = 0

    mutating func add(_ value: [UInt8]?, of column: String) {
        guard let value, !value.isEmpty, values[value] == nil else { return }
        if value.count < Self.shortest { tooShort += 1 } else { values[value] = column }
    }

    /// Adds the columns of a row, named as in `names`; each was read as a blob, so that damaged text is searched, too.
    mutating func add(_ row: Row, _ names: String...) throws {
        for (index, name) in names.enumerated() { add(try row.blobOrNil(index), of: name) }
    }

    /// Whether a value stands in a row, of whomever: then it is no remnant.
    static func isUsed(_ value: [UInt8], in db: Connection) throws -> Bool {
        func found(_ sql: SQL) throws -> Bool {
            try db.first(sql, value) { try $0.bool(0) } ?? false
        }
        // A line break between the columns: no value that is looked for reaches from one into the next.
        return try found(
            """
            SELECT EXISTS (SELECT 1 FROM users WHERE instr(CAST(id || char(10) || coalesce(remote_id, '') || char(10)
                    || coalesce(email, '') || char(10) || coalesce(email_key, '') || char(10)
                    || coalesce(user_name, '') || char(10) || coalesce(user_name_key, '') || char(10)
                    || coalesce(first_name, '') || char(10) || coalesce(last_name, '') || char(10) || status
                    || char(10) || created_at || char(10) || updated_at AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM flows WHERE instr(CAST(id || char(10) || kind || char(10) || path
                    || char(10) || status || char(10) || fingerprint || char(10) || coalesce(step, '') || char(10)
                    || coalesce(refused, '') || char(10) || coalesce(user_id, '') || char(10) || submission_id || char(10) || created_at AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM flow_steps WHERE instr(CAST(flow_id || char(10) || step || char(10) || kept
                    || char(10) || coalesce(value, '') || char(10) || coalesce(error, '') AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM unsent_texts WHERE instr(CAST(step || char(10) || text AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM secrets WHERE instr(CAST(box || char(10) || coalesce(verifier, '') AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM verifiers WHERE instr(CAST(user_id || char(10) || box AS BLOB), ?1))
                OR EXISTS (SELECT 1 FROM offline_attempts WHERE instr(CAST(account AS BLOB), ?1))
            """)
            || found(
                """
                SELECT EXISTS (SELECT 1 FROM submissions WHERE instr(CAST(id || char(10)
                        || coalesce(flow_id, '') || char(10) || coalesce(user_id, '') || char(10) || kind || char(10)
                        || lane || char(10) || state || char(10) || coalesce(reason, '') || char(10) || body || char(10)
                        || coalesce(last_error, '') || char(10) || coalesce(lease_worker, '')
                        || char(10) || coalesce(signature, '') AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM submission_attempts WHERE instr(CAST(submission_id || char(10) || worker
                        || char(10) || task || char(10) || coalesce(outcome, '') || char(10)
                        || coalesce(error, '') AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM events WHERE instr(CAST(what || char(10) || coalesce(flow_id, '')
                        || char(10) || coalesce(submission_id, '') || char(10) || coalesce(user_id, '') || char(10)
                        || coalesce(detail, '') AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM coordinators WHERE instr(CAST(host || char(10) || path || char(10) || slot
                        || char(10) || config || char(10) || state AS BLOB), ?1))
                """)
            || found(
                """
                SELECT EXISTS (SELECT 1 FROM endpoints WHERE instr(CAST(name || char(10) || coalesce(reason, '')
                        || char(10) || coalesce(prober, '') AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM workers WHERE instr(CAST(id AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM store WHERE instr(CAST(id || char(10) || key_id || char(10)
                        || key_check AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM queue_clock WHERE instr(CAST(boot_id AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM migrations WHERE instr(CAST(name || char(10) || checksum AS BLOB), ?1))
                    OR EXISTS (SELECT 1 FROM sqlite_schema WHERE instr(CAST(name || char(10) || sql AS BLOB), ?1))
                """)
    }
}
