import FoyerModel
import FoyerStore
import FoyerSync
import FoyerTestSupport
import TestSupport

/// A network that answers as the test says, and remembers what it was asked.
actor ScriptedNetwork: AccountNetwork {
    typealias Answer = @Sendable (SubmissionRequest, _ number: Int) async -> Result<NetworkReply, NetworkFailure>

    nonisolated let endpoint = "script"
    private(set) var requests: [SubmissionRequest] = []
    /// The keys that were asked to be cancelled, and those whose outcome was asked for.
    private(set) var cancelled: [UUIDv7] = []
    private(set) var asked: [UUIDv7] = []
    private let answer: Answer
    private let other: Result<NetworkReply, NetworkFailure>

    /// - Parameter other: what is answered when somebody cancels, or asks for an outcome.
    init(other: Result<NetworkReply, NetworkFailure> = .status(404), _ answer: @escaping Answer) {
        self.answer = answer
        self.other = other
    }

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        requests.append(request)
        return try await answer(request, requests.count).get()
    }

    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        asked.append(key)
        return try other.get()
    }

    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        cancelled.append(key)
        return try other.get()
    }

    var bodies: [String] { requests.map { String(revealing: $0.body) } }
}

extension Result<NetworkReply, NetworkFailure> {
    static func status(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Self {
        .success(NetworkReply(status: status, body: Array(body.utf8), retryAfter: retryAfter))
    }

    /// A whole acceptance.
    static func accepted(_ id: String) -> Self {
        .status(201, #"{"schema":1,"user":{"id":"\#(id)"},"verdict":"accepted"}"#)
    }

    static let tookBack = Self.status(200, #"{"schema":1,"verdict":"cancelled"}"#)
    static let takenName = Self.status(409, #"{"errors":[{"code":"taken","field":"user_name","message":"No"}]}"#)
    static let offline = Self.failure(.unreachable("no route"))
}

/// A store with registrations in its outbox.
protocol OutboxScene: Sendable {
    var folder: TemporaryFolder { get }
    var environment: FoyerEnvironment { get }
    var store: Repositories { get }
}

/// A store whose clock only the test moves.
struct Scene: OutboxScene {
    let folder: TemporaryFolder
    let clock = TestClock(Timestamp(milliseconds: 1_767_323_045_000))
    let store: Repositories
    var environment: FoyerEnvironment { clock.environment }

    init() async throws {
        folder = try TemporaryFolder()
        store = try await Repositories.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("script"),
            environment: clock.environment)
    }
}

/// A store with the system's clock.
struct RealScene: OutboxScene {
    let folder: TemporaryFolder
    let store: Repositories
    var environment: FoyerEnvironment { .system }

    init(in folder: TemporaryFolder? = nil) async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        store = try await Repositories.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("script"))
    }
}

extension OutboxScene {
    /// Puts a finished registration into the outbox.
    @discardableResult
    func submit(_ name: String = "ada", lane: String? = nil, kind: FlowKind = .register) async throws -> SavedFlow {
        let makeID = environment.makeID
        let now = environment.now()
        let flow = SavedFlow(
            id: makeID(), kind: kind, path: "register", status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: makeID(), createdAt: now, updatedAt: now, expiresAt: nil)
        let user = User(id: makeID(), userName: name, status: .pending, createdAt: now, updatedAt: now)
        let answers: [FlowChange.Answer] = [
            .init(step: "email", version: 1, content: .clear("\(name)@example.org")),
            .init(step: "userName", version: 1, content: .clear(name)),
            .init(step: "password", version: 1, content: .secret(Secret("four unrelated words"))),
        ]
        let new = NewSubmission(
            id: flow.submissionID, kind: kind, lane: lane ?? user.id.text,
            body: SubmissionBody.stored(fields: ["user_name": name]))
        return try await store.commit(
            FlowChange(
                flow: flow, fingerprint: FlowDefinition.standard(for: kind).fingerprint, answers: answers, step: nil,
                outcome: .submitted(.init(user: kind == .register ? user : nil, submission: new)), at: now))
    }

    func service(_ network: ScriptedNetwork, concurrency: Int = 4) -> SyncService {
        SyncService(
            outbox: store, network: network, definitions: FlowKind.allCases.map(FlowDefinition.standard),
            concurrency: concurrency, environment: environment)
    }

    func sync(_ network: ScriptedNetwork, waitingUpTo timeout: Duration = .zero) async throws -> SyncReport {
        try await service(network).sync(waitingUpTo: timeout)
    }

    /// What the sqlite3 shell, a process of its own, answers while the store is open.
    @discardableResult
    func shell(_ sql: String) async throws -> String {
        let finished = try await Program(
            "sqlite3", ["-batch", "-bail", "-cmd", ".timeout 5000", folder.appending("a.db")]
        ).run(input: .text(sql))
        guard finished.exit == .code(0) else { throw Failure("\(sql): \(finished.stderr)") }
        return finished.stdout.split(separator: "\n").joined(separator: "\n")
    }

    func states() async throws -> [Submission.State.Name] { try await store.submissions().map(\.state.name) }
}
