package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// Whether a name and a password are those that the network has accepted last; see `OfflineSignIn`.
    ///
    /// Each try is on the disk before its password is hashed, so that ending the program takes none back.
    /// - Throws: `keyMissing`, `keyLocked`, `wrongKey` where the device's key is not there; `failed` without enough
    ///   memory.
    package func verifyOffline(userName: String, password: Secret) async throws(StoreError) -> OfflineSignIn.Verdict {
        guard let work = offlineWork else { return .needsOnline }
        guard let name = try? UserName.existing(userName), let password = try? Password.preparedExisting(password)
        else {
            return .wrong
        }
        let beginning = try await write { [vault, clock] db in
            try OfflineTry.begin(for: UserName.key(name), at: try clock.mark(in: db).time, with: vault, in: db)
        }
        guard case .go(let attempt) = beginning else { return beginning.verdict }
        // Whether there is such a person, cannot be told from the time that it takes.
        let isRight = await PasswordVerifier.matches(password, attempt.verifier ?? PasswordVerifier.dummy(work))
        var renewed: Secret?
        if isRight, let verifier = attempt.verifier, PasswordVerifier.work(of: verifier) != work {
            renewed = try? await PasswordVerifier.make(of: password, work: work)
        }
        return try await write { [vault, environment, renewed] db in
            try attempt.end(
                isRight: isRight, renewed: renewed, at: environment.now(), with: vault, in: db)
        }
    }

    /// The verifiers of what a change brings, by step: of a password that was typed, where offline sign-in is on.
    func verifiers(of change: FlowChange) async -> [String: Secret] {
        guard let offlineWork, change.flow.kind != .reset else { return [:] }
        var password: Secret?
        if case .submitted(let finish) = change.outcome { password = finish.secrets["password"] }
        for answer in change.answers where answer.step == "password" {
            if case .secret(let secret) = answer.content { password = secret }
        }
        guard let password, password.form == .text else { return [:] }
        // No answer is lost for want of memory.
        guard let verifier = try? await PasswordVerifier.make(of: password, work: offlineWork) else { return [:] }
        return ["password": verifier]
    }
}

/// One try, which counts from its beginning on.
private struct OfflineTry: Sendable {
    enum Beginning {
        case go(OfflineTry)
        case locked(Duration)
        case exhausted

        var verdict: OfflineSignIn.Verdict {
            if case .locked(let time) = self { .locked(time) } else { .needsOnline }
        }
    }

    let account: String
    let user: UUIDv7?
    /// Nil where there is nobody, or nothing to compare with: then a dummy is hashed.
    let verifier: Secret?

    static func begin(
        for name: String, at time: Timestamp, with vault: Vault, in db: Connection
    ) throws -> Beginning {
        guard let identity = try vault.identity(in: db) else { return .exhausted }
        let user = try Verifiers.person(named: name, in: db)
        // What was typed in place of a name may be a password: it is kept for nobody to read.
        let account = user?.text ?? DeviceKey.name(of: identity.key.signature(of: Array("foyer/name/\(name)".utf8)))
        try Verifiers.prune(at: time, in: db)
        let tries = try Verifiers.tries(of: account, in: db)
        switch OfflineThrottle.decide(count: tries?.count ?? 0, lockedUntil: tries?.lockedUntil ?? time, at: time) {
        case .locked(let wait): return .locked(wait)
        case .exhausted:
            if let user { try Verifiers.drop(user, in: db) }
            return .exhausted
        case .attempt(let count, let wait):
            try Verifiers.note(count, of: account, user: user, lockedUntil: time + wait, in: db)
            let found = try user.flatMap { try Verifiers.find($0, at: time, with: vault, in: db) }
            let isBearable = found.map { PasswordVerifier.work(of: $0) != nil } ?? false
            return .go(OfflineTry(account: account, user: user, verifier: isBearable ? found : nil))
        }
    }

    func end(
        isRight: Bool, renewed: Secret?, at now: Timestamp, with vault: Vault, in db: Connection
    ) throws -> OfflineSignIn.Verdict {
        if isRight, let user, let person = try Users.find(user, in: db) {
            try Verifiers.forgive(account, in: db)
            if let renewed { try Verifiers.renew(renewed, of: user, with: vault, in: db) }
            try Events.add(.signedInOffline, user: user, at: now, in: db)
            return .right(person)
        }
        // The network may have accepted the person meanwhile, and all tries be forgotten.
        if let user, let tries = try Verifiers.tries(of: account, in: db), tries.count >= OfflineThrottle.limit {
            try Verifiers.drop(user, in: db)
            try Events.add(.offlineSignInGivenUp, user: user, at: now, in: db)
        }
        return .wrong
    }
}
