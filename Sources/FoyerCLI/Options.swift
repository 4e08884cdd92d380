#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Foyer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the flags say, completed by the environment; a password is never among it.
struct Options {
    /// The network as it was named: `mock`, `offline` or a URL.
    var network = "mock"
    var database: String?
    var keyFile: String?
    /// The certificate authorities to trust instead of the system's.
    var caFile: String?
    /// The file with the server's key, for which passwords are sealed.
    var sealingKeyFile: String?
    var json = false
    var noInput = false
    var show = false
    var yes = false
    var dryRun = false
    var watch = false
    /// How long `foyer sync` waits for what is not due yet, in seconds.
    var wait = 15
    /// The story that `foyer app` begins with.
    var start: String?
    /// What `foyer mock-server` is asked for.
    var mockServer = MockServerOptions()

    /// What was opened for this call, to be closed before the program ends.
    let opened = OpenedStores()

    /// One flag of the program.
    struct Flag: Sendable {
        let name: String
        /// What its value is called in the help; nil for a flag without one.
        let value: String?
        let summary: String
        let set: @Sendable (inout Options, String) throws(Failure) -> Void
    }

    static let flags: [Flag] = [
        Flag(name: "--database", value: "PATH", summary: "the database (FOYER_DATABASE; else the XDG data folder)") {
            $0.database = $1
        },
        Flag(
            name: "--key-file", value: "PATH",
            summary: "the key for secrets (FOYER_KEY_FILE; else the XDG state folder)"
        ) {
            $0.keyFile = $1
        },
        Flag(
            name: "--network", value: "NAME", summary: "mock (the default), offline or an https:// URL (FOYER_NETWORK)"
        ) {
            $0.network = $1
        },
        Flag(
            name: "--ca-file", value: "PATH",
            summary: "certificate authorities to trust instead of the system's (FOYER_CA_FILE)"
        ) {
            $0.caFile = $1
        },
        Flag(
            name: "--sealing-key", value: "PATH",
            summary: "the server's key, as it publishes it: passwords are sealed for it (FOYER_SEALING_KEY)"
        ) {
            $0.sealingKeyFile = $1
        },
        Flag(name: "--json", value: nil, summary: "one JSON object on standard output") { options, _ in
            options.json = true
        },
        Flag(name: "--no-input", value: nil, summary: "never ask at the terminal") { options, _ in
            options.noInput = true
        },
        Flag(name: "--show", value: nil, summary: "do not mask personal data in tables") { options, _ in
            options.show = true
        },
        Flag(name: "--dry-run", value: nil, summary: "with resume: only say what would become of each saved answer") {
            options, _ in options.dryRun = true
        },
        Flag(name: "--start", value: "KIND", summary: "what `foyer app` begins with: setup, login or forgotPassword") {
            $0.start = $1
        },
        Flag(name: "--watch", value: nil, summary: "with sync: go on until a signal ends it") { options, _ in
            options.watch = true
        },
        Flag(name: "--wait", value: "SECONDS", summary: "with sync: how long to wait for what is not due yet (15)") {
            options, value throws(Failure) in
            guard let seconds = Int(value), (0...86400).contains(seconds) else {
                throw .usage("The flag --wait takes a number of seconds from 0 to 86400.")
            }
            options.wait = seconds
        },
        Flag(name: "--yes", value: nil, summary: "send without a last look at the answers; with key reset: do not ask")
        { options, _ in
            options.yes = true
        },
        MockServerOptions.portFlag, MockServerOptions.stateFlag, MockServerOptions.faultFlag,
        MockServerOptions.seedFlag,
    ]

    init() {
        network = Self.variable("FOYER_NETWORK") ?? network
        database = Self.variable("FOYER_DATABASE")
        keyFile = Self.variable("FOYER_KEY_FILE")
        caFile = Self.variable("FOYER_CA_FILE")
        sealingKeyFile = Self.variable("FOYER_SEALING_KEY")
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }

    /// The database file.
    func databasePath() throws -> String {
        try database ?? Locations.defaultDatabase()
    }

    /// Opens the store, which is closed before the program ends; nil where there is no database and the command needs none.
    @MainActor
    func open(creating: Bool) async throws -> Foyer? {
        let network = try networkChoice(), sealingKey = try sealingKey(), path = try databasePath()
        do {
            let foyer = try await Foyer.open(
                at: path, keyFile: keyFile, sealingKey: sealingKey, network: network, createIfMissing: creating)
            opened.add(foyer)
            return foyer
        } catch {
            guard error.code == .noDatabase else { throw error }
            return nil
        }
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

    private func networkChoice() throws(Failure) -> Foyer.Network {
        switch network {
        case "mock": return .mock
        case "offline": return .offline
        case _ where network.contains("://"):
            do throws(HTTPNetwork.ConfigurationError) {
                return .http(try HTTPNetwork.Configuration(url: network, caFile: caFile))
            } catch {
                throw Failure(code: error.code.rawValue, message: error.message, exit: .configuration)
            }
        default:
            throw Failure(
                code: "unknown_network", message: "The network \"\(network)\" is not one of: mock, offline, a URL.",
                exit: .configuration)
        }
    }
}

/// The stores that one call of the program has opened.
@MainActor
final class OpenedStores {
    private var stores: [Foyer] = []

    nonisolated init() {}

    func add(_ foyer: Foyer) {
        stores.append(foyer)
    }

    /// Closes them, so that no log stays beside the database. What was acknowledged is on the disk without that, too:
    /// a failure here is none of the command's.
    func closeAll() async {
        for foyer in stores { try? await foyer.close() }
        stores = []
    }
}
