public import FoyerModel
import FoyerSQLite
import Migrations

/// The store in one SQLite file: people, flows, the outbox, sealed secrets and the journal.
///
/// The repositories are extensions of it, one file each; each of their calls is one transaction.
public struct AccountStore: Sendable {
    /// `Foyr` in ASCII: tells a database of Foyer from every other SQLite file.
    static let applicationID: Int32 = 0x466F_7972

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
        let migrations = EmbeddedMigrations.all.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }
        let configuration = Database.Configuration(
            path: path, applicationID: applicationID, migrations: migrations, createIfMissing: createIfMissing)
        do {
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
