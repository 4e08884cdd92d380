import FoyerModel
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// A mock server on loopback, with a file in a folder of its own.
struct Site: Sendable {
    let server: MockServer
    let state: Server
    let port: UInt16

    init(
        _ faults: String..., seed: UInt64 = 0, state: Server? = nil,
        adjust: (inout MockServer.Configuration) -> Void = { _ in }
    ) async throws {
        let state = try state ?? Server()
        var configuration = MockServer.Configuration(state: state.path)
        configuration.faults = try faults.map { try Fault($0) }
        configuration.seed = seed
        adjust(&configuration)
        server = try await MockServer.start(configuration)
        self.state = state
        port = UInt16(server.url.split(separator: ":").last ?? "") ?? 0
    }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// The bytes of a submission.
    static func bytes(
        _ request: SubmissionRequest, dropping dropped: String? = nil, adding added: [String] = []
    ) -> [UInt8] {
        let body = request.body.withBytes { Array($0) }
        let headers =
            [
                "Host: 127.0.0.1", "Content-Type: application/json", "Idempotency-Key: \"\(request.key)\"",
                "Content-Length: \(body.count)",
            ].filter { dropped == nil || !$0.hasPrefix("\(dropped ?? "")") } + added
        let lines = ["POST /v1/submissions/\(request.kind.rawValue) HTTP/1.1"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    static func bytes(_ method: String, _ path: String) -> [UInt8] {
        Array("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    }

    /// Sends it on a connection of its own, and gives the answer; nil when none came.
    func ask(_ bytes: [UInt8]) async throws -> RawAnswer? {
        let client = try client()
        client.send(bytes)
        return await client.answer()
    }

    func answer(_ request: SubmissionRequest) async throws -> RawAnswer {
        try #require(try await ask(Self.bytes(request)))
    }

    func answer(_ method: String, _ path: String) async throws -> RawAnswer {
        try #require(try await ask(Self.bytes(method, path)))
    }

    /// Sends it, and gives all that comes until the connection ends.
    func exchange(_ bytes: [UInt8], atMost count: Int = .max) async throws -> RawClient.Received {
        let client = try client()
        client.send(bytes)
        return await client.receive(atMost: count)
    }
}
