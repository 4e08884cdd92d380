import FoyerModel
import Synchronization
import FoyerTestSupport
import TestSupport

@testable import FoyerMockNetwork

/// The account server with a clock of its own: it takes no key from another time, and says in `Date` what time it is.
actor ClockedServer: AccountNetwork {
    nonisolated let endpoint = "server"
    private let path: String
    private let accounts: AccountServer
    private let now: @Sendable () -> Timestamp
    /// Whether it can be reached.
    var isReachable = true
    /// The text in a body that it finds to be wrong in a way that no other try changes.
    var malformed: String?

    init(at path: String, now: @escaping @Sendable () -> Timestamp) async throws {
        self.now = now
        self.path = path
        accounts = try await AccountServer.open(
            at: path, hashing: .minimum, environment: FoyerEnvironment(now: now), forgets: true)
    }

    /// What it publishes of its key.
    var sealingKey: SealingKey? {
        let key = accounts.sealingKey
        let members =
            #""aud":"\#(SealingKeyPair.audience)","key_id":"\#(key.id)","public_key":"\#(Base64.text(key.publicKey))""#
        return SealingKey(json: Array(#"{"schema":1,"algorithm":"crypto_box_seal",\#(members)}"#.utf8))
    }

    func set(reachable: Bool, malformed: String? = nil) {
        isReachable = reachable
        self.malformed = malformed
    }

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        let text = String(revealing: request.body)
        if isReachable, let malformed, text.contains(malformed) {
            return NetworkReply(status: 400, body: [], date: now().httpDate)
        }
        return try await ask { try await $0.answer(request) }
    }

    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await ask { try await $0.outcome(of: key) }
    }

    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        try await ask { try await $0.cancel(key) }
    }

    /// The addresses of all accounts, one for each account.
    func addresses() async throws -> [String] {
        let finished = try await Program("sqlite3", [path, "SELECT email FROM accounts ORDER BY email"]).run()
        guard finished.exit == .code(0) else { throw Failure(finished.stderr) }
        return finished.stdout.split(separator: "\n").map(String.init)
    }

    private func ask(
        _ question: (AccountServer) async throws -> NetworkReply
    ) async throws(NetworkFailure) -> NetworkReply {
        guard isReachable else { throw .unreachable("no route") }
        let reply: NetworkReply
        do { reply = try await question(accounts) } catch { throw .interrupted("\(error)") }
        return NetworkReply(status: reply.status, body: reply.body, date: now().httpDate, isReplay: reply.isReplay)
    }
}
