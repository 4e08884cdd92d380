import Foyer
import FoyerMockNetwork

/// Which network a command works with: the one that was named last, else the one of the flow that it goes on with, else
/// the one that the store was used with first, else the mock network. `offline` names none: it only keeps the command
/// from connecting.
struct NetworkChoice {
    private static let offline = "offline"

    let endpoint: EndpointChoice
    /// The network that somebody named.
    let named: AccountStore.Network?
    let isOffline: Bool
    private let caFile: String?
    /// The file of the mock network.
    private let mockFile: String

    /// - Parameters:
    ///   - names: as the config files, the environment and the flag named it, the one that counts last.
    ///   - flowEndpoint: what the flow was begun for.
    init(_ names: [String], database: String, caFile: String?, flowEndpoint: String? = nil) throws(Failure) {
        let mockFile = database + ".mock-network"
        (self.caFile, self.mockFile) = (caFile, mockFile)
        isOffline = names.last == Self.offline
        named = try names.last { $0 != Self.offline }.map { name throws(Failure) in
            try Self.network(named: name, caFile, mockFile)
        }
        let name = named?.endpoint ?? flowEndpoint
        endpoint = name.map(EndpointChoice.named) ?? .first(orElse: MockNetwork.endpoint)
    }

    /// The network of the store's endpoint.
    func network(of endpoint: String) -> AccountStore.Network {
        let network =
            named ?? (try? Self.network(named: endpoint, caFile, mockFile)) ?? .custom(UnknownNetwork(endpoint))
        return isOffline ? .offline(network) : network
    }

    private static func network(
        named name: String, _ caFile: String?, _ mockFile: String
    ) throws(Failure) -> AccountStore.Network {
        if name == MockNetwork.endpoint { return .custom(MockNetwork(path: mockFile)) }
        guard name.contains("://") else {
            throw Failure(
                code: "unknown_network", message: "The network \"\(name)\" is not one of: mock, offline, a URL.",
                exit: .configuration)
        }
        do throws(HTTPNetwork.ConfigurationError) {
            return .http(try HTTPNetwork.Configuration(url: name, caFile: caFile))
        } catch {
            throw Failure(code: error.code.rawValue, message: error.message, exit: .configuration)
        }
    }
}

/// A network of another program that uses the same store; this one cannot reach it.
private struct UnknownNetwork: AccountNetwork {
    let endpoint: String

    init(_ endpoint: String) {
        self.endpoint = endpoint
    }

    private var failure: NetworkFailure {
        .unreachable("only the program that uses the network \(endpoint) can reach it")
    }

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply { throw failure }
    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { throw failure }
    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { throw failure }
}
