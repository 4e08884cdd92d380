import FoyerModel
import TestSupport

@testable import FoyerSync

/// What is sent in these tests; the password must never be found where it does not belong.
enum Sent {
    static let password = "canary-Zx9-password"
    static let body = #"{"fields":{"user_name":"ada"},"schema":1,"secrets":{"password":{"text":"\#(password)"}}}"#

    static func request(_ key: UUIDv7 = newKey(), _ kind: FlowKind = .register) -> SubmissionRequest {
        SubmissionRequest(key: key, kind: kind, body: Secret(body))
    }

    static func newKey() -> UUIDv7 { FoyerEnvironment.system.makeID() }
}

/// What a server says.
enum Answer {
    static let acceptance = #"{"schema":1,"user":{"id":"r1"},"verdict":"accepted"}"#

    static func whole(_ status: Int = 201, _ body: String = acceptance, _ fields: String...) -> String {
        let head = fields.map { "\($0)\r\n" }.joined()
        return "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\(head)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}

extension RawServer {
    /// A server that answers every request with the same.
    convenience init(answer: String) throws {
        try self.init { connection in
            while connection.request() != nil, connection.send(answer) {}
        }
    }

    /// A client that is patient where the test says nothing else: the machine may be busy.
    func client(
        connect: Duration = .seconds(60), firstByte: Duration = .seconds(600), total: Duration = .seconds(600)
    ) throws -> HTTPNetwork {
        let timeouts = HTTPNetwork.Timeouts(connect: connect, firstByte: firstByte, total: total)
        return HTTPNetwork(try HTTPNetwork.Configuration(url: url, timeouts: timeouts))
    }
}

extension HTTPNetwork {
    /// A client for an address that is known to be one; it has to connect in time, everything else may take long.
    convenience init(to url: String, caFile: String? = nil, connect: Duration = .seconds(60)) throws {
        let timeouts = Timeouts(connect: connect, firstByte: .seconds(600), total: .seconds(600))
        self.init(try Configuration(url: url, caFile: caFile, timeouts: timeouts))
    }

    /// Sends a submission, without throwing.
    func result(of request: SubmissionRequest = Sent.request()) async -> Result<NetworkReply, NetworkFailure> {
        do throws(NetworkFailure) { return .success(try await submit(request)) } catch { return .failure(error) }
    }
}

/// How a sending ended, without the words.
enum Ending: Hashable {
    case unreachable, untrusted, interrupted, malformed
    case status(Int)

    init(_ result: Result<NetworkReply, NetworkFailure>) {
        self =
            switch result {
            case .success(let reply): .status(reply.status)
            case .failure(.unreachable): .unreachable
            case .failure(.untrusted): .untrusted
            case .failure(.interrupted): .interrupted
            case .failure(.malformed): .malformed
            }
    }
}

/// The word for the class that the outbox gives to it.
func classOf(_ result: Result<NetworkReply, NetworkFailure>) -> String {
    ReplyClassifier.classify(result).name
}
