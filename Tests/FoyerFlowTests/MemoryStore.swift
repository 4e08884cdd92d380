import FoyerModel

/// The flows of one test, in memory, by the rules of the repositories; it fails, and waits, on request.
actor MemoryStore: FlowStorage, UserRepository {
    /// Every change that was written, in order.
    private(set) var commits: [FlowChange] = []
    /// How often a tree was saved without an answer.
    private(set) var saves = 0
    /// How many changes were being written at once at most.
    private(set) var mostAtOnce = 0
    private var saved: [UUIDv7: SavedFlow] = [:]
    private var people: [User] = []
    private(set) var trees: [String: [CoordinatorNode]] = [:]
    private var failures: [StoreError] = []
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var atOnce = 0

    init(_ flow: SavedFlow? = nil) {
        if let flow { saved[flow.id] = flow }
    }

    // MARK: What a test may ask for

    /// The next write fails.
    func failOnce(_ code: StoreError.Code = .diskFull) {
        failures.append(StoreError(code, "failed on request"))
    }

    /// Writes wait until `release`.
    func hold() { isHeld = true }

    func release() {
        isHeld = false
        for writer in held { writer.resume() }
        held = []
    }

    /// The places in a saved tree.
    func paths(of host: String) -> [String] { (trees[host] ?? []).map(\.path).sorted() }

    /// Changes a saved tree, as another version of the program would.
    func edit(_ host: String, _ edit: @Sendable ([CoordinatorNode]) -> [CoordinatorNode]) -> [CoordinatorNode] {
        trees[host] = edit(trees[host] ?? [])
        return trees[host] ?? []
    }

    /// How many writes wait.
    var waiting: Int { held.count }

    /// Changes a flow as another process, or the network's verdict, would.
    func change(
        _ id: UUIDv7, to status: SavedFlow.Status, submission: UUIDv7? = nil, user: User? = nil,
        answers edit: @Sendable ([SavedAnswer]) -> [SavedAnswer] = { $0 }
    ) {
        guard let flow = saved[id] else { return }
        saved[id] = flow.changed(
            status: status, answers: edit(flow.answers), userID: user?.id ?? flow.userID, submission: submission)
        if let user { people = people.filter { $0.id != user.id } + [user] }
    }

    // MARK: The repositories

    func commit(_ change: FlowChange) async throws(StoreError) -> SavedFlow {
        atOnce += 1
        mostAtOnce = max(mostAtOnce, atOnce)
        defer { atOnce -= 1 }
        if isHeld { await withCheckedContinuation { held.append($0) } }
        if !failures.isEmpty { throw failures.removeFirst() }
        let present = saved[change.flow.id]
        if let present, present.status != .open { throw StoreError(.flowClosed, "closed") }
        guard (present?.revision ?? 0) == change.flow.revision else { throw StoreError(.movedOn, "moved on") }
        var status = SavedFlow.Status.open
        var userID = present?.userID
        switch change.outcome {
        case .open: break
        case .cancelled: status = .cancelled
        case .submitted(let finish):
            status = .submitted
            userID = finish.user?.id
            if let user = finish.user { people.append(user) }
        }
        let flow = change.flow.changed(
            status: status, answers: Self.merge(change.answers, into: present?.answers ?? [], at: change.at),
            userID: userID, step: change.step, unsent: change.unsent ?? present?.unsent)
        saved[flow.id] = flow
        trees[change.host ?? flow.id.text] = change.tree
        commits.append(change)
        return flow
    }

    private static func merge(
        _ answers: [FlowChange.Answer], into saved: [SavedAnswer], at now: Timestamp
    ) -> [SavedAnswer] {
        answers.reduce(into: saved) { all, answer in
            all.removeAll { $0.step == answer.step }
            let seq = (all.map(\.seq).max() ?? 0) + 1
            let (kept, value): (SavedAnswer.Kept, String?) =
                switch answer.content {
                case .clear(let text): (.clear, text)
                case .secret, .sealed: (.sealed, nil)
                case nil: (.volatile, nil)
                }
            all.append(
                SavedAnswer(
                    step: answer.step, version: answer.version, kept: kept, value: value, error: nil, seq: seq,
                    answeredAt: now, usableUntil: kept == .sealed ? now + .seconds(86400) : nil))
        }
    }

    func flow(_ id: UUIDv7) async throws(StoreError) -> SavedFlow? { saved[id] }
    func user(_ id: UUIDv7) async throws(StoreError) -> User? { people.first { $0.id == id } }
    func users() async throws(StoreError) -> Listing<User> { Listing(people) }
    func newestOpenFlow() async throws(StoreError) -> SavedFlow? { saved.values.first { $0.status == .open } }
    func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow> {
        Listing(saved.values.filter(\.status.isUnfinished))
    }
    func users(email: String) async throws(StoreError) -> [User] { [] }
    func add(_ users: [User]) async throws(StoreError) {}

    func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] { trees[host] ?? [] }

    func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {
        if !failures.isEmpty { throw failures.removeFirst() }
        trees[host] = tree
        saves += 1
    }

    func expireFlows() async throws(StoreError) -> Int { 0 }

    func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow {
        change(id, to: .cancelled)
        guard let flow = saved[id] else { throw StoreError(.notFound, id.text) }
        return flow
    }
}

extension SavedFlow {
    /// The flow one revision later.
    fileprivate func changed(
        status: Status, answers: [SavedAnswer], userID: UUIDv7?, submission: UUIDv7? = nil, step: String? = nil,
        unsent: [String: String]? = nil
    ) -> SavedFlow {
        SavedFlow(
            id: id, kind: kind, path: path, status: status, fingerprint: fingerprint, step: step,
            revision: revision + 1, userID: userID, submissionID: submission ?? submissionID, createdAt: createdAt,
            updatedAt: updatedAt, expiresAt: expiresAt, answers: answers, unsent: unsent ?? self.unsent)
    }
}
