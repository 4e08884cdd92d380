package import FoyerModel
import FoyerSQLite

extension Repositories {
    /// Makes a new key, seals every secret under it and removes the old key.
    ///
    /// Wherever it is ended by force, each secret opens with exactly one of the keys that are there, and the next use of
    /// the key finishes what was begun. Another store that shares the key loses its secrets with the old one.
    /// - Returns: how many secrets were sealed again; what is past its time is left to the old key.
    /// - Throws: `keyMissing`, `keyLocked`, `wrongKey`, `unsafeKeyFile` when the present key is not there; `cannotCreate`,
    ///   also where the key comes from outside and a new one has to come from there, too; `notFound` when nothing was
    ///   ever sealed.
    package func rotateKey() async throws(StoreError) -> Int {
        // Alone: a neighbour in the same transaction would bring the new key into place before the store is tied to it.
        let count = try await write(isAlone: true) { [vault, clock] db in
            try vault.rotate(at: try clock.mark(in: db), in: db)
        }
        // The store is tied to the new key: from here on any use of it brings the key into the place of the old one. As a
        // writer, so that nobody changes the key once more meanwhile.
        _ = try await write { [vault] db in try vault.identity(in: db)?.key.name }
        return count
    }

    /// What giving up the lost key of the store would make unreadable.
    /// - Throws: `notFound` when there is nothing to give up, because the key is there or nothing was ever sealed;
    ///   `unsafeKeyFile`, `keyLocked` when a key is there that only has to be mended or unlocked.
    package func keyLoss() async throws(StoreError) -> KeyLoss {
        try await read { [vault] db in
            try vault.requireLoss(in: db)
            return try KeyLoss(in: db)
        }
    }

    /// Gives up the lost key of the store: ties the store to the key that is there, or to one that is made.
    ///
    /// No row is deleted: the steps whose secrets cannot be opened any more are asked again.
    /// - Throws: as `keyLoss`; `cannotCreate`.
    package func resetKey() async throws(StoreError) -> KeyLoss {
        try await write(isAlone: true) { [vault, environment] db in
            try vault.requireLoss(in: db)
            let loss = try KeyLoss(in: db)
            try vault.reset(in: db)
            try Events.add(.keyGivenUp, at: environment.now(), in: db)
            return loss
        }
    }
}

extension KeyLoss {
    fileprivate init(in db: Connection) throws {
        func count(_ sql: SQL) throws -> Int {
            Int(try db.first(sql) { try $0.integer(0) } ?? 0)
        }
        self.init(
            flows: try count(
                """
                SELECT count(DISTINCT secrets.flow_id) FROM secrets JOIN store USING (key_id)
                    JOIN flows ON flows.id = secrets.flow_id
                WHERE flows.status = 'open'
                """),
            submissions: try count(
                """
                SELECT count(*) FROM submissions
                WHERE settled_at IS NULL AND flow_id IN (SELECT flow_id FROM secrets JOIN store USING (key_id))
                """))
    }
}

extension Vault {
    /// Seals what can be opened under a key that lies beside the present one, and ties the store to it.
    fileprivate func rotate(at now: Moment, in db: Connection) throws -> Int {
        guard let old = try identity(in: db) else {
            throw StoreError(.notFound, "Nothing was sealed in this store yet: it has no key to change.")
        }
        let new = Identity(store: old.store, key: try provider.makeNext())
        var count = 0
        for sealed in try Secrets.readable(with: old.key.name, at: now.time, in: db) {
            // What is not the one that was written stays as it is: it has to be found out later, too.
            guard let secret = try? Secrets.open(sealed, with: self, in: db) else { continue }
            let box = SealedBox.seal(
                secret, under: new.key, at: place(new.store, "secrets", "box", sealed.place, sealed.version))
            try Verifiers.sealAgain(beside: sealed, under: new, with: self, in: db)
            try Secrets.replaceBox(of: sealed, by: box, under: new.key.name, in: db)
            count += 1
        }
        try Verifiers.sealAgain(old, under: new, with: self, in: db)
        try signAgain(old, by: new, in: db)
        try tie(to: new, in: db)
        try Events.add(.keyChanged, at: now.wall, in: db)
        return count
    }

    /// - Throws: `notFound` where the key is not lost.
    fileprivate func requireLoss(in db: Connection) throws {
        do {
            guard try identity(in: db) != nil else {
                throw StoreError(.notFound, "Nothing was sealed in this store yet: there is no key to give up.")
            }
            throw StoreError(.notFound, "The key is there and opens this store.", recovery: .rotateKey)
        } catch let error as StoreError where error.code == .keyMissing || error.code == .wrongKey {}
    }

    fileprivate func reset(in db: Connection) throws {
        guard let store = try db.first("SELECT id FROM store", decode: { try $0.text(0) }) else { return }
        try tie(to: Identity(store: store, key: try anyKey()), in: db)
    }

    private func tie(to identity: Identity, in db: Connection) throws {
        try db.run("UPDATE store SET key_id = ?, key_check = ?", identity.key.name, BoxText(check(of: identity)))
    }
}
