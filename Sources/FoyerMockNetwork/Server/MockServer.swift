public import FoyerModel
import FoyerSQLite
import Synchronization

/// The pretended account server behind HTTP on 127.0.0.1, with faults where they are asked for.
///
/// Its rules are those of `MockNetwork`; a file of one can be the state of the other.
public final class MockServer: Sendable {
    /// How a server is set up.
    public struct Configuration: Sendable {
        /// The port; 0 for any that is free.
        public var port: UInt16 = 0
        /// The file of its accounts, its answers and its key; it is made where it is missing, for its owner only.
        public var state: String
        /// What goes wrong, and when.
        public var faults: [Fault] = []
        /// Decides which requests a fault with a share befalls.
        public var seed: UInt64 = 0
        /// How much work a password costs; the least by default, because no account here is real.
        public var hashing = PasswordHashing.minimum
        /// The clock and the source of identifiers.
        public var environment = FoyerEnvironment.system
        var limits = HTTPLimits()

        /// Makes a configuration.
        public init(state: String) {
            self.state = state
        }
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(listener.port)" }

    private let listener: HTTPListener
    private let accounts: AccountServer

    private init(listener: HTTPListener, accounts: AccountServer) {
        self.listener = listener
        self.accounts = accounts
    }

    /// Opens the state and listens; when this returns, clients can come.
    public static func start(_ configuration: Configuration) async throws(MockServerError) -> MockServer {
        let faults: FaultPlan
        do { faults = try FaultPlan(configuration.faults, seed: configuration.seed) } catch {
            throw MockServerError(.badFaults, error.message)
        }
        let accounts: AccountServer
        do {
            accounts = try await AccountServer.open(
                at: configuration.state, hashing: configuration.hashing, environment: configuration.environment,
                forgets: true)
        } catch {
            throw MockServerError(error)
        }
        let exchanges = Exchanges(accounts: accounts, faults: faults, limits: configuration.limits)
        do {
            let listener = try HTTPListener(port: configuration.port, limits: configuration.limits) {
                exchanges.serve($0)
            }
            listener.start()
            return MockServer(listener: listener, accounts: accounts)
        } catch {
            try? await accounts.database.close()
            throw MockServerError(
                .cannotListen,
                "Cannot listen on port \(configuration.port): \(error.reason). Port 0 takes a free one.")
        }
    }

    /// Cuts all connections, and returns when everything is closed.
    public func stop() async {
        await listener.stop()
        try? await accounts.database.close()
    }
}

/// Why a server did not start.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
    /// What kind of reason it is.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The faults cannot be had together.
        public static let badFaults = Code(rawValue: "bad_faults")
        /// The port cannot be had.
        public static let cannotListen = Code(rawValue: "cannot_listen")
        /// The file of the state cannot be made.
        public static let cannotCreateState = Code(rawValue: "cannot_create")
        /// The file of the state cannot be used: damaged, foreign, newer, or not ours.
        public static let cannotOpenState = Code(rawValue: "cannot_open_state")
    }

    /// What kind of reason it is.
    public let code: Code
    /// What happened, and what can be done.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    fileprivate init(_ error: any Error) {
        let known = error as? SQLiteError
        self.init(
            known?.code == .cannotCreate ? .cannotCreateState : .cannotOpenState,
            known?.message ?? "The server's file cannot be opened: \(error)")
    }

    public var description: String { message }
}
