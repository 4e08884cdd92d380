public import FoyerModel
import FoyerSQLite

/// A pretended account server in this process, which keeps its accounts in a file of its own.
///
/// It behaves as the contract of the wire says: key, effect and stored answer are one transaction, and a key that
/// was seen before gets the answer that was given then.
public actor MockNetwork: AccountNetwork {
    /// The name of every such server.
    public static let endpoint = "mock"
    public nonisolated var endpoint: String { Self.endpoint }
    private let path: String
    private let hashing: PasswordHashing
    let environment: FoyerEnvironment
    private var opened: AccountServer?
    private var script: [ScriptedAnswer]

    /// Makes the server; its file is opened, or made, at the first submission.
    ///
    /// - Parameters:
    ///   - path: the server's own file.
    ///   - hashing: how much work a password costs; the least by default, because no account here is real.
    ///   - script: what it does first, in place of its rules.
    ///   - environment: the clock and the source of identifiers.
    public init(
        path: String, hashing: PasswordHashing = .minimum, script: [ScriptedAnswer] = [],
        environment: FoyerEnvironment = .system
    ) {
        self.script = script
        self.path = path
        self.hashing = hashing
        self.environment = environment
    }

    public func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        switch takeScripted() {
        case nil: return try await ask { try await $0.answer(request) }
        case .answer(let message, let status): return NetworkReply(scripted: message, status)
        case .offline: throw .unreachable("the mock network is offline by its script")
        case .lost:
            _ = try await ask { try await $0.answer(request) }
            throw .interrupted("the mock network lost its answer by its script")
        case .slow(let duration):
            try? await environment.sleep(duration)
            return try await ask { try await $0.answer(request) }
        }
    }

    public func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await ask { try await $0.outcome(of: key) }
    }

    public func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await ask { try await $0.cancel(key) }
    }

    /// Closes the server's file; a later submission opens it again.
    public func close() async {
        try? await opened?.database.close()
        opened = nil
    }

    /// Adds to what is done in place of the rules.
    public func script(_ answers: [ScriptedAnswer]) {
        script += answers
    }

    /// The next scripted answer, which is used up by this; nil when the rules hold.
    func takeScripted() -> ScriptedAnswer? {
        script.isEmpty ? nil : script.removeFirst()
    }

    private func ask(
        _ question: (AccountServer) async throws -> NetworkReply
    ) async throws(NetworkFailure) -> NetworkReply {
        let server: AccountServer
        do { server = try await self.server() } catch {
            throw .unreachable("the mock network's file cannot be opened: \(error)")
        }
        // A commit that failed may have happened all the same.
        do { return try await question(server) } catch {
            throw .interrupted("the mock network's file failed: \(error)")
        }
    }

    private func server() async throws -> AccountServer {
        if let opened { return opened }
        // Its clock need not be the one that keys are made by, so it tells none from its age.
        let server = try await AccountServer.open(
            at: path, hashing: hashing, environment: environment, forgets: false)
        opened = opened ?? server
        return opened ?? server
    }
}
