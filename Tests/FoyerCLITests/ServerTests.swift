import Foundation
import TestSupport
import Testing

/// `foyer` and an account server over HTTP.
@Suite(.timeLimit(.minutes(2))) struct ServerTests {
    private static let acceptance = #"{"schema":1,"user":{"id":"r1"},"verdict":"accepted"}"#
    private static let accepting =
        "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 52\r\n\r\n\(acceptance)"

    private func server() throws -> RawServer {
        try RawServer { connection in
            while connection.request() != nil, connection.send(Self.accepting) {}
        }
    }

    @Test("A registration is delivered to the server that was named")
    func delivery() async throws {
        let household = try Household()
        let server = try server()
        let finished = try await household.foyer("register", "--network", server.url, lines: Person.ada.answers)
        #expect(finished.exit == .code(0) && !finished.stderr.contains("mock"))
        #expect(server.requests.map(\.target) == ["/v1/submissions/register"])
        #expect(server.requests.first?.text.contains(Person.passwordPart) == true)
        #expect(try await household.sqlite3("SELECT remote_id, status FROM users") == "r1|active")
        try household.checkSecrecy()
    }

    @Test(
        "Who answers what the contract does not know is named by the exit code, and the submission is kept",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>hi</p>",
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 418 I'm a teapot\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
            accepting.replacing("\r\n\r\n", with: "\r\nContent-Length: 52\r\n\r\n"),
            accepting.replacing("\r\n\r\n", with: "\r\nContent-Encoding: gzip\r\n\r\n"),
            accepting.replacing("52", with: "104").replacing(acceptance, with: acceptance.map { "\($0)\0" }.joined()),
        ])
    func brokenContract(answer: String) async throws {
        let household = try Household()
        let strange = try RawServer { connection in
            if connection.request() != nil { _ = connection.send(answer) }
        }
        try await household.foyer(
            "register", "--network", "offline", lines: Person.ada.answers, adding: ["FOYER_NETWORK": strange.url])
        #expect(try await household.foyer("sync", "--wait", "0", "--network", strange.url).exit == .code(76))
        #expect(try await household.sqlite3("SELECT count(*) FROM submissions_waiting") == "1")
        #expect(try await household.sqlite3("SELECT count(*) FROM users WHERE status = 'active'") == "0")
        try household.checkSecrecy()
    }

    @Test("With its authority in a file, a server with TLS gets the submission; without it, nothing")
    func authority() async throws {
        let household = try Household()
        let authority = try await CertificateAuthority()
        let server = try await TLSServer(certified: "DNS:localhost", by: authority)
        let url = "https://localhost:\(server.port)"
        #expect(try await household.foyer("register", "--network", url, lines: Person.ada.answers).exit == .code(75))
        #expect(try await household.sqlite3("SELECT why FROM submissions_waiting").contains("not trusted"))

        async let finished = household.foyer("sync", "--network", url, adding: ["FOYER_CA_FILE": authority.file])
        try await server.expect(Person.passwordPart)
        try server.send(Self.accepting.replacing("\r\n", with: "\n") + "\n")
        #expect(try await finished.exit == .code(0))
        #expect(server.transcript.components(separatedBy: "POST ").count == 2)
        #expect(try await household.foyer("sync", "--network", url, "--ca-file", "/nowhere").exit == .code(0))
        try household.checkSecrecy()
    }

    @Test("With the server's key in a file, the password goes out in a box")
    func sealing() async throws {
        let household = try Household()
        let server = try server()
        let file = household.folder.appending("state/server-key.json")
        let missing = try await household.foyer("register", "--json", "--sealing-key", file, lines: Person.ada.answers)
        #expect(missing.exit == .code(78) && !household.hasDatabase)
        #expect(try missing.error()?.code == "sealing_key")

        let key = String(repeating: "A", count: 42) + "k="
        let json = #"{"algorithm":"crypto_box_seal","aud":"a","key_id":"k7","public_key":"\#(key)","schema":1}"#
        try FileManager.default.createDirectory(
            atPath: household.folder.appending("state"), withIntermediateDirectories: false)
        try Data(json.utf8).write(to: URL(filePath: file))
        let finished = try await household.foyer(
            "register", "--network", server.url, "--sealing-key", file, lines: Person.ada.answers)
        #expect(finished.exit == .code(0))
        let body = try #require(server.requests.first?.text)
        #expect(body.contains(#""key_id":"k7","mode":"server"}"#) && !body.contains(Person.passwordPart))
        try household.checkSecrecy()
    }

    @Test(
        "An address that cannot be used is refused before anything is made",
        arguments: [("http://accounts.example.org", "unencrypted"), ("ftp://accounts.example.org", "malformed_url")])
    func refused(url: String, code: String) async throws {
        let household = try Household()
        let finished = try await household.foyer("register", "--json", "--network", url, lines: Person.ada.answers)
        #expect(finished.exit == .code(78))
        #expect(try finished.error()?.code == code)
        #expect(!household.hasDatabase)
    }

    @Test("Libcurl is opened for HTTP, and for nothing else", .enabled { await Strace.isAvailable() })
    func lazily() async throws {
        let household = try Household()
        let server = try server()
        let lines = Person.ada.answers.map { $0 + "\n" }.joined()
        for (arguments, isUsed) in [
            (["flows"], false), (["register", "--network", server.url], true),
            (["flows", "--network", server.url], false),
            (["register", "--network", "mock"], false), (["sync", "--network", "mock"], false),
        ] {
            let program = try household.program(arguments)
            let (calls, finished) = try await Strace.calls(["openat"], of: program, input: .text(lines))
            #expect(finished.exit == .code(0))
            #expect(calls.contains { $0.contains("libcurl") } == isUsed, "\(arguments)")
        }
        #expect(server.requestCount == 1)
    }

    @Test("Without libcurl, the submission waits and says which package is missing")
    func withoutLibcurl() async throws {
        let household = try Household()
        let broken = try TemporaryFolder()
        try Data().write(to: URL(filePath: broken.appending("libcurl.so.4")))
        let server = try server()
        let finished = try await household.foyer(
            ["register", "--network", server.url], lines: Person.ada.answers,
            adding: ["LD_LIBRARY_PATH": broken.path])
        #expect(finished.exit == .code(75) && server.connections == 0)
        #expect(try await household.sqlite3("SELECT why FROM submissions_waiting").contains("the package libcurl4"))
        #expect(try await household.sqlite3("SELECT maybe_sent FROM submissions") == "0")
    }

    @Test(
        "Without any network, a submission waits and was surely not sent (row 28)",
        .enabled { try await Program("unshare", ["-rn", "true"]).run().exit == .code(0) })
    func noNetwork() async throws {
        let household = try Household()
        try await household.foyer(
            "register", "--network", "offline", lines: Person.ada.answers,
            adding: ["FOYER_NETWORK": "https://192.0.2.1"])
        var program = try household.program([
            "-rn", try builtProduct("foyer"), "sync", "--network", "https://192.0.2.1",
        ])
        program.executable = "unshare"
        let finished = try await program.run(within: .seconds(60))
        #expect(finished.exit == .code(69))
        #expect(
            try await household.sqlite3("SELECT why FROM submissions_waiting").contains("192.0.2.1: nothing answers"))
        #expect(try await household.sqlite3("SELECT maybe_sent FROM submissions") == "0")
        try await household.checkInvariants()
    }
}
