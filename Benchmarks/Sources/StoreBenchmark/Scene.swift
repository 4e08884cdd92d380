import Foundation
import FoyerModel
import FoyerStore
import FoyerSQLite
import RawSQLite
import TestSupport

/// How much is measured.
struct Sizes: Sendable {
    var rounds: Int
    /// Transactions of one caller in a round.
    var transactions: Int
    /// Writes of 64 callers in a round.
    var concurrentWrites: Int
    var reads: Int
    var importedUsers: Int
    var drained: Int
    /// What lies in the store in the runs with history.
    var settledRows: Int
    var users: Int
    var openFlows: Int

    static let full = Sizes(
        rounds: 9, transactions: 300, concurrentWrites: 6400, reads: 200_000, importedUsers: 200_000, drained: 6000,
        settledRows: 500_000, users: 1_000_000, openFlows: 10_000)
    /// So small that it only shows that everything runs.
    static let smoke = Sizes(
        rounds: 2, transactions: 3, concurrentWrites: 128, reads: 400, importedUsers: 300, drained: 64,
        settledRows: 200, users: 300, openFlows: 50)
}

/// A folder with a store for AccountStore, and one for the C side that is its copy.
final class Scene: Sendable {
    let folder: String
    let keyFile: String
    let environment = FoyerEnvironment.system

    /// - Parameter parent: where the files lie, which decides what a sync of the disk costs.
    init(in parent: String) throws {
        folder = "\(parent)/\(UUID().uuidString)"
        keyFile = "\(folder)/keys/key"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { "\(folder)/\(name).db" }

    /// How long the log of a store is.
    func logBytes(_ name: String) -> Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name) + "-wal")
        return (attributes?[.size] as? NSNumber)?.doubleValue ?? .nan
    }

    func open(_ name: String) async throws -> Repositories {
        try await Repositories.open(
            at: path(name), keyFile: keyFile, endpoint: .named("instant"), environment: environment)
    }

    func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: path(other))
        try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    }

    // MARK: People and flows

    func person(_ number: Int) -> User {
        let now = environment.now()
        return User(
            id: environment.makeID(), email: "Person\(number)@example.org", userName: "person.\(number)",
            firstName: "Ada", lastName: "Lovelace \(number)", status: .active, createdAt: now, updatedAt: now)
    }

    private static let tree = [
        CoordinatorNode(path: "register", slot: "register", position: 0, config: "{}", state: "{}")
    ]
    private static let steps = FlowDefinition.register.steps.map(\.id)

    private func change(
        _ flow: SavedFlow, _ step: Int, _ content: FlowDraft.Answer, _ outcome: FlowChange.Outcome = .open
    ) -> FlowChange {
        FlowChange(
            flow: flow, fingerprint: FlowDefinition.register.fingerprint,
            answers: [FlowChange.Answer(step: Self.steps[step], version: 1, content: content)],
            step: step + 1 < Self.steps.count ? Self.steps[step + 1] : nil, outcome: outcome, tree: Self.tree,
            at: environment.now())
    }

    /// A registration with its first answer.
    func begin(_ number: Int, in store: Repositories) async throws -> SavedFlow {
        let now = environment.now()
        let flow = SavedFlow(
            id: environment.makeID(), kind: .register, path: "register", status: .open, fingerprint: "", step: nil,
            revision: 0, userID: nil, submissionID: environment.makeID(), createdAt: now, updatedAt: now,
            expiresAt: now + .seconds(30 * 86400))
        return try await store.commit(change(flow, 0, .clear("person\(number)@example.org")))
    }

    /// The second answer: a step, the tree and an event in one transaction.
    func answer(_ flow: SavedFlow, _ number: Int, in store: Repositories) async throws -> SavedFlow {
        try await store.commit(change(flow, 1, .clear("person.\(number)")))
    }

    /// All answers but the last.
    func almost(_ number: Int, in store: Repositories) async throws -> SavedFlow {
        var flow = try await answer(begin(number, in: store), number, in: store)
        flow = try await store.commit(change(flow, 2, .secret(Secret("four unrelated words"))))
        return try await store.commit(change(flow, 3, .clear("Ada")))
    }

    /// The last answer: person, submission, flow, secret and event in one transaction.
    func finish(_ flow: SavedFlow, _ number: Int, in store: Repositories) async throws -> SavedFlow {
        var user = person(number)
        user.status = .pending
        let body = SubmissionBody.stored(fields: [
            "email_field": "person\(number)@example.org", "user_name": "person.\(number)", "first_name": "Ada",
            "last_name": "Lovelace \(number)",
        ])
        let submission = NewSubmission(id: flow.submissionID, kind: .register, lane: user.id.text, body: body)
        return try await store.commit(
            change(
                flow, 4, .clear("Lovelace \(number)"), .submitted(FlowChange.Finish(user: user, submission: submission))
            ))
    }
}

/// One task for each of some callers, who share the work.
func share(_ count: Int, among callers: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callers {
            group.addTask {
                for number in stride(from: caller, to: count, by: callers) { try await body(number) }
            }
        }
        try await group.waitForAll()
    }
}
