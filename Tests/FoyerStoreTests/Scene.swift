import FoyerModel
import FoyerTestSupport
import TestSupport
import Testing

@testable import FoyerStore

extension TestClock {
    /// When every test begins.
    static let start = Timestamp(milliseconds: 1_767_323_045_000)
}

/// Who registers in a test.
struct Person: Sendable {
    var email = "ada@example.org"
    var userName = "ada.l"
    var password = "four unrelated words"
    var first = "Ada"
    var last = "Lovelace"

    static let ada = Person()
    static let grace = Person(email: "grace@example.org", userName: "grace", first: "Grace", last: "Hopper")

    var answers: [(step: String, content: FlowDraft.Answer)] {
        [
            ("email", .clear(email)), ("userName", .clear(userName)), ("password", .secret(Secret(password))),
            ("firstName", .clear(first)), ("lastName", .clear(last)),
        ]
    }
}

/// The identifier that ends with this number.
func id(_ number: Int) -> UUIDv7 {
    let digits = String(number)
    let text = "01900000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    guard let id = UUIDv7(text) else { fatalError("no identifier ends with \(number)") }
    return id
}

/// A store in a folder of its own, with a clock that only the test moves.
struct Scene: Sendable {
    let folder: TemporaryFolder
    let clock: TestClock
    let store: Repositories

    init(
        startingAt start: Timestamp = TestClock.start, sealingKey: SealingKey? = nil,
        keeping retention: RetentionPolicy = RetentionPolicy()
    ) async throws {
        folder = try TemporaryFolder()
        clock = TestClock(start)
        store = try await Repositories.open(
            at: folder.appending("a.db"), keyFile: folder.appending("keys/key"), endpoint: .named("server"),
            sealingKey: sealingKey,
            retention: retention, environment: clock.environment)
    }

    var database: String { folder.appending("a.db") }
    var keyFile: String { folder.appending("keys/key") }

    /// The same file through another store, as another process would open it.
    func another(sealingKey: SealingKey? = nil) async throws -> Repositories {
        try await Repositories.open(
            at: database, keyFile: keyFile, endpoint: .named("server"), sealingKey: sealingKey,
            environment: clock.environment)
    }

    /// What the sqlite3 shell, a process of its own, answers while the store is open.
    func shell(_ sql: String) async throws -> Program.Finished {
        try await Program("sqlite3", ["-batch", "-bail", "-cmd", ".timeout 5000", database]).run(input: .text(sql))
    }

    @discardableResult
    func sql(_ sql: String) async throws -> String {
        let finished = try await shell(sql)
        guard finished.exit == .code(0) else { throw Failure("\(sql): \(finished.stderr)") }
        return finished.stdout.split(separator: "\n").joined(separator: "\n")
    }

    /// All that is in the database, as text.
    func everything() async throws -> String { try await sql(".dump") }

    /// The files with these bytes in them; looked for by another process, because closing a descriptor of an open
    /// database here would drop SQLite's locks.
    func files(containing text: String) async throws -> [String] {
        let found = try await Program("grep", ["-rlaF", "--", text, folder.path]).run()
        return found.stdout.split(separator: "\n").map(String.init)
    }
}

// MARK: - Flows

extension Scene {
    /// A flow that nobody has written yet.
    func newFlow(_ kind: FlowKind = .register, id: UUIDv7? = nil, submission: UUIDv7? = nil) -> SavedFlow {
        let makeID = store.environment.makeID
        return SavedFlow(
            id: id ?? makeID(), kind: kind, path: "register", status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: submission ?? makeID(), createdAt: clock.now, updatedAt: clock.now,
            expiresAt: clock.now + .seconds(30 * 86400))
    }

    func change(
        _ flow: SavedFlow, answers: ArraySlice<(step: String, content: FlowDraft.Answer)> = [], step: String? = nil,
        outcome: FlowChange.Outcome = .open, tree: [CoordinatorNode]? = nil
    ) -> FlowChange {
        FlowChange(
            flow: flow, fingerprint: FlowDefinition.standard(for: flow.kind).fingerprint,
            answers: answers.map { FlowChange.Answer(step: $0.step, version: 1, content: $0.content) }, step: step,
            outcome: outcome, tree: tree ?? [Self.root], at: clock.now)
    }

    static let root = CoordinatorNode(path: "register", slot: "register", position: 0, config: "{}", state: "{}")

    /// Answers the first steps of a registration, each in a commit of its own.
    func answered(_ count: Int, by person: Person = .ada, flow: SavedFlow? = nil) async throws -> SavedFlow {
        var flow = flow ?? newFlow()
        let steps = FlowDefinition.register.steps.map(\.id)
        for index in 0..<count {
            flow = try await store.commit(
                change(
                    flow, answers: person.answers[index...index], step: index + 1 < 5 ? steps[index + 1] : nil))
        }
        return flow
    }

    /// The last answer of a registration.
    func finish(
        _ flow: SavedFlow, by person: Person = .ada, user: UUIDv7? = nil, submission: UUIDv7? = nil,
        lane: String? = nil, tree: [CoordinatorNode]? = nil
    ) -> FlowChange {
        let user = User(
            id: user ?? store.environment.makeID(), email: person.email, userName: person.userName,
            firstName: person.first, lastName: person.last, status: .pending, createdAt: clock.now,
            updatedAt: clock.now)
        let body = SubmissionBody.stored(fields: ["email_field": person.email, "user_name": person.userName])
        let new = NewSubmission(
            id: submission ?? flow.submissionID, kind: .register, lane: lane ?? user.id.text, body: body)
        return change(
            flow, answers: person.answers[4...], outcome: .submitted(.init(user: user, submission: new)), tree: tree)
    }

    /// A registration that waits in the outbox.
    func submitted(by person: Person = .ada, lane: String? = nil) async throws -> SavedFlow {
        try await store.commit(finish(try await answered(4, by: person), by: person, lane: lane))
    }

    /// A sign-in that waits in the outbox.
    func submittedLogin(lane: String) async throws -> SavedFlow {
        let flow = newFlow(.login)
        let new = NewSubmission(id: flow.submissionID, kind: .login, lane: lane, body: "{}")
        return try await store.commit(
            change(
                flow, answers: [("password", .secret(Secret("four unrelated words")))],
                outcome: .submitted(.init(user: nil, submission: new))))
    }
}

// MARK: - The outbox

extension Scene {
    /// A registration that this worker is sending.
    func sending(by person: Person = .ada, worker: any WorkerLease) async throws -> ClaimedSubmission {
        _ = try await submitted(by: person)
        return try #require(try await claim(worker).first)
    }

    /// What the worker gets; it begins to send all of it, unless told otherwise.
    func claim(
        _ worker: any WorkerLease, _ limit: Int = 10, begins: Bool = true, isIdle: Bool = true,
        for endpoint: String = "server"
    ) async throws -> [ClaimedSubmission] {
        let claimed = try await store.claim(limit, by: worker.worker, for: endpoint, isIdle: isIdle)
        if begins { for submission in claimed { #expect(try await store.begin(submission)) } }
        return claimed
    }

    @discardableResult
    func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport = .answered,
        status: Int? = nil
    ) async throws -> Bool {
        try await store.settle(submission, settlement, report, httpStatus: status)
    }

    func count(_ table: String) async throws -> String { try await sql("SELECT count(*) FROM \(table)") }
}

extension Settlement {
    static func retry(after delay: Duration = .seconds(1), countsAsFailure: Bool = false, isUnsent: Bool = false)
        -> Self
    {
        .retry(Retry(delay: delay, reason: "no answer", countsAsFailure: countsAsFailure, isUnsent: isUnsent))
    }

    static let takenName = Settlement.verdict(
        .rejected([
            FieldRefusal(step: "userName", message: FieldMessage("username.taken"))
        ]))
}

extension EndpointReport {
    /// The endpoint cannot be reached, and wants to be left alone for a time.
    static func offline(for wait: Duration? = nil, isSoft: Bool = false) -> Self {
        .troubled(Trouble(reason: "offline", isSoft: isSoft, retryAfter: wait, jitter: 0))
    }
}

/// The code of the error that the closure throws; nil when it throws none.
func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)")
    }
}
