import FoyerModel
import FoyerSQLite

/// The statements on what is needed for signing in without the network.
enum Verifiers {
    private static let lifetime = Duration.seconds(90 * 86400)

    /// Seals verifiers beside the secrets that were just put there, by step.
    static func keep(_ verifiers: [String: Secret], of flow: UUIDv7, with vault: Vault, in db: Connection) throws {
        if verifiers.isEmpty { return }
        for sealed in try Secrets.all(of: flow, in: db) {
            guard let verifier = verifiers[sealed.step] else { continue }
            let (_, box) = try vault.seal(
                verifier, table: "secrets", column: "verifier", row: sealed.place, version: sealed.version, in: db)
            try put(box, beside: sealed, in: db)
        }
    }

    private static func put(_ box: [UInt8], beside sealed: Secrets.Sealed, in db: Connection) throws {
        try db.run(
            "UPDATE secrets SET verifier = ? WHERE flow_id = ? AND step = ?", BoxText(box), sealed.flow.text,
            sealed.step)
    }

    private static func pending(_ sealed: Secrets.Sealed, with vault: Vault, in db: Connection) throws -> Secret? {
        let box = try db.first(
            "SELECT verifier FROM secrets WHERE flow_id = ? AND step = ?", sealed.flow.text, sealed.step
        ) { try $0.boxOrNil(0) }
        guard let box = box ?? nil else { return nil }
        return try vault.open(
            box, of: sealed.keyID, table: "secrets", column: "verifier", row: sealed.place, version: sealed.version,
            in: db)
    }

    /// The verifier that lies beside the password of a flow which the network has accepted.
    ///
    /// The network's verdict stands, whatever became of the key or the box: then there is none.
    static func pending(of flow: UUIDv7, with vault: Vault, in db: Connection) throws -> Secret? {
        do {
            for sealed in try Secrets.all(of: flow, in: db) {
                if let verifier = try pending(sealed, with: vault, in: db) { return verifier }
            }
        } catch is StoreError {}
        return nil
    }

    /// Makes a verifier that of the person whom the network has accepted, and forgets all wrong tries.
    static func accept(
        _ verifier: Secret, with submission: UUIDv7, at time: Timestamp, vault: Vault, in db: Connection
    ) throws {
        let user = try db.first("SELECT user_id FROM submissions WHERE id = ?", submission.text) { try $0.textOrNil(0) }
        guard let text = user ?? nil, let user = UUIDv7(text) else { return }
        try put(verifier, of: user, at: time, with: vault, in: db)
        try forgive(user.text, in: db)
    }

    static func put(
        _ verifier: Secret, of user: UUIDv7, at time: Timestamp, with vault: Vault, in db: Connection
    ) throws {
        let (keyID, box) = try vault.seal(
            verifier, table: "verifiers", column: "box", row: user.text, version: 1, in: db)
        try db.run(
            """
            INSERT INTO verifiers (user_id, key_id, box, expires_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, box = excluded.box,
                expires_at = excluded.expires_at
            """, user.text, keyID, BoxText(box), (time + lifetime).milliseconds)
    }

    /// Makes verifiers older that were accepted before the queue's time `moment`; both in milliseconds.
    static func age(what moment: Int64, by time: Int64, in db: Connection) throws {
        try db.run(
            "UPDATE verifiers SET expires_at = expires_at - ?2 WHERE expires_at - ?3 < ?1", moment, time,
            lifetime.milliseconds)
    }

    /// Puts a verifier with today's work in the place of one that is right.
    static func renew(_ verifier: Secret, of user: UUIDv7, with vault: Vault, in db: Connection) throws {
        let (keyID, box) = try vault.seal(
            verifier, table: "verifiers", column: "box", row: user.text, version: 1, in: db)
        try db.run("UPDATE verifiers SET key_id = ?, box = ? WHERE user_id = ?", keyID, BoxText(box), user.text)
    }

    static func drop(_ user: UUIDv7, in db: Connection) throws {
        try db.run("DELETE FROM verifiers WHERE user_id = ?", user.text)
    }

    /// The active person of that name: one with a verifier before others, the newest of several.
    static func person(named key: String, in db: Connection) throws -> UUIDv7? {
        try db.first(
            """
            SELECT id FROM users LEFT JOIN verifiers ON user_id = id
            WHERE user_name_key = ? AND status = 'active' ORDER BY user_id IS NULL, id DESC LIMIT 1
            """, key
        ) { try $0.id(0) }
    }

    /// A person's verifier; nil where there is none that can be used at that time, or that this key opens.
    static func find(_ user: UUIDv7, at time: Timestamp, with vault: Vault, in db: Connection) throws -> Secret? {
        let row = try db.first("SELECT key_id, box, expires_at FROM verifiers WHERE user_id = ?", user.text) {
            (keyID: try $0.text(0), box: try $0.box(1), end: try $0.milliseconds(2))
        }
        guard let row, time < row.end else { return nil }
        do {
            return try vault.open(
                row.box, of: row.keyID, table: "verifiers", column: "box", row: user.text, version: 1, in: db)
        } catch let error as StoreError where error.code == .tampered || error.code == .secretGone {
            return nil
        }
    }

    // MARK: Tries

    static func tries(of account: String, in db: Connection) throws -> (count: Int64, lockedUntil: Timestamp)? {
        try db.first("SELECT count, locked_until FROM offline_attempts WHERE account = ?", account) {
            (try $0.integer(0), try $0.milliseconds(1))
        }
    }

    static func note(
        _ count: Int64, of account: String, user: UUIDv7?, lockedUntil: Timestamp, in db: Connection
    ) throws {
        try db.run(
            """
            INSERT INTO offline_attempts (account, user_id, count, locked_until) VALUES (?, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET count = excluded.count, locked_until = excluded.locked_until
            """, account, user?.text, count, lockedUntil.milliseconds)
    }

    /// Forgets tries of names that nobody here has, a day after they could be tried again: whoever types many of them
    /// must not fill the disk.
    static func prune(at time: Timestamp, in db: Connection) throws {
        try db.run(
            "DELETE FROM offline_attempts WHERE user_id IS NULL AND locked_until < ?",
            (time + .seconds(-86400)).milliseconds)
    }

    static func forgive(_ account: String, in db: Connection) throws {
        try db.run("DELETE FROM offline_attempts WHERE account = ?", account)
    }

    // MARK: Another key

    /// Seals under another key what lies beside a secret that is sealed again.
    static func sealAgain(
        beside sealed: Secrets.Sealed, under new: Vault.Identity, with vault: Vault, in db: Connection
    ) throws {
        guard let verifier = try? pending(sealed, with: vault, in: db) else { return }
        let place = vault.place(new.store, "secrets", "verifier", sealed.place, sealed.version)
        try put(SealedBox.seal(verifier, under: new.key, at: place), beside: sealed, in: db)
    }

    /// Seals under another key what counts already; however old it is, its end stays what it was.
    static func sealAgain(
        _ old: Vault.Identity, under new: Vault.Identity, with vault: Vault, in db: Connection
    ) throws {
        let users = try db.rows("SELECT user_id FROM verifiers WHERE key_id = ?", old.key.name) { try $0.id(0) }
        for user in users {
            guard let verifier = try find(user, at: Timestamp(milliseconds: 0), with: vault, in: db) else { continue }
            let place = vault.place(new.store, "verifiers", "box", user.text, 1)
            try db.run(
                "UPDATE verifiers SET key_id = ?, box = ? WHERE user_id = ?", new.key.name,
                BoxText(SealedBox.seal(verifier, under: new.key, at: place)), user.text)
        }
    }
}
