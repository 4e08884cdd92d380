/// A certificate authority of a test's own, made by the program `openssl`.
public struct CertificateAuthority: Sendable {
    private let folder: TemporaryFolder
    private let name: String

    /// Makes the authority.
    public init(_ name: String = "ca") async throws {
        folder = try TemporaryFolder()
        self.name = name
        try await openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Authority of a test", "-keyout", path("ca.key"), "-out", file,
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    }

    /// The file with its certificate.
    public var file: String { path("ca.pem") }

    /// Makes a certificate for these names, such as `DNS:localhost,IP:127.0.0.1`, and gives the files of key and
    /// certificate.
    public func certificate(for names: String) async throws -> (key: String, certificate: String) {
        let (key, request, signed) = (path("server.key"), path("server.csr"), path("server.pem"))
        try await openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=Server",
            "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", request)
        try await openssl(
            "x509", "-req", "-in", request, "-CA", file, "-CAkey", path("ca.key"), "-CAcreateserial", "-days", "2",
            "-copy_extensions", "copy", "-out", signed)
        return (key, signed)
    }

    private func path(_ file: String) -> String { folder.appending("\(name)-\(file)") }

    private func openssl(_ arguments: String...) async throws {
        let finished = try await Program("openssl", arguments).run()
        guard finished.exit == .code(0) else { throw Failure("openssl \(arguments): \(finished.stderr)") }
    }
}

/// A server with TLS on loopback, which is the program `openssl`: it shows what it gets, and says what it is given.
public final class TLSServer: Sendable {
    /// The port on 127.0.0.1 where it listens.
    public let port: Int
    private let terminal: PseudoTerminal

    /// Begins to listen with a certificate for these names, and with more options for `openssl s_server`.
    public init(
        certified names: String, by authority: CertificateAuthority, options: [String] = []
    ) async throws {
        let (key, certificate) = try await authority.certificate(for: names)
        terminal = try PseudoTerminal(
            Program("openssl", ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate] + options))
        try await terminal.expect("ACCEPT 127.0.0.1:")
        try await terminal.expect("\n")
        let digits = terminal.transcript.split(separator: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
        guard let port = Int(digits) else { throw Failure("openssl did not say its port: \(terminal.transcript)") }
        self.port = port
    }

    /// Waits until it got this text.
    public func expect(_ text: String) async throws { try await terminal.expect(text) }

    /// Says this to the client; a line ends with `\n`.
    public func send(_ text: String) throws { try terminal.send(text.replacing("\n", with: "\r")) }

    /// All that it got or told so far.
    public var transcript: String { terminal.transcript }

    /// Waits until it has told of as many connections that failed, or were closed.
    public func expectConnectionEnd() async throws { try await terminal.expect("ACCEPT") }
}
