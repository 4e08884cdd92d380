import FoyerModel
import FoyerSQLite

/// The statements on `secrets`.
enum Secrets {
    /// How long a secret can be used while its flow is open.
    static let lifetimeWhileOpen = Duration.seconds(24 * 3600)

    /// Seals a secret as the answer of a step, in the place of an earlier one.
    static func put(
        _ secret: Secret, of saved: SavedFlow, step: String, at now: Timestamp, sealing vault: Vault,
        in db: Connection
    ) throws {
        let flow = saved.id
        var secret = secret
        if let key = vault.sealingKey {
            let field = FlowDefinition.standard(for: saved.kind)[step: step]?.field.apiKey ?? step
            secret = try ServerBox.seal(secret, to: key, flow: flow, field: field, at: now)
        }
        let version = try db.first(
            "SELECT version FROM secrets WHERE flow_id = ? AND step = ?", flow.text, step
        ) { try $0.integer(0) }
        let next = (version ?? 0) + 1
        let (keyID, box) = try vault.seal(
            secret, table: "secrets", column: "box", row: row(flow, step), version: next, in: db)
        try db.run(
            """
            INSERT INTO secrets (flow_id, step, version, key_id, box, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (flow_id, step) DO UPDATE SET version = excluded.version, key_id = excluded.key_id,
                box = excluded.box, created_at = excluded.created_at, expires_at = excluded.expires_at
            """,
            flow.text, step, next, keyID, box, now.description, (now + lifetimeWhileOpen).milliseconds)
    }

    /// Opens the secrets of a flow, by step.
    static func open(of flow: UUIDv7, with vault: Vault, in db: Connection) throws -> [String: Secret] {
        let rows = try db.rows("SELECT step, version, box FROM secrets WHERE flow_id = ?", flow.text) { row in
            (step: try row.text(0), version: try row.integer(1), box: try row.blob(2))
        }
        return try rows.reduce(into: [:]) { secrets, sealed in
            secrets[sealed.step] = try vault.open(
                sealed.box, table: "secrets", column: "box", row: row(flow, sealed.step), version: sealed.version,
                in: db)
        }
    }

    /// Sets until when a flow's secrets can be used.
    static func keep(of flow: UUIDv7, until end: Timestamp, in db: Connection) throws {
        try db.run("UPDATE secrets SET expires_at = ? WHERE flow_id = ?", end.milliseconds, flow.text)
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
