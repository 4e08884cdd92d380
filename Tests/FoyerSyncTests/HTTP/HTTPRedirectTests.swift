import FoyerModel
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPRedirectTests {
    /// Redirects every request for a submission there, and accepts all others.
    private func redirecting(_ status: Int, to location: String) throws -> RawServer {
        try RawServer { connection in
            while let request = connection.request() {
                let isNew = request.target.hasPrefix("/v1/submissions/")
                connection.send(isNew ? Answer.whole(status, "", "Location: \(location)") : Answer.whole())
            }
        }
    }

    @Test("307 and 308 to the same origin are followed, with the same request (row 35)", arguments: [307, 308])
    func sameOrigin(status: Int) async throws {
        let server = try redirecting(status, to: "/v2/there?x=1")
        let request = Sent.request()
        #expect(try await server.client().submit(request).status == 201)
        let sent = server.requests
        #expect(sent.map(\.target) == ["/v1/submissions/register", "/v2/there?x=1"])
        #expect(sent.allSatisfy { $0.method == "POST" && $0.text == Sent.body })
        #expect(sent.allSatisfy { $0.fields["idempotency-key"] == "\"\(request.key.text)\"" })
    }

    @Test("A redirection is followed once, so that no circle keeps us")
    func circle() async throws {
        let server = try redirecting(307, to: "/v1/submissions/again")
        let result = await (try server.client()).result()
        #expect(Ending(result) == .status(307) && classOf(result) == "maybe sent")
        #expect(server.requests.count == 2)
    }

    @Test("No other redirection is followed", arguments: [300, 301, 302, 303, 305, 306])
    func otherStatuses(status: Int) async throws {
        let server = try redirecting(status, to: "/v2/there")
        let result = await (try server.client()).result()
        #expect(Ending(result) == .status(status) && classOf(result) == "maybe sent")
        #expect(server.requests.count == 1)
    }

    @Test("A password goes to no other host, port or scheme", arguments: [301, 302, 307, 308])
    func otherOrigin(status: Int) async throws {
        let other = try RawServer(answer: Answer.whole())
        let places = [
            other.url + "/x", "//127.0.0.1:\(other.port)/x", "http://localhost:\(other.port)/x",
            "http://127.0.0.1:\(other.port)\\@127.0.0.1/x", "https://127.0.0.1:\(other.port)/x",
            "ftp://127.0.0.1:\(other.port)/x", "file:///etc/passwd",
        ]
        for place in places {
            let server = try redirecting(status, to: place)
            let result = await (try server.client()).result()
            #expect(Ending(result) == .status(status) && classOf(result) == "maybe sent", "\(place)")
            #expect(server.requests.count == 1)
        }
        #expect(other.connections == 0)
    }

    @Test("A submission that was redirected may have arrived, whatever becomes of it then")
    func failureAfterRedirection() async throws {
        let server = try RawServer { connection in
            guard connection.request() != nil else { return }
            connection.stopListening()
            connection.send(Answer.whole(307, "", "Location: /there", "Connection: close"))
        }
        // Where it should go then, nobody listens any more.
        let result = await (try server.client()).result()
        #expect(result == .failure(.interrupted("127.0.0.1:\(server.port): nothing answers there")))
        #expect(classOf(result) == "maybe sent")
    }
}
