import FoyerModel
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPWireTests {
    @Test("A submission goes out as the wire says", arguments: FlowKind.allCases)
    func submit(kind: FlowKind) async throws {
        let server = try RawServer(answer: Answer.whole(201))
        let key = Sent.newKey()
        let reply = try await server.client().submit(Sent.request(key, kind))
        #expect(reply.status == 201 && reply.body == Array(Answer.acceptance.utf8) && !reply.isReplay)

        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/v1/submissions/\(kind.rawValue)")
        #expect(request.text == Sent.body)
        #expect(
            request.fields == [
                "host": "127.0.0.1:\(server.port)", "accept": "application/json, application/problem+json",
                "content-type": "application/json", "content-length": "\(Sent.body.utf8.count)",
                "idempotency-key": "\"\(key.text)\"", "user-agent": "foyer",
            ])
    }

    @Test("The outcome is asked for without a body, and a cancellation carries the key")
    func outcomeAndCancel() async throws {
        let server = try RawServer(answer: Answer.whole(404, "{}"))
        let network = HTTPNetwork(try HTTPNetwork.Configuration(url: server.url + "/accounts/"))
        let key = Sent.newKey()
        #expect(try await network.outcome(of: key).status == 404)
        #expect(try await network.cancel(key).status == 404)
        let requests = server.requests
        #expect(requests.map(\.method) == ["GET", "DELETE"] && requests.allSatisfy(\.body.isEmpty))
        #expect(requests.allSatisfy { $0.target == "/accounts/v1/submissions/\(key.text)" })
        #expect(requests.map { $0.fields["idempotency-key"] } == [nil, "\"\(key.text)\""])
        #expect(server.connections == 1, "the connection was not kept")
    }

    @Test("Of an answer everything comes through that the outbox needs")
    func reply() async throws {
        let server = try RawServer(
            answer: Answer.whole(
                503, "{}", "Retry-After: Sat, 21 Nov 2026 07:44:07 GMT", "Date: Sat, 21 Nov 2026 07:43:07 GMT",
                "Idempotency-Replayed: true", "Set-Cookie: a=b"))
        let reply = try await server.client().submit(Sent.request())
        #expect(
            reply
                == NetworkReply(
                    status: 503, body: Array("{}".utf8), contentType: "application/json",
                    retryAfter: "Sat, 21 Nov 2026 07:44:07 GMT", date: "Sat, 21 Nov 2026 07:43:07 GMT", isReplay: true))
    }

    @Test("No cookie, no credential and no proxy of the environment is used")
    func nothingElse() async throws {
        let server = try RawServer(
            answer: Answer.whole(401, "{}", "Set-Cookie: a=b; Path=/", "WWW-Authenticate: Basic realm=\"x\""))
        let network = try server.client()
        for _ in 0..<2 { _ = try await network.submit(Sent.request()) }
        #expect(server.requests.count == 2)
        for request in server.requests { #expect(request.fields.keys.count == 6, "\(request.fields)") }
    }

    @Test("A body of any length arrives byte for byte", arguments: [0, 1, 1023, 1025, 65_536, 1_048_577, 3_000_000])
    func lengths(count: Int) async throws {
        let server = try RawServer(answer: Answer.whole())
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let request = SubmissionRequest(key: Sent.newKey(), kind: .reset, body: Secret(utf8: body))
        #expect(try await server.client().submit(request).status == 201)
        #expect(server.requests.map(\.body) == [body] && server.requests.first?.fields["expect"] == nil)
    }

    @Test("Every status over a real connection has the class that the table gives it (row 36)")
    func statuses() async throws {
        let server = try RawServer { connection in
            while let request = connection.request() {
                let status = request.fields["idempotency-key"].flatMap { Int($0.dropFirst().suffix(4).dropLast()) } ?? 0
                // These two end with their head, whatever they announce.
                let body = [204, 304].contains(status) ? "" : "{}"
                guard connection.send(Answer.whole(status, body, "Retry-After: -3")) else { return }
            }
        }
        let network = try server.client()
        for status in 200...599 {
            let key = try #require(UUIDv7("01900000-0000-7000-8000-000000000\(status)"))
            let result = await network.result(of: Sent.request(key))
            #expect(Ending(result) == .status(status))
            let table = NetworkReply(status: status, body: Array("{}".utf8), retryAfter: "-3")
            #expect(classOf(result) == classOf(.success(table)))
        }
    }

    @Test("Retry-After comes through as it was written (row 37)", arguments: ["-5", "315360000", "soon", "", "1.5"])
    func retryAfter(text: String) async throws {
        let server = try RawServer(answer: Answer.whole(429, "{}", "Retry-After: \(text)"))
        #expect(try await server.client().submit(Sent.request()).retryAfter == text)
    }
}
