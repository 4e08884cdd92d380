package import FoyerModel
import FoyerPlatform
import FoyerSQLite
import FoyerMigrations

/// The store in one SQLite file: people, flows, the outbox, sealed secrets and the journal.
///
/// The repositories are extensions of it, one file each; each of their calls is one transaction.
package struct Repositories: Sendable {
    /// `Foyr` in ASCII: tells a database of Foyer from every other SQLite file.
    static let applicationID: Int32 = 0x466F_7972

    /// The schema's history.
    static let migrations = EmbeddedMigrations.all.map {
        Migration(
            version: $0.version, name: $0.name, sql: $0.sql,
            schema: $0.version == EmbeddedMigrations.all.count ? EmbeddedMigrations.schema : nil)
    }

    static func configuration(at path: String, createIfMissing: Bool) -> Database.Configuration {
        Database.Configuration(
            path: path, applicationID: applicationID, migrations: migrations, createIfMissing: createIfMissing)
    }

    let database: Database
    let vault: Vault
    let workers: WorkerLocks
    let environment: FoyerEnvironment
    let clock: QueueClock
    let retention: RetentionPolicy
    /// How much work a verifier is; nil where offline sign-in is off.
    let offlineWork: Argon2Parameters?
    /// The network that flows which are begun here are for: `AccountNetwork.endpoint`.
    package let endpoint: String
    /// Whether flows that were begun for another endpoint are finished for that one.
    let keepsEndpoints: Bool
    /// Tells when something was queued in this process; a listener keeps one word that it has not heard yet.
    let arrivalBell = Broadcast<Void>(keepingNewest: 1)

    /// Opens the store at `path`, making or migrating the database where that is needed.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder is made when it is missing.
    ///   - key: where the device's key comes from; it is asked for, and made, when a secret is first sealed or opened.
    ///     A file with it lies in another folder than the database.
    ///   - endpoint: the network that what is finished here is made for.
    ///   - sealingKey: where given, secrets that are entered from now on can be opened by the server alone.
    ///   - offlineSignIn: where given, passwords that are entered from now on can be checked offline once they were
    ///     accepted.
    ///   - createIfMissing: false gives `noDatabase` where there is no file, and makes none.
    ///   - retention: for how long what nobody goes on with is kept.
    ///   - environment: the clock and the source of identifiers.
    /// - Throws: `StoreError`, such as `newerSchema`, `foreignDatabase`, `corrupt`, `cannotCreate`.
    package static func open(
        at path: String, key: KeySource, endpoint: EndpointChoice, sealingKey: SealingKey? = nil,
        offlineSignIn: OfflineSignIn? = nil,
        createIfMissing: Bool = true, retention: RetentionPolicy = RetentionPolicy(),
        environment: FoyerEnvironment = .system
    ) async throws(StoreError) -> Repositories {
        try await open(
            at: path, provider: key.provider, endpoint: endpoint, sealingKey: sealingKey, offlineSignIn: offlineSignIn,
            createIfMissing: createIfMissing, retention: retention, environment: environment)
    }

    /// Opens the store at `path` with the key in a file.
    /// - Throws: as with any other key.
    package static func open(
        at path: String, keyFile: String, endpoint: EndpointChoice, sealingKey: SealingKey? = nil,
        createIfMissing: Bool = true,
        retention: RetentionPolicy = RetentionPolicy(), environment: FoyerEnvironment = .system
    ) async throws(StoreError) -> Repositories {
        try await open(
            at: path, key: .file(keyFile), endpoint: endpoint, sealingKey: sealingKey, createIfMissing: createIfMissing,
            retention: retention, environment: environment)
    }

    static func open(
        at path: String, provider: any KeyProvider, endpoint: EndpointChoice, sealingKey: SealingKey? = nil,
        offlineSignIn: OfflineSignIn? = nil, createIfMissing: Bool = true,
        retention: RetentionPolicy = RetentionPolicy(), environment: FoyerEnvironment = .system
    ) async throws(StoreError) -> Repositories {
        do {
            try keepApart(database: path, provider)
            let configuration = configuration(at: path, createIfMissing: createIfMissing)
            let database = try await Database.open(configuration)
            let clock = QueueClock(environment: environment)
            let vault = Vault(provider: provider, sealingKey: sealingKey, clock: clock, environment: environment)
            let store = Repositories(
                database: database, vault: vault,
                workers: WorkerLocks(folder: absolute(path) + ".workers"), environment: environment,
                clock: clock, retention: retention,
                offlineWork: offlineSignIn.map(Argon2Parameters.init),
                endpoint: try endpoint.name(first: { try database.query { db in try CircuitBreakers.first(in: db) } }),
                keepsEndpoints: endpoint.isDefault)
            await store.finishScrubs()
            return store
        } catch {
            throw StoreError(error)
        }
    }

    /// Refuses a key that whoever copies the database's folder would get with it.
    static func keepApart(database: String, _ provider: any KeyProvider) throws(StoreError) {
        guard let keyFile = provider.file,
            resolved(Files.parentFolder(of: keyFile)) == resolved(Files.parentFolder(of: absolute(database)))
        else { return }
        throw StoreError(
            .unsafeKeyFile,
            "The key file \(keyFile) lies in the folder of the database, so a copy of it would hold both. "
                + "Move the key to a folder of its own.", recovery: .provideKey)
    }

    /// The endpoint that the store's first flow was begun for.
    package func firstEndpoint() throws(StoreError) -> String? { try query { db in try CircuitBreakers.first(in: db) } }

    /// Closes the database after what is under way; later calls throw `closed`.
    package func close() async throws(StoreError) {
        do { try await database.close() } catch { throw StoreError(error) }
    }

    /// Writes the log back into the file and empties it, where nobody is in the way; it is done by itself from time to time.
    package func checkpoint() async throws(StoreError) {
        do { _ = try await database.checkpoint() } catch { throw StoreError(error) }
    }

    /// Runs `body` in one transaction and puts its errors into the repositories' words.
    func write<T: Sendable>(
        durability: Durability = .full, isAlone: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws(StoreError) -> T {
        try await unlocking { try await database.write(durability: durability, isAlone: isAlone, body) }
    }

    /// Runs one short query on this thread and puts its errors into the repositories' words.
    func query<T>(_ body: (Connection) throws -> T) throws(StoreError) -> T {
        do { return try database.query(body) } catch { throw StoreError(error) }
    }

    /// Runs `body` on one snapshot and puts its errors into the repositories' words.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws(StoreError) -> T {
        try await unlocking { try await database.read(body) }
    }

    /// Does something once more, with the key unlocked, where it turns out to need that: no transaction waits for a
    /// person.
    private func unlocking<T: Sendable>(_ work: () async throws -> T) async throws(StoreError) -> T {
        let count = vault.unlockCount
        do {
            return try await work()
        } catch {
            let error = StoreError(error)
            guard error.code == .keyLocked else { throw error }
        }
        try await vault.unlock(since: count)
        do { return try await work() } catch { throw StoreError(error) }
    }
}

/// The path without links, as far as it is there.
private func resolved(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
        defer { free(resolved) }
        return String(cString: resolved)
    }
    let parent = Files.parentFolder(of: path)
    guard parent != path, let name = path.split(separator: "/").last else { return path }
    return parent == "/" ? "/\(name)" : "\(resolved(parent))/\(name)"
}
