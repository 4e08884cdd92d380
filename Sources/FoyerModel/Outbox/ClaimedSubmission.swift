/// A submission that this worker holds, with what it takes to send it.
package struct ClaimedSubmission: Sendable {
    /// What is to be done with it.
    package enum Task: String, Sendable {
        /// Send it.
        case submit
        /// Ask the network to refuse it.
        case cancel
        /// Ask the network what became of it: its time is over, and it may have been sent.
        case askOutcome = "ask outcome"
    }

    /// The identifier and idempotency key.
    package let id: UUIDv7
    /// Raised by every claim: a plan made under an older one is discarded.
    package let fence: Int64
    /// What it asks for.
    package let kind: FlowKind
    /// The flow that it finishes.
    package let flowID: UUIDv7?
    /// The finished JSON body without its secrets.
    package let body: String
    /// How often a failure spoke against it before.
    package let failures: Int
    /// What is to be done with it.
    package let task: Task
    /// Whether the network may have acted on an earlier sending.
    package let maybeSent: Bool
    /// Who holds it.
    package let worker: WorkerID
    /// Where it goes.
    package let endpoint: String
    /// Whether it goes alone, while the breaker is half-open, to find out whether the endpoint works again.
    package let isProbe: Bool
    /// Whether nothing else may be under way in the worker meanwhile, because this may have killed one.
    package let isAlone: Bool

    /// Makes the value; used by whoever implements `SubmissionRepository`.
    package init(
        id: UUIDv7, fence: Int64, kind: FlowKind, flowID: UUIDv7?, body: String, failures: Int,
        task: Task = .submit, maybeSent: Bool = false, worker: WorkerID, endpoint: String, isProbe: Bool = false,
        isAlone: Bool = false
    ) {
        self.id = id
        self.fence = fence
        self.kind = kind
        self.flowID = flowID
        self.body = body
        self.failures = failures
        self.task = task
        self.maybeSent = maybeSent
        self.worker = worker
        self.endpoint = endpoint
        self.isProbe = isProbe
        self.isAlone = isAlone
    }
}
