import Foundation
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerSync

/// Apps that return from `main` while the thread of their requests has something to do.
@Suite(.timeLimit(.minutes(2))) struct HTTPExitTests {
    private static let weak = ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA"]

    private func app(_ url: String, trusting file: String = "/dev/null", _ mode: String) throws -> Program {
        Program(try builtProduct("ReturningApp"), [url, file, mode])
    }

    @Test(
        "A connection is closed before OpenSSL cleans up, also where the app used OpenSSL first",
        arguments: ["answered", "released"], [false, true])
    func openConnection(mode: String, usingOpenSSL: Bool) async throws {
        let authority = try await CertificateAuthority()
        let server = try await TLSServer(certified: "DNS:localhost", by: authority, options: Self.weak)
        var app = try app("https://localhost:\(server.port)", trusting: authority.file, mode)
        if usingOpenSSL { app.arguments.append("openssl") }
        let late = try await LateShutdown()
        async let finished = app.adding(late.environment).run()
        try await server.expect("POST ")
        try server.send("HTTP/1.1 404 Not Found\nContent-Length: 0\n\n")
        let (exit, output) = try await (finished.exit, finished.stdout)
        #expect(exit == .code(0) && output == "answer 404\nreturns\n")
    }

    @Test("A server that does not answer holds nobody up", arguments: [false, true])
    func hangingServer(inHandshake: Bool) async throws {
        let server = try RawServer { connection in
            if !inHandshake { _ = connection.request() }
            _ = connection.wait()
        }
        let url = inHandshake ? server.url.replacing("http:", with: "https:") : server.url
        var quickest = Duration.seconds(60)
        // Other tests want the processor, too: the quickest of a few tells what it takes.
        for round in 1...5 where quickest >= .seconds(1) {
            let app = try PseudoTerminal(try app(url, "waiting"))
            try await eventually("the app has connected") { server.connections == round }
            let start = ContinuousClock.now
            try app.send("\u{4}")
            #expect(try await app.wait() == .code(0))
            #expect(app.transcript.contains("returns"))
            quickest = min(quickest, .now - start)
        }
        #expect(quickest < .seconds(1))
    }

    @Test(
        "A file of certificates that never ends holds an exit up for three seconds at most, and crashes nothing")
    func endlessFile() async throws {
        let folder = try TemporaryFolder()
        let file = folder.appending("fifo")
        guard mkfifo(file, 0o600) == 0 else { throw Failure("mkfifo: \(errno)") }
        let authority = try await CertificateAuthority()
        let server = try await TLSServer(certified: "DNS:localhost", by: authority, options: Self.weak)
        let app = try PseudoTerminal(try app("https://localhost:\(server.port)", trusting: file, "waiting"))
        // It can be opened to write, without waiting, as soon as the app reads it.
        var descriptor: Int32 = -1
        try await eventually("the app reads the file") {
            descriptor = open(file, O_WRONLY | O_NONBLOCK)
            return descriptor >= 0
        }
        defer { close(descriptor) }
        let start = ContinuousClock.now
        try app.send("\u{4}")
        #expect(try await app.wait() == .code(0))
        #expect(app.transcript.contains("returns"))
        #expect((.seconds(1)...(.seconds(10))).contains(.now - start))
    }

    @Test("Requests that begin while the app returns are refused, twenty times")
    func busyApp() async throws {
        let server = try RawServer(answer: Answer.whole())
        for round in 0..<20 {
            let before = server.requestCount
            let app = try PseudoTerminal(try app(server.url, "busy"))
            try await eventually("requests come") { server.requestCount > before + round }
            try app.send("\u{4}")
            #expect(try await app.wait() == .code(0))
        }
    }
}
