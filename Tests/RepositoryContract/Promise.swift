import FoyerModel
package import FoyerTestSupport
import Synchronization

/// One promise of the repository protocols, with what shows that it is kept.
///
/// Every engine and every stand-in that tests use has to keep all promises of the protocols that it implements.
package struct Promise<Subject: Sendable>: Sendable, CustomStringConvertible {
    package let description: String
    /// Throws `Broken` where the promise is broken.
    package let check: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.check = check
    }
}

/// A promise was broken: what was found, and what was promised.
package struct Broken: Error, CustomStringConvertible {
    package let description: String
}

/// The repositories of an empty store, and the clock that they live by.
package final class ContractStore<Repositories: Sendable>: Sendable {
    let store: Repositories
    let clock: TestClock
    let makeID: @Sendable () -> UUIDv7
    /// The workers of the test.
    let leases = Mutex<[any WorkerLease]>([])

    package init(_ store: Repositories, clock: TestClock) {
        self.store = store
        self.clock = clock
        makeID = clock.environment.makeID
    }
}

func require(_ isKept: Bool, _ what: @autoclosure () -> String) throws {
    guard isKept else { throw Broken(description: what()) }
}

func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
    try require(found == expected, "\(what): \(found), not \(expected)")
}

func require<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw Broken(description: "\(what): nil") }
    return value
}

/// Runs what has to fail with that code.
func refused(_ code: StoreError.Code, _ what: String, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as StoreError {
        return try require(error.code.rawValue, is: code.rawValue, what)
    }
    throw Broken(description: "\(what): no error")
}

// MARK: - What the promises are tried with

extension ContractStore {
    /// A registration that is not in the store yet.
    func registration(_ kind: FlowKind = .register) -> SavedFlow {
        return SavedFlow(
            id: makeID(), kind: kind, path: kind.rawValue, status: .open, fingerprint: "", step: nil, revision: 0,
            userID: nil, submissionID: makeID(), createdAt: clock.now, updatedAt: clock.now,
            expiresAt: clock.now + .seconds(30 * 86400))
    }

    func change(
        _ flow: SavedFlow, _ answers: [(String, FlowDraft.Answer)] = [], step: String? = "userName",
        outcome: FlowChange.Outcome = .open
    ) -> FlowChange {
        FlowChange(
            flow: flow, fingerprint: "email@1 userName@1 password@1",
            answers: answers.map { FlowChange.Answer(step: $0.0, version: 1, content: $0.1) }, step: step,
            outcome: outcome, tree: [Self.root], at: clock.now)
    }

    /// What finishes a registration: a person with that name, and a submission in that lane.
    func finish(_ flow: SavedFlow, by name: String = "ada", lane: String = "ada") -> FlowChange {
        let user = User(
            id: makeID(), email: "\(name)@example.org", userName: name, status: .pending,
            createdAt: clock.now, updatedAt: clock.now)
        let body = SubmissionBody.stored(fields: ["user_name": name])
        let submission = NewSubmission(id: flow.submissionID, kind: flow.kind, lane: lane, body: body)
        return change(
            flow, [("email", .clear("\(name)@example.org"))], step: nil,
            outcome: .submitted(FlowChange.Finish(user: user, submission: submission)))
    }

    static var root: CoordinatorNode {
        CoordinatorNode(path: "register", slot: "register", position: 0, config: "{}", state: "{}")
    }
}
