public import FoyerModel

/// An account server that is reached over HTTP/1.1: TLS with its certificate checked, or this machine itself.
///
/// It uses libcurl, which it opens at the first request. libcurl may send a request again by itself when a connection
/// that was used before turns out to be dead; the idempotency key makes that harmless.
public final class HTTPNetwork: AccountNetwork {
    public let endpoint: String
    private let engine: HTTPEngine

    /// Makes the network; nothing is opened before the first request.
    public init(_ configuration: Configuration) {
        endpoint = configuration.endpoint
        engine = HTTPEngine(configuration)
    }

    public func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        try await perform("POST", request.kind.rawValue, key: request.key, body: request.body)
    }

    public func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await perform("GET", key.text)
    }

    public func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await perform("DELETE", key.text, key: key)
    }

    private func perform(
        _ method: String, _ name: String, key: UUIDv7? = nil, body: Secret? = nil
    ) async throws(NetworkFailure) -> NetworkReply {
        let address = engine.configuration.address
        let deadline = ContinuousClock.now + engine.configuration.timeouts.total
        var request = HTTPRequest(
            method: method, url: "\(address.text)/v1/submissions/\(name)", idempotencyKey: key, body: body)
        var hasFollowed = false
        while true {
            switch await engine.perform(request, until: deadline) {
            case .answer(let reply, let location):
                // Followed once, and to the same origin only: a password goes nowhere else.
                guard [307, 308].contains(reply.status), !hasFollowed,
                    let target = location.flatMap({ address.target(of: $0) })
                else { return reply }
                request.url = target
                hasFollowed = true
            case .none(.unreadAnswer, _) where !request.needsFreshConnection:
                request.needsFreshConnection = true
            case .none(let end, let mayHaveLeft):
                // Whoever redirected it had it.
                throw end.failure(mayHaveLeft: mayHaveLeft || hasFollowed, server: address.name)
            }
        }
    }
}
