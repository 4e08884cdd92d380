import Foyer
import FoyerMockNetwork
import FoyerPlatform

/// What the flags say, completed by the environment and the config files.
struct Options {
    /// The networks as they were named, the one that counts last: `mock`, `offline` or a URL.
    var networks: [String] = []
    /// How many of them the environment and the config files have named.
    private var usualNetworks = 0
    var database: String?
    var key = KeyOptions()
    /// The certificate authorities to trust instead of the system's.
    var caFile: String?
    /// The file with the server's key, for which passwords are sealed.
    var sealingKeyFile: String?
    var color = ColorChoice.auto
    /// The password, where it was handed over.
    var password: GivenPassword?
    var json = false
    var noInput = false
    var show = false
    var yes = false
    var dryRun = false
    var watch = false
    /// Whether nothing but the program's own version was asked for.
    var versionAlone = false
    /// How `foyer help` writes all of it.
    var helpForm = HelpForm.text
    /// How long `foyer sync` waits for what is not due yet, in seconds.
    var wait = 15
    /// How many days back `foyer stats` counts; nil for all that the journal still tells.
    var since: Int?
    /// Where `foyer users export` writes to; nil for standard output.
    var output: String?
    /// The story that `foyer app` begins with.
    var start: String?
    /// What `foyer mock-server` is asked for.
    var mockServer = MockServerOptions()

    /// What was opened for this call, to be closed before the program ends.
    let opened = OpenedStores()

    /// What was given for a flag, and where; by the flag's name.
    private(set) var given: [String: (text: String, origin: Settings.Origin)] = [:]

    /// Takes the settings, and over them the flags of the command line.
    init(_ settings: Settings, _ flags: [(flag: Flag, text: String)]) throws(Failure) {
        for setting in settings.given {
            do throws(Failure) {
                try setting.flag.check(setting.text)
                try take(setting.flag, setting.text, setting.origin)
            } catch {
                throw .badSetting("\(setting.origin): \(error.message)")
            }
        }
        for (flag, text) in flags { try take(flag, text, .flag) }
    }

    private mutating func take(_ flag: Flag, _ text: String, _ origin: Settings.Origin) throws(Failure) {
        try flag.set(&self, text)
        given[flag.name] = (text, origin)
        if origin != .flag { usualNetworks = networks.count }
    }

    /// The database file.
    func databasePath() throws(Failure) -> String {
        if let database { return database }
        do throws(StoreError) { return try Locations.defaultDatabase() } catch { throw Failure(error) }
    }

    /// Opens the store, and makes it where there is none; it is closed before the program ends.
    @MainActor
    func open() async throws -> AccountStore {
        do {
            return try await open(creating: true)
        } catch let error as StoreError where error.code == .noDatabase {
            // There is none, and there is no place for one.
            throw Failure(StoreError(.cannotCreate, error.message, cause: error))
        }
    }

    /// Opens the store for a command that needs none; nil where there is no database.
    /// - Parameter endpoint: what the flow was begun for that the command goes on with.
    @MainActor
    func openIfPresent(forFlowOf endpoint: String? = nil) async throws -> AccountStore? {
        do {
            return try await open(creating: false, forFlowOf: endpoint)
        } catch let error as StoreError where error.code == .noDatabase {
            return nil
        }
    }

    /// The network that this call works with.
    func networkChoice(forFlowOf endpoint: String? = nil) throws(Failure) -> NetworkChoice {
        try NetworkChoice(networks, database: databasePath(), caFile: caFile, flowEndpoint: endpoint)
    }

    /// The command that delivers what waits for an endpoint.
    func syncCommand(for endpoint: String, in foyer: AccountStore) throws(StoreError) -> String {
        try endpoint == usualEndpoint(in: foyer) ? "foyer sync" : "foyer sync --network \(endpoint)"
    }

    /// The endpoint that a command works with that is called without a flag.
    private func usualEndpoint(in foyer: AccountStore) throws(StoreError) -> String {
        let usual =
            (try? NetworkChoice(
                Array(networks.prefix(usualNetworks)), database: databasePath(), caFile: caFile))?.named
        if let usual { return usual.endpoint }
        return try foyer.firstEndpoint() ?? MockNetwork.endpoint
    }

    @MainActor
    private func open(creating: Bool, forFlowOf endpoint: String? = nil) async throws -> AccountStore {
        let choice = try networkChoice(forFlowOf: endpoint), sealingKey = try sealingKey()
        let path = try databasePath(), key = try key.source(asking: !noInput)
        let foyer = try await AccountStore.open(
            at: path, key: key, endpoint: choice.endpoint, sealingKey: sealingKey, network: choice.network(of:),
            createIfMissing: creating)
        opened.add(foyer)
        // It is said, not acted on: no command fails for it.
        if let jump = try? await foyer.takeClockJump() { Output.error(jump.sentence) }
        return foyer
    }

    private func sealingKey() throws(Failure) -> SealingKey? {
        guard let sealingKeyFile else { return nil }
        if let json = try? Data(contentsOf: URL(filePath: sealingKeyFile)), let key = SealingKey(json: Array(json)) {
            return key
        }
        throw Failure(
            code: "sealing_key",
            message: "\(sealingKeyFile) holds no sealing key; it has to be what the server answers to /v1/sealing-key.",
            exit: .configuration)
    }
}

extension ClockJump {
    /// What happened, and what to do about it.
    fileprivate var sentence: String {
        let length = RelativeTime.length(by < .zero ? .zero - by : by)
        if mayHavePassed {
            return "The clock says that this machine was off for \(length). That counts once as much time has passed "
                + "again; if it is true, `foyer db trust-clock` counts it now."
        }
        return "The clock of this machine was set \(by < .zero ? "back" : "forward") by \(length) since the last "
            + "command. Nothing expires for that; set the clock right where it is wrong."
    }
}

/// The stores that one call of the program has opened.
@MainActor
final class OpenedStores {
    private var stores: [AccountStore] = []

    nonisolated init() {}

    func add(_ foyer: AccountStore) {
        stores.append(foyer)
    }

    /// Closes them, so that no log stays beside the database. What was acknowledged is on the disk without that, too:
    /// a failure here is none of the command's.
    func closeAll() async {
        for foyer in stores { try? await foyer.close() }
        stores = []
    }
}
