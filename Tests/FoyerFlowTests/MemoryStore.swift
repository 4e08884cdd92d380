import FoyerModel
import FoyerTestSupport

/// The flows of one test, in memory, by the rules of the repositories; it fails, and waits, on request.
actor MemoryStore: FlowStorage, UserRepository {
    /// Every change that was written, in order.
    private(set) var commits: [FlowChange] = []
    /// How often a tree was saved without an answer.
    private(set) var saves = 0
    /// How many changes were being written at once at most.
    private(set) var mostAtOnce = 0
    private let clock: TestClock
    private var saved: [UUIDv7: SavedFlow] = [:]
    /// The secret answers, by flow and step.
    private var secrets: [UUIDv7: [String: Secret]] = [:]
    private var people: [User] = []
    private(set) var trees: [String: [CoordinatorNode]] = [:]
    private var failures: [StoreError] = []
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var atOnce = 0

    init(_ flow: SavedFlow? = nil, clock: TestClock = TestClock()) {
        self.clock = clock
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
        let id = change.flow.id, present = saved[id]
        if let present, present.status != .open { throw StoreError.closed(present.status) }
        guard present != nil || change.flow.revision == 0 else { throw StoreError.flowGone }
        guard (present?.revision ?? 0) == change.flow.revision else { throw StoreError(.movedOn, "moved on") }
        try keepSecrets(of: change)
        var answers = Self.merge(change.answers, into: present?.answers ?? [], at: change.at)
        if let known = change.knownSteps { answers = answers.map { $0.setAside(!known.contains($0.step)) } }
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
            status: status, answers: answers, userID: userID, step: change.step,
            unsent: change.unsent ?? present?.unsent, at: change.at)
        saved[id] = flow
        trees[change.host ?? id.text] = status == .cancelled && change.host == nil ? nil : change.tree
        commits.append(change)
        return flow.withoutUnsent
    }

    private func keepSecrets(of change: FlowChange) throws(StoreError) {
        for answer in change.answers {
            if case .clear(let text) = answer.content,
                secrets[change.flow.id]?.values.contains(where: { $0.isText(text) }) == true
            {
                throw StoreError(.repeatedSecret, "secret")
            }
        }
        for answer in change.answers {
            if case .secret(let secret) = answer.content { secrets[change.flow.id, default: [:]][answer.step] = secret }
        }
    }

    private static func merge(
        _ answers: [FlowChange.Answer], into saved: [SavedAnswer], at now: Timestamp
    ) -> [SavedAnswer] {
        answers.reduce(into: saved) { all, answer in
            let seq = (all.map(\.seq).max() ?? 0) + 1
            all.removeAll { $0.step == answer.step }
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
    func newestOpenFlow() async throws(StoreError) -> SavedFlow? { current.first { $0.status == .open } }
    func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow> { Listing(current.map(\.overview)) }

    /// What is unfinished and not overdue, the newest change first.
    private var current: [SavedFlow] {
        saved.values.filter { $0.status.isUnfinished && !$0.isOverdue(at: clock.now) }
            .sorted { ($0.updatedAt, $0.id.text) > ($1.updatedAt, $1.id.text) }
    }
    func users(email: String) async throws(StoreError) -> [User] {
        people.filter { $0.email.map(EmailAddress.key) == EmailAddress.key(email) }
    }
    func add(_ users: [User]) async throws(StoreError) {
        guard users.allSatisfy({ user in !people.contains { $0.id == user.id } }) else {
            throw StoreError(.alreadyThere, "there")
        }
        people += users
    }

    func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] { trees[host] ?? [] }

    func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {
        if !failures.isEmpty { throw failures.removeFirst() }
        if let flow = UUIDv7(host), saved[flow]?.status.isUnfinished != true { return }
        trees[host] = tree
        saves += 1
    }

    func expireFlows() async throws(StoreError) -> Int {
        let overdue = saved.values.filter { $0.isOverdue(at: clock.now) }
        for flow in overdue { change(flow.id, to: .expired) }
        return overdue.count
    }

    func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow {
        guard let flow = saved[id] else { throw StoreError(.notFound, id.text) }
        guard flow.status.isUnfinished else { throw StoreError.closed(flow.status) }
        change(id, to: .cancelled)
        return saved[id] ?? flow
    }
}

extension SavedAnswer {
    /// The answer, set aside or back in its place.
    fileprivate func setAside(_ isAside: Bool) -> SavedAnswer {
        let back: Kept = value == nil ? .sealed : .clear
        let kept: Kept = isAside ? .aside : self.kept == .aside ? back : self.kept
        return SavedAnswer(
            step: step, version: version, kept: self.kept == .volatile ? .volatile : kept, value: value, error: error,
            seq: seq, answeredAt: answeredAt, age: age, usableUntil: usableUntil)
    }
}

extension SavedFlow {
    /// The flow one revision later.
    fileprivate func changed(
        status: Status, answers: [SavedAnswer], userID: UUIDv7?, submission: UUIDv7? = nil, step: String? = nil,
        unsent: [String: String]? = nil, at now: Timestamp? = nil
    ) -> SavedFlow {
        SavedFlow(
            id: id, kind: kind, path: path, status: status, fingerprint: fingerprint, step: step,
            revision: revision + 1, userID: userID, submissionID: submission ?? submissionID, createdAt: createdAt,
            updatedAt: now ?? updatedAt, expiresAt: expiresAt, answers: answers, unsent: unsent ?? self.unsent)
    }

    /// The flow as lists have it.
    fileprivate var overview: SavedFlow {
        var flow = self
        (flow.answers, flow.unsent) = ([], [:])
        return flow
    }

    fileprivate var withoutUnsent: SavedFlow {
        var flow = self
        flow.unsent = [:]
        return flow
    }
}
