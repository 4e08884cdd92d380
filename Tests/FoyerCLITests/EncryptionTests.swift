import Foundation
import TestSupport
import Testing

/// `foyer` and an account server with TLS, in surroundings that would weaken it or let it crash.
@Suite(.timeLimit(.minutes(5))) struct EncryptionTests {
    /// A household, and a server that it knows how to reach and to trust.
    private struct Scene {
        let household: Household
        let authority: CertificateAuthority
        let server: TLSServer

        init(_ options: String...) async throws { try await self.init(options: options) }

        init(options: [String]) async throws {
            household = try Household()
            authority = try await CertificateAuthority()
            server = try await TLSServer(certified: "DNS:localhost", by: authority, options: options)
        }

        var url: String { "https://localhost:\(server.port)" }

        /// Registers somebody, whom the server accepts.
        func register(_ number: Int = 0, adding environment: [String: String] = [:]) async throws -> Exit {
            let person = Person(email: "p\(number)@example.org", userName: "person\(number)")
            async let finished = household.foyer(
                ["register", "--network", url, "--ca-file", authority.file], lines: person.answers, adding: environment)
            try await server.expect(Person.passwordPart)
            let body = #"{"schema":1,"user":{"id":"r\#(number)"},"verdict":"accepted"}"#
            try server.send(
                "HTTP/1.1 201 Created\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n\(body)\n")
            return try await finished.exit
        }

        /// Registers somebody, where no connection may come about.
        func registerInVain(adding environment: [String: String], trusting: Bool = true) async throws {
            var arguments = ["register", "--network", url]
            if trusting { arguments += ["--ca-file", authority.file] }
            let finished = try await household.foyer(arguments, lines: Person.ada.answers, adding: environment)
            #expect(finished.exit == .code(75), "\(finished)")
            #expect(try await household.sqlite3("SELECT maybe_sent FROM submissions") == "0")
            #expect(!server.transcript.contains(Person.passwordPart))
        }

        /// A configuration of OpenSSL that allows what its own would refuse.
        func weakOpenSSL(ciphers: String) throws -> [String: String] {
            let file = household.folder.appending("openssl.cnf")
            let text = """
                openssl_conf = main
                [main]
                ssl_conf = parts
                [parts]
                system_default = weak
                [weak]
                MinProtocol = TLSv1
                CipherString = \(ciphers)

                """
            try Data(text.utf8).write(to: URL(filePath: file))
            return ["OPENSSL_CONF": file]
        }
    }

    // MARK: The end of the program

    @Test(
        "Fifty registrations end with the program's own exit code",
        arguments: [
            ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA"], ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"],
            ["-tls1_3"],
        ])
    func ends(options: [String]) async throws {
        let scene = try await Scene(options: options)
        var accepted = 0
        for number in 0..<50 {
            let exit = try await scene.register(number)
            // On a busy machine a verdict can take longer than the five seconds that a command waits.
            #expect([.code(0), .code(75)].contains(exit))
            if exit == .code(0) { accepted += 1 }
        }
        #expect(accepted >= 40)
        let active = try await scene.household.sqlite3("SELECT count(*) FROM users WHERE status = 'active'")
        #expect(Int(active).map { $0 >= accepted } == true)
    }

    @Test("A connection that takes long to close is closed before OpenSSL cleans up")
    func lateShutdown() async throws {
        let scene = try await Scene("-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA")
        let late = try await LateShutdown()
        #expect(try await scene.register(adding: late.environment) == .code(0))
    }

    // MARK: Surroundings

    @Test("A server that speaks TLS 1.1 alone gets nothing, also where OpenSSL's configuration allows it")
    func oldVersion() async throws {
        let scene = try await Scene("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
        try await scene.registerInVain(adding: try scene.weakOpenSSL(ciphers: "ALL:@SECLEVEL=0"))
    }

    @Test("A server that encrypts nothing gets nothing, also where OpenSSL's configuration allows it")
    func nullCipher() async throws {
        let scene = try await Scene("-tls1_2", "-cipher", "eNULL:@SECLEVEL=0")
        try await scene.registerInVain(adding: try scene.weakOpenSSL(ciphers: "eNULL:@SECLEVEL=0"))
    }

    @Test("The keys of a connection are written nowhere", arguments: ["-tls1_2", "-tls1_3"])
    func keyLog(version: String) async throws {
        let scene = try await Scene(version)
        let file = scene.household.folder.appending("keys")
        #expect(try await scene.register(adding: ["SSLKEYLOGFILE": file]) == .code(0))
        // libcurl may have made the file.
        #expect(FileManager.default.contents(atPath: file) ?? Data() == Data())
    }

    @Test("No variable names an authority to trust, or turns the check of certificates off")
    func authorities() async throws {
        let scene = try await Scene()
        let home = scene.household.folder
        try Data("insecure\n".utf8).write(to: URL(filePath: home.appending(".curlrc")))
        let file = scene.authority.file
        try await scene.registerInVain(
            adding: ["SSL_CERT_FILE": file, "CURL_CA_BUNDLE": file, "CURL_HOME": home.path], trusting: false)
        #expect(try await scene.household.sqlite3("SELECT why FROM submissions_waiting").contains("not trusted"))
    }
}
