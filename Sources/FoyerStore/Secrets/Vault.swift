import FoyerModel
import FoyerSQLite
import Synchronization

/// Seals secrets for the database and opens them again, with a key that is read once, when it is first needed.
final class Vault: Sendable {
    private static let checkVersion: Int64 = 1

    let provider: any KeyProvider
    private let environment: FoyerEnvironment
    /// By which secrets have an end.
    let clock: QueueClock
    /// Where given, secrets are sealed for this server first.
    let sealingKey: SealingKey?
    private let loaded = Mutex<DeviceKey?>(nil)
    /// The tie that was checked last: it is asked for with every secret.
    private let identified = Mutex<(tie: Tie, identity: Identity)?>(nil)
    private let unlocking = Unlocking()

    init(
        provider: any KeyProvider, sealingKey: SealingKey? = nil, clock: QueueClock, environment: FoyerEnvironment
    ) {
        self.provider = provider
        self.clock = clock
        self.sealingKey = sealingKey
        self.environment = environment
    }

    /// A store and the key that it is tied to.
    struct Identity {
        let store: String
        let key: DeviceKey
    }

    /// How often a locked key was unlocked.
    var unlockCount: Int { unlocking.count.withLock { $0 } }

    /// Gets a key that is locked; whoever asks meanwhile waits for the same, and who found it locked before it was
    /// unlocked the last time asks nobody.
    /// - Throws: `keyLocked`.
    func unlock(since count: Int) async throws(StoreError) { try await unlocking.run(provider, since: count) }

    /// Seals a secret for one place; the first secret of a store makes the key and ties the store to it.
    func seal(
        _ secret: Secret, table: StaticString, column: StaticString, row: String, version: Int64, in db: Connection
    ) throws -> (keyID: String, box: [UInt8]) {
        let identity = try identity(in: db) ?? bind(in: db)
        let place = place(identity.store, table, column, row, version)
        return (identity.key.name, SealedBox.seal(secret, under: identity.key, at: place))
    }

    /// Opens what was sealed for that place under the key of that name.
    /// - Throws: `keyMissing`, `keyLocked`, `wrongKey`, `unsafeKeyFile` where the store's key is not there; `secretGone`
    ///   when the key was given up meanwhile; `tampered`.
    func open(
        _ box: [UInt8], of keyID: String, table: StaticString, column: StaticString, row: String, version: Int64,
        in db: Connection
    ) throws -> Secret {
        let identity = try identity(thatSealed: keyID, in: db)
        let place = place(identity.store, table, column, row, version)
        do throws(StoreError) {
            return try SealedBox.open(box, with: identity.key, at: place)
        } catch {
            // The row names the store's key: a box that names another is not the one that was written.
            throw StoreError(.tampered, SealedBox.tamperedMessage(in: place), cause: error)
        }
    }

    /// Whether `open` would open it.
    /// - Throws: as `open`, but for `tampered`.
    func opens(
        _ box: [UInt8], of keyID: String, table: StaticString, column: StaticString, row: String, version: Int64,
        in db: Connection
    ) throws -> Bool {
        let identity = try identity(thatSealed: keyID, in: db)
        return SealedBox.opens(box, with: identity.key, at: place(identity.store, table, column, row, version))
    }

    /// Whether `open` would give one of these texts; false where the key is not there.
    func isText(
        _ box: [UInt8], of keyID: String, among texts: [String], table: StaticString, column: StaticString,
        row: String, version: Int64, in db: Connection
    ) throws -> Bool {
        do {
            let identity = try identity(thatSealed: keyID, in: db)
            let place = place(identity.store, table, column, row, version)
            return SealedBox.isText(box, among: texts, with: identity.key, at: place)
        } catch is StoreError {
            return false
        }
    }

    private func identity(thatSealed keyID: String, in db: Connection) throws -> Identity {
        guard let identity = try identity(in: db) else {
            throw StoreError(.tampered, "A sealed value lies in a store that never had a key; answer that step again.")
        }
        guard keyID == identity.key.name else {
            throw StoreError(.secretGone, "What was entered was given up with its key; answer that step again.")
        }
        return identity
    }

    /// The store's identifier and the key that it is tied to; nil when it is not tied to any.
    /// - Throws: `keyMissing`, `keyLocked`, `wrongKey`, `unsafeKeyFile` where the key is not there.
    func identity(in db: Connection) throws -> Identity? {
        try Tie(in: db).map(identity(of:))
    }

    /// What ties a store to its key, as it stands in the table `store`.
    struct Tie: Sendable, Equatable {
        fileprivate let store: String
        fileprivate let keyID: String
        fileprivate let check: [UInt8]

        init?(in db: Connection) throws {
            let row = try db.first("SELECT id, key_id, key_check FROM store") {
                (try $0.text(0), try $0.text(1), try $0.box(2))
            }
            guard let row else { return nil }
            (store, keyID, check) = row
        }
    }

    func identity(of tie: Tie) throws(StoreError) -> Identity {
        guard let key = try load(tie.keyID) else {
            throw StoreError(
                .keyMissing,
                "The \(provider.title) is missing, and the store's secrets are sealed under it; bring it back, or give "
                    + "them up.", recovery: .provideKey)
        }
        guard key.name == tie.keyID else { throw belongsElsewhere }
        if let known = identified.withLock({ $0 }), known.tie == tie, known.identity.key === key {
            return known.identity
        }
        let place = place(tie.store, "store", "key_check", tie.store, Self.checkVersion)
        if SealedBox.opens(tie.check, with: key, at: place) {
            let identity = Identity(store: tie.store, key: key)
            identified.withLock { $0 = (tie, identity) }
            return identity
        }
        // Nothing can be said of any single box then, so that none of them is given up for it.
        throw StoreError(
            .wrongKey,
            "The row in the table store is not the one that was written; bring back a backup of the database, or give "
                + "the secrets up.", recovery: .resetKey)
    }

    private var belongsElsewhere: StoreError {
        StoreError(
            .wrongKey,
            "The \(provider.title) belongs to another store; name the right one, or give the secrets up.",
            recovery: .provideKey)
    }

    private func bind(in db: Connection) throws -> Identity {
        let identity = Identity(store: environment.makeID().text, key: try anyKey())
        try db.run(
            "INSERT INTO store (one, id, key_id, key_check) VALUES (1, ?, ?, ?)", identity.store, identity.key.name,
            BoxText(check(of: identity)))
        return identity
    }

    /// The key that is there, or one that is made.
    func anyKey() throws(StoreError) -> DeviceKey {
        if let key = try key(named: nil) { return key }
        try provider.create()
        guard let key = try key(named: nil) else {
            throw StoreError(.keyMissing, "The \(provider.title) vanished right after it was made.")
        }
        return key
    }

    /// The box that shows later which key the store is tied to.
    func check(of identity: Identity) -> [UInt8] {
        SealedBox.seal(
            Secret("foyer"), under: identity.key,
            at: place(identity.store, "store", "key_check", identity.store, Self.checkVersion))
    }

    /// The key of that name; another one where that is all there is.
    private func load(_ name: String) throws(StoreError) -> DeviceKey? {
        // Another process may have changed the key meanwhile.
        if let key = loaded.withLock({ $0 }), key.name == name { return key }
        let key = try key(named: name)
        loaded.withLock { $0 = key }
        return key
    }

    private func key(named name: String?) throws(StoreError) -> DeviceKey? {
        switch try provider.state(of: name) {
        case .available(let key): return key
        case .absent: return nil
        case .locked(let found):
            // No passphrase can make the right key of a wrong one: nobody is asked for it.
            if let name, let found, found != name { throw belongsElsewhere }
            throw StoreError(
                .keyLocked,
                "The \(provider.title) is locked, and nobody is there to unlock it; everything that needs no "
                    + "secret goes on.")
        }
    }

    func place(
        _ store: String, _ table: StaticString, _ column: StaticString, _ row: String, _ version: Int64
    ) -> SealedBox.Place {
        SealedBox.Place(
            store: store, table: "\(table)", column: "\(column)", row: row, version: version)
    }
}

/// Unlocks once, however many ask for it at the same time.
private actor Unlocking {
    private var current: Task<Result<Void, StoreError>, Never>?
    nonisolated let count = Mutex(0)

    func run(_ provider: any KeyProvider, since seen: Int) async throws(StoreError) {
        guard count.withLock({ $0 }) == seen else { return }
        let task =
            current
            ?? Task {
                do throws(StoreError) { return .success(try await provider.unlock()) } catch { return .failure(error) }
            }
        current = task
        let result = await task.value
        if current == task {
            current = nil
            if case .success = result { count.withLock { $0 += 1 } }
        }
        try result.get()
    }
}
