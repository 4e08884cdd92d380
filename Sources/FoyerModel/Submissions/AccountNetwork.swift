/// The account server, as the sync service sees it.
public protocol AccountNetwork: Sendable {
    /// The name of whoever is asked, for people.
    var endpoint: String { get }

    /// Sends a submission and gives the answer, whatever its status is.
    /// - Throws: a `NetworkFailure` when there was no whole answer.
    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply

    /// Asks what became of a submission: the answer that it got then, or 404 where it never came.
    /// - Throws: a `NetworkFailure` when there was no whole answer.
    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply

    /// Asks the network to refuse a submission should it still come: 200 with the verdict `cancelled`, or the answer
    /// that it got before.
    /// - Throws: a `NetworkFailure` when there was no whole answer.
    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply

    /// Lets go of files and connections; called when the store is closed.
    func close() async
}

extension AccountNetwork {
    public func close() async {}
}

/// A submission on the wire: `POST /v1/submissions/{kind}` with the key as `Idempotency-Key`.
public struct SubmissionRequest: Sendable {
    /// The idempotency key.
    public let key: UUIDv7
    /// What is asked for.
    public let kind: FlowKind
    /// The JSON body; held as a secret, because it carries the password where no box is used.
    public let body: Secret

    /// Makes the value.
    public init(key: UUIDv7, kind: FlowKind, body: Secret) {
        self.key = key
        self.kind = kind
        self.body = body
    }
}

/// A whole answer of the network.
public struct NetworkReply: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// The body, without any coding.
    public let body: [UInt8]
    /// The header `Content-Type`, as it came; nil where a network knows none.
    public let contentType: String?
    /// The header `Retry-After`, as it came.
    public let retryAfter: String?
    /// The header `Date`, as it came: what a date in `Retry-After` is read against.
    public let date: String?
    /// Whether the answer had been stored for this key before (`Idempotency-Replayed`).
    public let isReplay: Bool

    /// Makes the value.
    public init(
        status: Int, body: [UInt8], contentType: String? = nil, retryAfter: String? = nil, date: String? = nil,
        isReplay: Bool = false
    ) {
        self.status = status
        self.body = body
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.date = date
        self.isReplay = isReplay
    }
}

/// Why there was no whole answer.
public enum NetworkFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The network never got the submission, for certain.
    case unreachable(String)
    /// Whoever answered could not prove to be the network, so it was sent nothing: a matter of configuration.
    case untrusted(String)
    /// The network may have got it, and may have acted on it.
    case interrupted(String)
    /// What came back cannot be an answer: cut off, far too long, or not HTTP. The network may have acted.
    case malformed(String)

    public var description: String {
        switch self {
        case .unreachable(let reason): "the network could not be reached: \(reason)"
        case .untrusted(let reason): "the network could not be trusted: \(reason)"
        case .interrupted(let reason): "the network did not answer in full: \(reason)"
        case .malformed(let reason): "the network's answer made no sense: \(reason)"
        }
    }
}
