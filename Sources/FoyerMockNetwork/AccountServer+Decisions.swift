import FoyerModel
import FoyerSQLite

extension AccountServer {
    /// What is done and answered inside the transaction.
    typealias Decision = @Sendable (Connection) throws -> WireAnswer

    func decision(
        for kind: FlowKind, _ wire: WireRequest, _ password: SubmittedSecret
    ) async throws -> Decision {
        switch kind {
        case .register: try await registration(wire, password)
        case .login: try await login(wire, password)
        case .reset: reset(wire)
        }
    }

    private func registration(_ wire: WireRequest, _ submitted: SubmittedSecret) async throws -> Decision {
        var check = FieldCheck(wire)
        let email = check.text("email_field") { text throws(FieldMessage) in try EmailAddress.normalized(text) }
        let userName = check.text("user_name") { text throws(FieldMessage) in try UserName.normalized(text) }
        let first = check.text("first_name") { text throws(FieldMessage) in try PersonName.normalized(text) }
        let last = check.text("last_name") { text throws(FieldMessage) in try PersonName.normalized(text) }
        let password = check.password(submitted, personal: [email, userName])
        let errors = check.errors
        guard errors.isEmpty, let password else { return { _ in .refused(status: 422, errors) } }
        let hash = try await hashing.hash(password)
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

    /// Who cannot sign in is not told why: the same answer after the same work, whether the name is known or not.
    private func login(_ wire: WireRequest, _ submitted: SubmittedSecret) async throws -> Decision {
        // Of a box, what is wrong may be told: it does not depend on who has an account.
        if case .refused(let problem) = submitted {
            let refused = WireAnswer.FieldError(field: "password", problem)
            return { _ in .refused(status: 422, [refused]) }
        }
        let key = UserName.key(wire.fields["user_name"] ?? "")
        let account = try await database.read { db in
            try db.first("SELECT id, password_hash FROM accounts WHERE user_name_key = ?", key) { row in
                (id: try row.text(0), hash: try row.text(1))
            }
        }
        let password = submitted.secret.flatMap { try? Password.preparedExisting($0) }
        let isRight = await PasswordHashing.verify(password ?? Secret(""), against: account?.hash ?? decoy)
        guard isRight, password != nil, let account else {
            let failed = WireAnswer.FieldError(field: "password", FieldMessage("login.failed"))
            return { _ in .refused(status: 422, [failed]) }
        }
        return { _ in .accepted(userID: account.id) }
    }

    /// The same answer for every address, without a look at the accounts: it must not tell who has one.
    private func reset(_ wire: WireRequest) -> Decision {
        var check = FieldCheck(wire)
        _ = check.text("email_field") { text throws(FieldMessage) in try EmailAddress.normalized(text) }
        let errors = check.errors
        return { _ in errors.isEmpty ? .accepted(userID: nil) : .refused(status: 422, errors) }
    }
}

private func exists(_ sql: SQL, _ key: String, in db: Connection) throws -> Bool {
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

    mutating func password(_ submitted: SubmittedSecret, personal: [String]) -> Secret? {
        if case .refused(let problem) = submitted {
            errors.append(WireAnswer.FieldError(field: "password", problem))
            return nil
        }
        do throws(FieldMessage) {
            return try Password.preparedNew(submitted.secret ?? Secret(""), personal: personal)
        } catch {
            errors.append(WireAnswer.FieldError(field: "password", error))
            return nil
        }
    }
}
