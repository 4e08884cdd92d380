import CSodium
import FoyerModel
import FoyerSQLite

/// The rules of the account server: what it accepts, what it refuses, and what it remembers of both.
struct AccountServer: Sendable {
    let database: Database
    let hashing: PasswordHashing
    let environment: FoyerEnvironment

    func answer(_ request: SubmissionRequest) async throws -> NetworkReply {
        guard let wire = WireRequest(request.body) else {
            return try NetworkReply(.problem(status: 400, type: "malformed", detail: "The body is not a submission"))
        }
        // Passwords are hashed before the transaction begins, so that nobody waits for them.
        let decide = try await decision(for: request.kind, wire)
        let fingerprint = Self.fingerprint(request.kind, wire.fields)
        let now = environment.now().description
        return try await database.write { db in
            if let known = try Self.knownAnswer(to: request.key, fingerprint, in: db) { return known }
            let answer = try decide(db)
            return try Self.store(answer, to: request.key, fingerprint, at: now, in: db)
        }
    }

    /// What a submission was answered; 404 when it never came.
    func outcome(of key: UUIDv7) async throws -> NetworkReply {
        try await database.read { db in
            try Self.storedAnswer(to: key, in: db)?.reply
                ?? NetworkReply(.problem(status: 404, type: "unknown-key", detail: "No submission has this key"))
        }
    }

    /// Refuses a submission that has not come yet; one that has come gets its own answer again.
    func cancel(_ key: UUIDv7) async throws -> NetworkReply {
        let now = environment.now().description
        return try await database.write { db in
            if let known = try Self.storedAnswer(to: key, in: db) {
                return known.fingerprint == Self.cancelled ? try NetworkReply(.cancelled) : known.reply
            }
            let refusal = WireAnswer.problem(status: 409, type: "cancelled", detail: "The submission was taken back")
            _ = try Self.store(refusal, to: key, Self.cancelled, at: now, in: db)
            return try NetworkReply(.cancelled)
        }
    }

    /// In place of a fingerprint: the key was taken back before anything came with it.
    private static let cancelled = "cancelled"

    private static func store(
        _ answer: WireAnswer, to key: UUIDv7, _ fingerprint: String, at now: String, in db: Connection
    ) throws -> NetworkReply {
        let reply = try NetworkReply(answer)
        try db.run(
            "INSERT INTO answers (key, fingerprint, status, body, created_at) VALUES (?, ?, ?, ?, ?)",
            key.text, fingerprint, reply.status, String(decoding: reply.body, as: UTF8.self), now)
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
    private static func fingerprint(_ kind: SubmissionKind, _ fields: [String: String]) -> String {
        let text = Array("\(kind.rawValue) \(SubmissionBody.stored(fields: fields))".utf8)
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&hash, hash.count, text, UInt64(text.count), nil, 0)
        return hash.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Decisions

    private typealias Decision = @Sendable (Connection) throws -> WireAnswer

    private func decision(for kind: SubmissionKind, _ wire: WireRequest) async throws -> Decision {
        switch kind {
        case .register: try registration(wire)
        case .login: try await login(wire)
        // The same answer for everybody: it must not tell who has an account.
        case .reset: { _ in .accepted(userID: nil) }
        }
    }

    private func registration(_ wire: WireRequest) throws -> Decision {
        var check = FieldCheck(wire)
        let email = check.text("email_field") { text throws(FieldMessage) in try EmailAddress.normalized(text) }
        let userName = check.text("user_name") { text throws(FieldMessage) in try UserName.normalized(text) }
        let first = check.text("first_name") { text throws(FieldMessage) in try PersonName.normalized(text) }
        let last = check.text("last_name") { text throws(FieldMessage) in try PersonName.normalized(text) }
        let password = check.password(personal: [email, userName])
        let errors = check.errors
        guard errors.isEmpty, let password else { return { _ in .refused(status: 422, errors) } }
        guard let hash = hashing.hash(password) else { throw PasswordHashing.OutOfMemory() }
        let id = environment.makeID().text, now = environment.now().description
        return { db in
            let emailKey = EmailAddress.key(email), userNameKey = UserName.key(userName)
            var taken: [WireAnswer.FieldError] = []
            if try exists("SELECT 1 FROM accounts WHERE email_key = ?", emailKey, in: db) {
                taken.append(WireAnswer.FieldError(taken: "email_field", FieldMessage("email.taken")))
            }
            if try exists("SELECT 1 FROM accounts WHERE user_name_key = ?", userNameKey, in: db) {
                taken.append(WireAnswer.FieldError(taken: "user_name", FieldMessage("username.taken")))
            }
            guard taken.isEmpty else { return .refused(status: 409, taken) }
            try db.run(
                """
                INSERT INTO accounts (id, email, email_key, user_name, user_name_key, first_name, last_name,
                    password_hash, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, id, email, emailKey, userName, userNameKey, first, last, hash, now)
            return .accepted(userID: id)
        }
    }

    private func login(_ wire: WireRequest) async throws -> Decision {
        let key = UserName.key(wire.fields["user_name"] ?? "")
        let account = try await database.read { db in
            try db.first("SELECT id, password_hash FROM accounts WHERE user_name_key = ?", key) { row in
                (id: try row.text(0), hash: try row.text(1))
            }
        }
        // An unknown name costs the same work as a known one.
        let hash = account?.hash ?? hashing.hash(Secret("nobody's password")) ?? ""
        let password = wire.secret("password").flatMap { secret in
            secret.withText { text in try? Secret(Password.preparedExisting(text)) }
        }
        let isRight = PasswordHashing.verify(password ?? Secret(""), against: hash) && password != nil
        guard isRight, let account else {
            let failed = WireAnswer.FieldError(field: "password", FieldMessage("login.failed"))
            return { _ in .refused(status: 422, [failed]) }
        }
        return { _ in .accepted(userID: account.id) }
    }
}

private func exists(_ sql: StaticString, _ key: String, in db: Connection) throws -> Bool {
    try db.first(sql, key) { _ in true } ?? false
}

/// Checks the fields of a request one by one and gathers what is wrong: a server trusts no client's checks.
private struct FieldCheck {
    let wire: WireRequest
    private(set) var errors: [WireAnswer.FieldError] = []

    init(_ wire: WireRequest) {
        self.wire = wire
    }

    mutating func text(_ field: String, _ rule: (String) throws(FieldMessage) -> String) -> String {
        do throws(FieldMessage) {
            return try rule(wire.fields[field] ?? "")
        } catch {
            errors.append(WireAnswer.FieldError(field: field, error))
            return ""
        }
    }

    mutating func password(personal: [String]) -> Secret? {
        let text = wire.secret("password").map { $0.withText { $0 } } ?? ""
        do throws(FieldMessage) {
            return Secret(try Password.preparedNew(text, personal: personal))
        } catch {
            errors.append(WireAnswer.FieldError(field: "password", error))
            return nil
        }
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
