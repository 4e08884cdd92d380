public import Foyer
import FoyerPlatform

/// A store for one test: real files, in memory where the system has a place for that, and gone with this object.
///
/// Everything that `open` gives works on the same store, as several runs of a program do, one after the other or at once.
public final class TestStore: Sendable {
    /// What every program on this store lives by.
    public let clock: TestClock
    /// Where every program on this store delivers.
    public let network: ScriptedNetwork
    private let definitions: [FlowDefinition]
    private let folder: String

    /// Makes a place for a store; the database is made by the first `open`.
    ///
    /// - Parameters:
    ///   - definitions: the app's own steps, as for `Foyer.open`.
    ///   - network: accepts everything, unless it was told otherwise.
    ///   - clock: stands still, unless it is turned.
    /// - Throws: what the file system says when the folder cannot be made.
    public init(
        definitions: [FlowDefinition] = [], network: ScriptedNetwork = ScriptedNetwork(), clock: TestClock = TestClock()
    ) throws {
        self.definitions = definitions
        self.network = network
        self.clock = clock
        let files = FileManager.default
        let memory = "/dev/shm"
        let parent = files.isWritableFile(atPath: memory) ? memory : files.temporaryDirectory.path
        folder = "\(parent)/foyer-test-\(UUID().uuidString)"
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The database file, to be looked into with the `sqlite3` shell while this object lives.
    public var database: String { "\(folder)/data/foyer.db" }

    /// Opens the store, as each start of a program does.
    /// - Throws: `StoreError`.
    public func open() async throws(StoreError) -> AccountStore {
        try await AccountStore.open(
            at: database, keyFile: "\(folder)/keys/key", network: .custom(network), definitions: definitions,
            environment: clock.environment)
    }
}
