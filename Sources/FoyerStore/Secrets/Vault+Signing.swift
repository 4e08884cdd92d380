import FoyerModel
import FoyerSQLite

/// Submissions that carry a secret are signed: whoever edits the row cannot have the password sent with it.
extension Vault {
    /// What a signature speaks for.
    fileprivate struct Signed {
        let id: String
        let kind: String
        let lane: String
        let flow: String
        let body: String
        let createdAt: String

        func bytes(in store: String) -> [UInt8] {
            var bytes = Array("foyer/submission/1".utf8)
            for part in [store, id, kind, lane, flow, body, createdAt] {
                bytes += prefixedByLength(part)
            }
            return bytes
        }
    }

    /// The signature of a submission that carries a secret; nil where nothing was ever sealed.
    func signature(
        of submission: NewSubmission, flow: UUIDv7, at now: Timestamp, in db: Connection
    ) throws -> [UInt8]? {
        let signed = Signed(
            id: submission.id.text, kind: submission.kind.rawValue, lane: submission.lane, flow: flow.text,
            body: submission.body, createdAt: now.description)
        return try identity(in: db).map(signed.signature)
    }

    /// Signs what an older program has queued, and lets the store know that from now on each has to be.
    func signEarlier(in db: Connection) throws {
        guard let identity = try identity(in: db), !identity.signs else { return }
        for id in try queued(in: db) {
            try put(try signed(id, in: db).signature(by: identity), for: id, in: db)
        }
        try db.run("UPDATE store SET key_check = ?", check(of: identity))
    }

    /// - Throws: `tampered` when the submission is not the one that was queued.
    func verify(_ submission: ClaimedSubmission, in db: Connection) throws {
        guard let identity = try identity(in: db) else { return }
        let found = try db.first(
            "SELECT lane, created_at, signature FROM submissions WHERE id = ?", submission.id.text
        ) { (lane: try $0.text(0), createdAt: try $0.text(1), signature: try $0.blobOrNil(2)) }
        guard let found else { return }
        if found.signature == nil, !identity.signs { return }
        let signed = Signed(
            id: submission.id.text, kind: submission.kind.rawValue, lane: found.lane,
            flow: submission.flowID?.text ?? "",
            body: submission.body, createdAt: found.createdAt)
        guard found.signature == signed.signature(by: identity) else {
            throw StoreError(
                .tampered,
                "This submission is not the one that was queued, and is not sent; give it up with `foyer outbox cancel`, "
                    + "and begin again.")
        }
    }

    /// Signs with another key what the present one has signed; what was edited since stays as it is.
    func signAgain(_ old: Identity, by new: Identity, in db: Connection) throws {
        for id in try queued(in: db) {
            let signed = try signed(id, in: db)
            let present = try db.first("SELECT signature FROM submissions WHERE id = ?", id) { try $0.blobOrNil(0) }
            let isUnsigned = present ?? nil == nil && !old.signs
            guard isUnsigned || present == signed.signature(by: old) else { continue }
            try put(signed.signature(by: new), for: id, in: db)
        }
    }

    /// The submissions without a verdict that carry a secret.
    private func queued(in db: Connection) throws -> [String] {
        try db.rows(
            """
            SELECT id FROM submissions
            WHERE state IN ('ready', 'sending', 'parked') AND flow_id IN (SELECT flow_id FROM secrets)
            """
        ) { try $0.text(0) }
    }

    private func signed(_ id: String, in db: Connection) throws -> Signed {
        try db.first("SELECT kind, lane, flow_id, body, created_at FROM submissions WHERE id = ?", id) { row in
            Signed(
                id: id, kind: try row.text(0), lane: try row.text(1), flow: try row.textOrNil(2) ?? "",
                body: try row.text(3), createdAt: try row.text(4))
        }.orNotFound("submission", id)
    }

    private func put(_ signature: [UInt8], for id: String, in db: Connection) throws {
        try db.run("UPDATE submissions SET signature = ? WHERE id = ?", signature, id)
    }
}

extension Vault.Signed {
    fileprivate func signature(by identity: Vault.Identity) -> [UInt8] {
        identity.key.signature(of: bytes(in: identity.store))
    }
}
