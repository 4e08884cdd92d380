import FoyerModel
import FoyerSQLite

/// The statements on `secrets`.
enum Secrets {
    /// How long a secret can be used while its flow is open, where its step says nothing else.
    private static let usualLifetime = Duration.seconds(24 * 3600)

    /// Seals a secret as the answer of a step, in the place of an earlier one.
    static func put(
        _ secret: Secret, of change: FlowChange, step: String, at time: Timestamp, sealing vault: Vault,
        in db: Connection
    ) throws {
        let flow = change.flow.id, about = change.secretSteps[step], now = change.at
        let end = time + max(.zero, about?.lifetime ?? usualLifetime)
        var secret = secret
        if let key = vault.sealingKey {
            secret = try ServerBox.seal(secret, to: key, flow: flow, field: about?.wireName ?? step, at: now)
        }
        let version = try db.first(
            "SELECT version FROM secrets WHERE flow_id = ? AND step = ?", flow.text, step
        ) { try $0.integer(0) }
        let next = min(version ?? 0, .max - 1) + 1
        let (keyID, box) = try vault.seal(
            secret, table: "secrets", column: "box", row: row(flow, step), version: next, in: db)
        try db.run(
            """
            INSERT INTO secrets (flow_id, step, version, key_id, box, expires_at, lifetime)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (flow_id, step) DO UPDATE SET version = excluded.version, key_id = excluded.key_id,
                box = excluded.box, expires_at = excluded.expires_at, lifetime = excluded.lifetime, verifier = NULL
            """,
            flow.text, step, next, keyID, BoxText(box), end.milliseconds, (end - time).milliseconds)
    }

    /// One sealed secret as it lies in the table.
    struct Sealed {
        let flow: UUIDv7
        let step: String
        let version: Int64
        let keyID: String
        let box: [UInt8]
        let expiresAt: Timestamp

        var place: String { Secrets.row(flow, step) }
    }

    private static let columns: SQL = "flow_id, step, version, key_id, box, expires_at"
    private static let allOfFlow: SQL = "SELECT \(columns) FROM secrets WHERE flow_id = ?"
    private static let allReadable: SQL = "SELECT \(columns) FROM secrets WHERE key_id = ? AND expires_at > ?"

    static func all(of flow: UUIDv7, in db: Connection) throws -> [Sealed] {
        try db.rows(allOfFlow, flow.text, decode: Sealed.init(row:))
    }

    /// Opens the secrets that a submission is sent with, by step.
    /// - Throws: `secretGone` when one of them is past its time at the queue's time `time`, was given up with its key, or
    ///   is not there any more; `tampered` when one of them, or the submission, is not what was written.
    static func deliver(
        _ submission: ClaimedSubmission, of flow: UUIDv7, at time: Timestamp, with vault: Vault, in db: Connection
    ) throws -> [String: Secret] {
        let rows = try all(of: flow, in: db)
        if !rows.isEmpty, let identity = try vault.identity(in: db) {
            // What is past its time stays closed, and a key that was given up cannot tell what was changed since.
            guard rows.allSatisfy({ time < $0.expiresAt && $0.keyID == identity.key.name }) else { throw gone }
            try vault.verify(submission, in: db)
        }
        let secrets = try rows.reduce(into: [:]) { secrets, row in
            secrets[row.step] = try open(row, with: vault, in: db)
        }
        let answered = try db.rows(
            "SELECT step FROM flow_steps WHERE flow_id = ? AND kept = 'sealed'", flow.text
        ) { try $0.text(0) }
        guard answered.allSatisfy({ secrets[$0] != nil }) else { throw gone }
        return secrets
    }

    private static var gone: StoreError {
        StoreError(.secretGone, "What was entered is not there any more; its step has to be answered again.")
    }

    /// The secrets under a key that are not past their time at the queue's time `time`.
    static func readable(with keyID: String, at time: Timestamp, in db: Connection) throws -> [Sealed] {
        try db.rows(allReadable, keyID, time.milliseconds, decode: Sealed.init(row:))
    }

    /// Puts another box of the same secret into its place.
    static func replaceBox(
        of sealed: Sealed, by box: [UInt8], under keyID: String, in db: Connection
    ) throws {
        try db.run(
            "UPDATE secrets SET box = ?, key_id = ? WHERE flow_id = ? AND step = ?", BoxText(box), keyID,
            sealed.flow.text, sealed.step)
    }

    static func open(_ sealed: Sealed, with vault: Vault, in db: Connection) throws -> Secret {
        try vault.open(
            sealed.box, of: sealed.keyID, table: "secrets", column: "box", row: sealed.place, version: sealed.version,
            in: db)
    }

    /// Until when the secrets of a flow can be used, by step and by the queue's clock, as far as they lie
    /// under the store's key; whatever is in their boxes.
    static func expiries(of flow: UUIDv7, in db: Connection) throws -> [String: Timestamp] {
        let rows = try db.rows(
            """
            SELECT step, expires_at FROM secrets WHERE flow_id = ? AND key_id = (SELECT key_id FROM store)
            """, flow.text
        ) { (try $0.text(0), try $0.milliseconds(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Until when the secrets of a flow can be used, by step and by the queue's clock, on which it is `time`; without
    /// those that nothing can open. A key that is locked is not lost: what lies under it counts as usable.
    static func ends(
        of flow: UUIDv7, at time: Timestamp, with vault: Vault, in db: Connection
    ) throws -> [String: Timestamp] {
        try all(of: flow, in: db).reduce(into: [:]) { ends, sealed in
            // What is past its time stays closed.
            guard time < sealed.expiresAt else { return ends[sealed.step] = sealed.expiresAt }
            do {
                let isWhole = try vault.opens(
                    sealed.box, of: sealed.keyID, table: "secrets", column: "box", row: sealed.place,
                    version: sealed.version, in: db)
                if isWhole { ends[sealed.step] = sealed.expiresAt }
            } catch let error as StoreError {
                if error.code == .keyLocked { ends[sealed.step] = sealed.expiresAt }
            }
        }
    }

    /// Whether one of the texts is a secret that is sealed under the device's key as an answer of the flow. What only the
    /// server can open, or a key that is not there, cannot be compared.
    static func contain(_ texts: [String], of flow: UUIDv7, with vault: Vault, in db: Connection) throws -> Bool {
        guard !texts.isEmpty else { return false }
        let secrets = try all(of: flow, in: db)
        guard !secrets.isEmpty else { return false }
        let forms = texts.flatMap(SecretText.forms)
        return try secrets.contains { sealed in
            try vault.isText(
                sealed.box, of: sealed.keyID, among: forms, table: "secrets", column: "box", row: sealed.place,
                version: sealed.version, in: db)
        }
    }

    /// Lets a flow's secrets live for as long as its submission, by the queue's clock; what is past its time already is
    /// not brought back to life.
    /// - Returns: how many secrets there are.
    static func queue(of flow: UUIDv7, at time: Timestamp, until end: Timestamp, in db: Connection) throws -> Int {
        try db.run("DELETE FROM secrets WHERE flow_id = ? AND expires_at <= ?", flow.text, time.milliseconds)
        return try db.run("UPDATE secrets SET expires_at = ? WHERE flow_id = ?", end.milliseconds, flow.text)
    }

    /// Lets a flow's secrets live as long as those of an open flow do, from the queue's time `time` on.
    static func keepOpen(of flow: UUIDv7, from time: Timestamp, in db: Connection) throws {
        let longest = Int64.max - max(0, time.milliseconds)  // Any number can stand in a database.
        try db.run(
            "UPDATE secrets SET expires_at = ? + min(lifetime, ?) WHERE flow_id = ?", time.milliseconds, longest,
            flow.text)
    }

    static func count(in db: Connection) throws -> Int {
        Int(try db.first("SELECT count(*) FROM secrets") { try $0.integer(0) } ?? 0)
    }

    /// Destroys the secret of one step.
    static func destroy(of flow: UUIDv7, step: String, in db: Connection) throws {
        try db.run("DELETE FROM secrets WHERE flow_id = ? AND step = ?", flow.text, step)
    }

    /// Destroys the secrets that were sealed for the delivery only.
    static func destroyVolatile(of flow: UUIDv7, in db: Connection) throws {
        try db.run(
            """
            DELETE FROM secrets WHERE flow_id = ?1
                AND step IN (SELECT step FROM flow_steps WHERE flow_id = ?1 AND kept = 'volatile')
            """, flow.text)
    }

    /// Destroys all secrets of a flow.
    static func destroyAll(of flow: UUIDv7, in db: Connection) throws {
        try db.run("DELETE FROM secrets WHERE flow_id = ?", flow.text)
    }

    private static func row(_ flow: UUIDv7, _ step: String) -> String {
        "\(flow.text)/\(step)"
    }
}

extension Secrets.Sealed {
    /// Decodes `Secrets.columns`.
    init(row: Row) throws {
        self.init(
            flow: try row.id(0), step: try row.text(1), version: try row.integer(2), keyID: try row.text(3),
            box: try row.box(4), expiresAt: try row.milliseconds(5))
    }
}
