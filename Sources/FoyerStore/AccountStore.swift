public import FoyerModel
import FoyerSQLite
import Migrations

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The store in one SQLite file: people, flows, the outbox, sealed secrets and the journal.
///
/// The repositories are extensions of it, one file each; each of their calls is one transaction.
public struct AccountStore: Sendable {
    /// `Foyr` in ASCII: tells a database of Foyer from every other SQLite file.
    static let applicationID: Int32 = 0x466F_7972

    /// The schema's history.
    static let migrations = EmbeddedMigrations.all.map {
        Migration(version: $0.version, name: $0.name, sql: $0.sql, schemaFingerprint: $0.schemaFingerprint)
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
    /// Rings when something was queued in this process.
    let arrivalBell = Bell()

    /// Opens the store at `path`, making or migrating the database where that is needed.
    ///
    /// - Parameters:
    ///   - path: the database file; its folder is made when it is missing.
    ///   - keyFile: the file with the device's key, in another folder than the database; it is made, readable by
    ///     its owner only, when the first secret is sealed.
    ///   - sealingKey: where given, secrets that are entered from now on can be opened by the server alone.
    ///   - createIfMissing: false gives `noDatabase` where there is no file, and makes none.
    ///   - environment: the clock and the source of identifiers.
    /// - Throws: `StoreError`, such as `newerSchema`, `foreignDatabase`, `corrupt`, `cannotCreate`.
    public static func open(
        at path: String, keyFile: String, sealingKey: SealingKey? = nil, createIfMissing: Bool = true,
        environment: FoyerEnvironment = .system
    ) async throws(StoreError) -> AccountStore {
        do {
            try keepApart(database: path, keyFile: keyFile)
            let configuration = configuration(at: path, createIfMissing: createIfMissing)
            let database = try await Database.open(configuration)
            let vault = Vault(
                keyFile: KeyFile(path: absolute(keyFile)), sealingKey: sealingKey, environment: environment)
            return AccountStore(
                database: database, vault: vault,
                workers: WorkerLocks(folder: absolute(path) + ".workers"), environment: environment,
                clock: QueueClock(environment: environment))
        } catch {
            throw StoreError(error)
        }
    }

    /// Refuses a key that whoever copies the database's folder would get with it.
    static func keepApart(database: String, keyFile: String) throws(StoreError) {
        let folder = resolved(parentFolder(of: absolute(keyFile)))
        guard folder == resolved(parentFolder(of: absolute(database))) else { return }
        throw StoreError(
            .unsafeKeyFile,
            "The key file \(keyFile) lies in the folder of the database, so a copy of it would hold both. "
                + "Move the key to a folder of its own, and name it with --key-file.")
    }

    /// Closes the database after what is under way; later calls throw `closed`.
    public func close() async throws(StoreError) {
        do { try await database.close() } catch { throw StoreError(error) }
    }

    /// Runs `body` in one transaction and puts its errors into the repositories' words.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws(StoreError) -> T {
        do { return try await database.write(body) } catch { throw StoreError(error) }
    }

    /// Runs `body` on one snapshot and puts its errors into the repositories' words.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws(StoreError) -> T {
        do { return try await database.read(body) } catch { throw StoreError(error) }
    }
}

/// The path without links, as far as it is there.
private func resolved(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
        defer { free(resolved) }
        return String(cString: resolved)
    }
    let parent = parentFolder(of: path)
    guard parent != path, let name = path.split(separator: "/").last else { return path }
    return parent == "/" ? "/\(name)" : "\(resolved(parent))/\(name)"
}
