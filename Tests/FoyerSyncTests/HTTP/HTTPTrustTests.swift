import FoyerModel
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPTrustTests {
    @Test("A server with a certificate of the given authority gets the submission")
    func trusted() async throws {
        let authority = try await CertificateAuthority()
        let server = try await TLSServer(certified: "DNS:localhost,IP:127.0.0.1", by: authority)
        let network = try HTTPNetwork(to: "https://localhost:\(server.port)", caFile: authority.file)
        async let result = network.result()
        try await server.expect(Sent.password)
        try server.send("HTTP/1.1 201 Created\nContent-Length: \(Answer.acceptance.count)\n\n\(Answer.acceptance)\n")
        #expect(await classOf(result) == "accepted")
    }

    /// Why a server is not trusted.
    enum Doubt: CaseIterable {
        case noAuthority, otherAuthority, otherName, otherAddress, missingFile, emptyFile

        var reason: String {
            switch self {
            case .noAuthority, .otherAuthority: "its certificate comes from an authority that is not trusted"
            case .otherName, .otherAddress: "its certificate is for another name"
            case .missingFile, .emptyFile: "the file with certificate authorities cannot be read"
            }
        }
    }

    @Test("A server that is not trusted gets nothing of the submission", arguments: Doubt.allCases)
    func distrusted(doubt: Doubt) async throws {
        let authority = try await CertificateAuthority()
        let other = try await CertificateAuthority()
        let names =
            doubt == .otherName ? "DNS:other.example" : doubt == .otherAddress ? "IP:127.0.0.2" : "DNS:localhost"
        let server = try await TLSServer(certified: names, by: authority)
        let file: String? =
            switch doubt {
            case .noAuthority: nil
            case .otherAuthority: other.file
            case .missingFile: authority.file + ".missing"
            case .emptyFile: "/dev/null"
            case .otherName, .otherAddress: authority.file
            }
        let host = "\(doubt == .otherAddress ? "127.0.0.1" : "localhost"):\(server.port)"
        let result = await (try HTTPNetwork(to: "https://\(host)", caFile: file)).result()
        #expect(result == .failure(.untrusted("\(host): \(doubt.reason)")))
        #expect(classOf(result) == "unsent")

        // The server is still there, and what it got came in order: had there been something before, it would be shown.
        let control = try HTTPNetwork(to: "https://localhost:\(server.port)", caFile: authority.file)
        if doubt == .otherName || doubt == .otherAddress {
            #expect(Ending(await control.result()) == .untrusted)
        } else {
            async let outcome = control.outcome(of: Sent.newKey())
            try await server.expect("GET /v1/submissions/")
            try server.send("HTTP/1.1 404 Not Found\nContent-Length: 0\n\n")
            #expect(try await outcome.status == 404)
        }
        #expect(!server.transcript.contains(Sent.password) && !server.transcript.contains("POST"))
    }

    @Test("A server that speaks no TLS gets nothing of the submission")
    func plain() async throws {
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 201 Created\r\n\r\n")
            _ = connection.request()
        }
        let result = await (try HTTPNetwork(to: "https://127.0.0.1:\(server.port)")).result()
        #expect(result == .failure(.unreachable("127.0.0.1:\(server.port): no encrypted connection came about")))
        #expect(classOf(result) == "unsent" && server.requests.isEmpty)
    }

    @Test("A server that breaks off the handshake gets nothing of the submission")
    func brokenHandshake() async throws {
        let server = try RawServer { $0.reset() }
        let result = await (try HTTPNetwork(to: "https://127.0.0.1:\(server.port)")).result()
        #expect(Ending(result) == .unreachable && classOf(result) == "unsent")
    }

    @Test("A handshake that never ends is given up in time, unsent")
    func silentHandshake() async throws {
        let server = try RawServer { _ = $0.wait() }
        let network = try HTTPNetwork(to: "https://127.0.0.1:\(server.port)", connect: .milliseconds(300))
        let result = await network.result()
        #expect(result == .failure(.unreachable("127.0.0.1:\(server.port): it took too long")))
    }
}
