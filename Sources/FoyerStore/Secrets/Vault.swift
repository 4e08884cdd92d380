import FoyerModel
import FoyerSQLite
import Synchronization

/// Seals secrets for the database and opens them again, with a key that is read once, when it is first needed.
final class Vault: Sendable {
    private let keyFile: KeyFile
    private let environment: FoyerEnvironment
    /// Where given, secrets are sealed for this server first.
    let sealingKey: SealingKey?
    private let loaded = Mutex<DeviceKey?>(nil)

    init(keyFile: KeyFile, sealingKey: SealingKey? = nil, environment: FoyerEnvironment) {
        self.keyFile = keyFile
        self.sealingKey = sealingKey
        self.environment = environment
    }

    /// Seals a secret for one place; the first secret of a store makes the key file and ties the store to it.
    func seal(
        _ secret: Secret, table: StaticString, column: StaticString, row: String, version: Int64, in db: Connection
    ) throws -> (keyID: String, box: [UInt8]) {
        let (store, key) = try identity(in: db) ?? bind(in: db)
        return (key.name, SealedBox.seal(secret, under: key, at: place(store, table, column, row, version)))
    }

    /// Opens what was sealed for that place.
    /// - Throws: `keyMissing`, `wrongKey`, `unsafeKeyFile`, `tampered`.
    func open(
        _ box: [UInt8], table: StaticString, column: StaticString, row: String, version: Int64, in db: Connection
    ) throws -> Secret {
        guard let (store, key) = try identity(in: db) else {
            throw StoreError(.tampered, "A sealed value lies in a store that never had a key; answer that step again.")
        }
        return try SealedBox.open(box, with: key, at: place(store, table, column, row, version))
    }

    /// The store's identifier and the key that it is tied to; nil when it is not tied to any.
    private func identity(in db: Connection) throws -> (store: String, key: DeviceKey)? {
        guard
            let (store, keyID, check) = try db.first(
                "SELECT id, key_id, key_check FROM store", decode: { (try $0.text(0), try $0.text(1), try $0.blob(2)) })
        else { return nil }
        guard let key = try load() else {
            throw StoreError(
                .keyMissing,
                "The key file \(keyFile.path) is missing, and the store's secrets are sealed under it; bring it back.")
        }
        guard key.name == keyID else {
            throw StoreError(
                .wrongKey, "The key file \(keyFile.path) belongs to another store; name the right one with --key-file.")
        }
        _ = try SealedBox.open(check, with: key, at: place(store, "store", "key_check", store, 1))
        return (store, key)
    }

    private func bind(in db: Connection) throws -> (store: String, key: DeviceKey) {
        if try load() == nil { try keyFile.create() }
        guard let key = try load() else {
            throw StoreError(.keyMissing, "The key file \(keyFile.path) vanished right after it was made.")
        }
        let store = environment.makeID().text
        let check = SealedBox.seal(Secret("foyer"), under: key, at: place(store, "store", "key_check", store, 1))
        try db.run(
            "INSERT INTO store (one, id, key_id, key_check, created_at) VALUES (1, ?, ?, ?, ?)",
            store, key.name, check, environment.now().description)
        return (store, key)
    }

    private func load() throws(StoreError) -> DeviceKey? {
        if let key = loaded.withLock({ $0 }) { return key }
        let key = try keyFile.load()
        loaded.withLock { $0 = key }
        return key
    }

    private func place(
        _ store: String, _ table: StaticString, _ column: StaticString, _ row: String, _ version: Int64
    ) -> SealedBox.Place {
        SealedBox.Place(
            store: store, table: "\(table)", column: "\(column)", row: row, version: version)
    }
}
