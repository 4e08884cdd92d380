/// The outbox: submissions on their way to the network.
public protocol SubmissionRepository: Sendable {
    /// Every submission, oldest first.
    func submissions() async throws(StoreError) -> [Submission]

    /// The submission with that identifier; nil when there is none.
    func submission(_ id: UUIDv7) async throws(StoreError) -> Submission?

    /// The submission whose identifier is `text` or is the only one that ends with it.
    /// - Throws: `notFound`, `ambiguous`.
    func submission(endingIn text: String) async throws(StoreError) -> Submission

    /// Registers a worker that may claim submissions, for as long as the lease lives.
    func makeWorker() throws(StoreError) -> any WorkerLease

    /// How many submissions still wait for a verdict, and when the next of them may be sent.
    func backlog() async throws(StoreError) -> Backlog

    /// Takes up to `limit` submissions that are due, at most one of each lane, for a worker; what dead workers held
    /// is due at once, and what was never sent in its time is given up: its flow is open again.
    func claim(_ limit: Int, by worker: WorkerID, at now: Timestamp) async throws(StoreError) -> [ClaimedSubmission]

    /// Opens the secrets that belong to a claimed submission, by their steps.
    /// - Throws: `keyMissing`, `wrongKey`, `tampered`.
    func secrets(of submission: ClaimedSubmission) async throws(StoreError) -> [String: Secret]

    /// Writes what became of a claimed submission, together with what that means for its flow and its person.
    ///
    /// Accepted: the person is active, the flow finished, its secrets destroyed. Rejected: the flow is open again at
    /// the first refused step, every other answer kept.
    /// - Returns: whether it was written; a plan whose claim was lost meanwhile is discarded.
    func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, httpStatus: Int?, at now: Timestamp
    ) async throws(StoreError) -> Bool
}

/// Who delivers; the store can tell whether it is still alive.
public struct WorkerID: Hashable, Sendable {
    /// The text in `submissions.lease_worker`.
    public let text: String

    /// Names a worker.
    public init(_ text: String) {
        self.text = text
    }
}

/// The proof that a worker is alive; it ends with the object, and with the process at the latest.
public protocol WorkerLease: AnyObject, Sendable {
    /// Whose lease it is.
    var worker: WorkerID { get }
}

/// What waits in the outbox.
public struct Backlog: Sendable, Equatable {
    /// How many submissions have no verdict yet.
    public let waiting: Int
    /// When the first of those that can be sent is due; nil when none can.
    public let nextDueAt: Timestamp?
    /// Whether a worker holds some of them at this moment.
    public let isSending: Bool

    /// Makes the value.
    public init(waiting: Int, nextDueAt: Timestamp?, isSending: Bool) {
        self.waiting = waiting
        self.nextDueAt = nextDueAt
        self.isSending = isSending
    }
}
