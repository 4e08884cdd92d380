import FoyerModel
import FoyerSQLite

/// The rules of the account server: what it accepts, what it refuses, and what it remembers of both.
struct AccountServer: Sendable {
    let database: Database
    let hashing: PasswordHashing
    let environment: FoyerEnvironment
    let sealingKey: SealingKeyPair
    /// The hash of nobody's password: an unknown name costs the same work as a known one.
    let decoy: String

    /// Whether it admits to forget: an unknown key from another time than now may have been here before.
    let forgets: Bool

    /// How long a key is sure to be remembered.
    static let retention = Duration.seconds(30 * 86400)
    /// How far ahead of this server's clock a client's may be. A key from further ahead would still look new when the
    /// server has forgotten it.
    private static let lead = Duration.seconds(86400)

    /// Opens the server's file, or makes it.
    static func open(
        at path: String, hashing: PasswordHashing, environment: FoyerEnvironment, forgets: Bool
    ) async throws -> AccountServer {
        let database = try await Database.open(
            Database.Configuration(
                path: path, applicationID: 0x466F_794E, migrations: MockSchema.migrations, createIfMissing: true))
        return AccountServer(
            database: database, hashing: hashing, environment: environment,
            sealingKey: try await .load(from: database, at: environment.now()),
            decoy: try await hashing.hash(Secret("nobody's password")), forgets: forgets)
    }

    func answer(_ request: SubmissionRequest) async throws -> NetworkReply {
        guard let wire = WireRequest(request.body) else {
            return try NetworkReply(.problem(status: 400, type: "malformed", detail: "The body is not a submission"))
        }
        let now = environment.now()
        let password = SubmittedSecret(wire.secrets["password"], field: "password", key: sealingKey, at: now)
        // Passwords are hashed before the transaction begins, so that nobody waits for them.
        let decide = try await decision(for: request.kind, wire, password)
        let fingerprint = Self.fingerprint(request.kind, wire.fields)
        return try await database.write { db in
            if let known = try Self.knownAnswer(to: request.key, fingerprint, in: db) { return known }
            if isOutOfTime(request.key, at: now) { return try NetworkReply(.keyExpired) }
            let isUsed = try password.flow.map { try Self.isAccepted($0, in: db) } ?? false
            let used = WireAnswer.FieldError(field: "password", BoxProblem.used)
            let answer = isUsed ? WireAnswer.refused(status: 422, [used]) : try decide(db)
            return try Self.store(answer, to: request.key, fingerprint, flow: password.flow, at: now, in: db)
        }
    }

    /// What a submission was answered; 404 when it never came.
    func outcome(of key: UUIDv7) async throws -> NetworkReply {
        let now = environment.now()
        return try await database.read { db in
            try Self.storedAnswer(to: key, in: db)?.reply
                ?? NetworkReply(isOutOfTime(key, at: now) ? .keyExpired : .unknownKey)
        }
    }

    /// Refuses a submission that has not come yet; one that has come gets its own answer again.
    func cancel(_ key: UUIDv7) async throws -> NetworkReply {
        let now = environment.now()
        return try await database.write { db in
            if let known = try Self.storedAnswer(to: key, in: db) {
                return known.fingerprint == Self.cancelled ? try NetworkReply(.cancelled) : known.reply
            }
            // Whether it came before is unknown, so nobody can promise that it had no effect.
            if isOutOfTime(key, at: now) { return try NetworkReply(.keyExpired) }
            let refusal = WireAnswer.problem(status: 409, type: "cancelled", detail: "The submission was taken back")
            _ = try Self.store(refusal, to: key, Self.cancelled, flow: nil, at: now, in: db)
            return try NetworkReply(.cancelled)
        }
    }

    // MARK: Keys

    /// In place of a fingerprint: the key was taken back before anything came with it.
    private static let cancelled = "cancelled"

    private func isOutOfTime(_ key: UUIDv7, at now: Timestamp) -> Bool {
        guard forgets, let time = key.time else { return false }
        return now - time > Self.retention || time - now > Self.lead
    }

    /// Whether a submission with a box of that flow was accepted; a flow is accepted once.
    private static func isAccepted(_ flow: UUIDv7, in db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM answers WHERE flow_id = ? AND status = 201", flow.text) { _ in true } ?? false
    }

    private static func store(
        _ answer: WireAnswer, to key: UUIDv7, _ fingerprint: String, flow: UUIDv7?, at now: Timestamp,
        in db: Connection
    ) throws -> NetworkReply {
        let reply = try NetworkReply(answer)
        try db.run(
            "INSERT INTO answers (key, fingerprint, status, body, created_at, flow_id) VALUES (?, ?, ?, ?, ?, ?)",
            key.text, fingerprint, reply.status, String(decoding: reply.body, as: UTF8.self), now.description,
            flow?.text)
        return reply
    }

    private static func storedAnswer(
        to key: UUIDv7, in db: Connection
    ) throws -> (fingerprint: String, reply: NetworkReply)? {
        try db.first("SELECT fingerprint, status, body FROM answers WHERE key = ?", key.text) { row in
            let body = Array(try row.text(2).utf8)
            return (try row.text(0), NetworkReply(status: Int(try row.integer(1)), body: body, isReplay: true))
        }
    }

    private static func knownAnswer(
        to key: UUIDv7, _ fingerprint: String, in db: Connection
    ) throws -> NetworkReply? {
        guard let known = try storedAnswer(to: key, in: db) else { return nil }
        guard known.fingerprint == fingerprint || known.fingerprint == cancelled else {
            return try NetworkReply(
                .problem(status: 422, type: "key-reuse", detail: "The key was used for another submission"))
        }
        return known.reply
    }

    /// Names what was asked, without its secrets: a hash of a password must not lie anywhere.
    private static func fingerprint(_ kind: FlowKind, _ fields: [String: String]) -> String {
        Hash.hexadecimal(of: Array("\(kind.rawValue) \(SubmissionBody.stored(fields: fields))".utf8))
    }
}

extension NetworkReply {
    /// A scripted answer: 200 and 201 accept, everything else is a problem of that name.
    init(scripted message: String, _ status: Int) {
        let isAccepted = status == 200 || status == 201
        let answer =
            isAccepted
            ? WireAnswer.accepted(userID: nil) : WireAnswer.problem(status: status, type: "scripted", detail: message)
        self.init(status: status, body: Array(((try? answer.body()) ?? "").utf8))
    }

    fileprivate init(_ answer: WireAnswer) throws {
        self.init(status: answer.status, body: Array(try answer.body().utf8))
    }
}
