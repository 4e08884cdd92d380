/// A submission that this worker holds, with what it takes to send it.
public struct ClaimedSubmission: Sendable {
    /// What is to be done with it.
    public enum Task: String, Sendable {
        /// Send it.
        case submit
        /// Ask the network to refuse it.
        case cancel
        /// Ask the network what became of it: its time is over, and it may have been sent.
        case askOutcome = "ask outcome"
    }

    /// The identifier and idempotency key.
    public let id: UUIDv7
    /// Raised by every claim: a plan made under an older one is discarded.
    public let fence: Int64
    /// What it asks for.
    public let kind: SubmissionKind
    /// The flow that it finishes.
    public let flowID: UUIDv7?
    /// The finished JSON body without its secrets.
    public let body: String
    /// How often a failure spoke against it before.
    public let strikes: Int
    /// What is to be done with it.
    public let task: Task
    /// Whether the network may have acted on an earlier sending.
    public let maybeSent: Bool
    /// Who holds it.
    public let worker: WorkerID
    /// Where it goes.
    public let endpoint: String
    /// Whether it goes alone through a closed gate, to find out whether the endpoint works again.
    public let isProbe: Bool
    /// Whether nothing else may be under way in the worker meanwhile, because this may have killed one.
    public let isAlone: Bool

    /// Makes the value; used by whoever implements `SubmissionRepository`.
    public init(
        id: UUIDv7, fence: Int64, kind: SubmissionKind, flowID: UUIDv7?, body: String, strikes: Int,
        task: Task = .submit, maybeSent: Bool = false, worker: WorkerID, endpoint: String, isProbe: Bool = false,
        isAlone: Bool = false
    ) {
        self.id = id
        self.fence = fence
        self.kind = kind
        self.flowID = flowID
        self.body = body
        self.strikes = strikes
        self.task = task
        self.maybeSent = maybeSent
        self.worker = worker
        self.endpoint = endpoint
        self.isProbe = isProbe
        self.isAlone = isAlone
    }
}

/// One sending of a submission.
public struct SubmissionAttempt: Sendable, Equatable {
    /// Which claim it was.
    public let fence: Int64
    /// Who sent.
    public let worker: String
    /// What was asked of the network: `submit`, `cancel` or `ask outcome`.
    public let task: String
    /// When it began.
    public let startedAt: Timestamp
    /// When it was over; nil while it lasts.
    public let endedAt: Timestamp?
    /// What came of it: such as `accepted`, `unsent`, `retry`, `worker died`.
    public let outcome: String?
    /// The status of the answer.
    public let httpStatus: Int?
    /// What went wrong.
    public let error: String?

    /// Makes the value; used by whoever implements `SubmissionRepository`.
    public init(
        fence: Int64, worker: String, task: String, startedAt: Timestamp, endedAt: Timestamp?, outcome: String?,
        httpStatus: Int?, error: String?
    ) {
        self.fence = fence
        self.worker = worker
        self.task = task
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.outcome = outcome
        self.httpStatus = httpStatus
        self.error = error
    }
}
