import FoyerModel
import FoyerSQLite

/// Submissions that carry a secret are signed: whoever edits the row cannot have the password sent with it.
extension Vault {
    /// What a signature speaks for.
    fileprivate struct Signed {
        let id: String
        let kind: String
        var endpoint: String
        let lane: String
        let flow: String
        let body: String
        let createdAt: String

        func bytes(in store: String) -> [UInt8] {
            var bytes = Array("foyer/submission/2".utf8)
            for part in [store, id, kind, endpoint, lane, flow, body, createdAt] {
                bytes += prefixedByLength(part)
            }
            return bytes
        }
    }

    /// The signature of a submission that carries a secret; nil where nothing was ever sealed.
    func signature(
        of submission: NewSubmission, to endpoint: String, flow: UUIDv7, at now: Timestamp, in db: Connection
    ) throws -> [UInt8]? {
        let signed = Signed(
            id: submission.id.text, kind: submission.kind.rawValue, endpoint: endpoint, lane: submission.lane,
            flow: flow.text, body: submission.body, createdAt: now.description)
        return try identity(in: db).map(signed.signature)
    }

    /// - Throws: `tampered` when the submission is not the one that was queued.
    func verify(_ submission: ClaimedSubmission, in db: Connection) throws {
        guard let identity = try identity(in: db) else { return }
        let found = try db.first(
            "SELECT lane, created_at, signature FROM submissions WHERE id = ?", submission.id.text
        ) { (lane: try $0.text(0), createdAt: try $0.text(1), signature: try $0.boxOrNil(2)) }
        guard let found else { return }
        let signed = Signed(
            id: submission.id.text, kind: submission.kind.rawValue, endpoint: submission.endpoint, lane: found.lane,
            flow: submission.flowID?.text ?? "", body: submission.body, createdAt: found.createdAt)
        guard found.signature == signed.signature(by: identity) else {
            throw StoreError.edited
        }
    }

    /// The signature of a submission that is moved to another endpoint; nil where it has none.
    /// - Throws: `tampered` when the submission is not the one that was queued: nothing blesses what somebody edited.
    func signatureAfterMoving(_ id: UUIDv7, to endpoint: String, in db: Connection) throws -> [UInt8]? {
        let present = try db.first("SELECT signature FROM submissions WHERE id = ?", id.text) { try $0.boxOrNil(0) }
        guard let present = present ?? nil, let identity = try identity(in: db) else { return nil }
        var signed = try signed(id.text, in: db)
        guard present == signed.signature(by: identity) else { throw StoreError.edited }
        signed.endpoint = endpoint
        return signed.signature(by: identity)
    }

    /// Gives a submission another idempotency key, and signs it with that; what was edited since it was queued stays as it
    /// is, and is found out.
    func replaceKey(of id: UUIDv7, by key: UUIDv7, in db: Connection) throws {
        let present = try db.first("SELECT signature FROM submissions WHERE id = ?", id.text) { try $0.boxOrNil(0) }
        var signer: Identity?
        if let signature = present ?? nil, let identity = try identity(in: db),
            try signed(id.text, in: db).signature(by: identity) == signature
        {
            signer = identity
        }
        try db.run(
            "UPDATE submissions SET id = ?, fence = fence + (fence < 9223372036854775807) WHERE id = ?", key.text,
            id.text)
        if let signer { try put(try signed(key.text, in: db).signature(by: signer), for: key.text, in: db) }
    }

    /// Signs with another key what the present one has signed; what was edited since stays as it is.
    func signAgain(_ old: Identity, by new: Identity, in db: Connection) throws {
        for id in try queued(in: db) {
            let signed = try signed(id, in: db)
            let present = try db.first("SELECT signature FROM submissions WHERE id = ?", id) { try $0.boxOrNil(0) }
            guard present == signed.signature(by: old) else { continue }
            try put(signed.signature(by: new), for: id, in: db)
        }
    }

    /// The submissions without a verdict that carry a secret.
    private func queued(in db: Connection) throws -> [String] {
        try db.rows(
            """
            SELECT id FROM submissions
            WHERE settled_at IS NULL AND flow_id IN (SELECT flow_id FROM secrets)
            """
        ) { try $0.text(0) }
    }

    private func signed(_ id: String, in db: Connection) throws -> Signed {
        try db.first("SELECT kind, endpoint, lane, flow_id, body, created_at FROM submissions WHERE id = ?", id) {
            row in
            Signed(
                id: id, kind: try row.text(0), endpoint: try row.text(1), lane: try row.text(2),
                flow: try row.textOrNil(3) ?? "", body: try row.text(4), createdAt: try row.text(5))
        }.orNotFound("submission", id)
    }

    private func put(_ signature: [UInt8], for id: String, in db: Connection) throws {
        try db.run("UPDATE submissions SET signature = ? WHERE id = ?", BoxText(signature), id)
    }
}

extension Vault.Signed {
    fileprivate func signature(by identity: Vault.Identity) -> [UInt8] {
        identity.key.signature(of: bytes(in: identity.store))
    }
}

extension StoreError {
    fileprivate static let edited = StoreError(
        .tampered,
        "This submission is not the one that was queued, and is not sent; give it up, and begin again.")
}
