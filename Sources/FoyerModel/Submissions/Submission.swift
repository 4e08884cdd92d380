extension FlowKind {
    /// How long a submission may wait for the network before it is given up; the server keeps keys for longer.
    public var submissionLifetime: Duration {
        switch self {
        case .register, .reset: .seconds(14 * 86400)
        case .login: .seconds(15 * 60)
        }
    }
}

/// A submission that a finished flow puts into the outbox.
public struct NewSubmission: Sendable {
    /// The identifier and idempotency key.
    public let id: UUIDv7
    /// What it asks for.
    public let kind: FlowKind
    /// The account that it belongs to; order is kept inside a lane.
    public let lane: String
    /// The finished JSON body without its secrets.
    public let body: String

    /// Makes the value.
    public init(id: UUIDv7, kind: FlowKind, lane: String, body: String) {
        self.id = id
        self.kind = kind
        self.lane = lane
        self.body = body
    }
}

/// A submission as the store has it.
public struct Submission: Sendable, Equatable, Identifiable {
    /// The identifier and idempotency key.
    public let id: UUIDv7
    /// The order in which it was committed.
    public let seq: Int64
    /// The flow that it finishes.
    public let flowID: UUIDv7?
    /// The person that it belongs to.
    public let userID: UUIDv7?
    /// What it asks for.
    public let kind: FlowKind
    /// The network that it is made for, and is sent to: `AccountNetwork.endpoint`.
    public let endpoint: String
    /// The account that it belongs to.
    public let lane: String
    /// Where it stands.
    public let state: State
    /// When it is given up, by the queue's clock.
    public let expiresAt: Timestamp?
    /// How often it was claimed.
    public let claims: Int
    /// How often a failure spoke against it.
    public let failures: Int
    /// How often a worker died while sending it.
    public let workerDeaths: Int
    /// Whether the network may have acted on it.
    public let maybeSent: Bool
    /// Whether the person wants it back, and the network is still to be asked.
    public let isCancelWanted: Bool
    /// The status of the last answer.
    public let httpStatus: Int?
    /// What went wrong last.
    public let lastError: String?
    /// When it was queued.
    public let createdAt: Timestamp
    /// When its verdict came.
    public let settledAt: Timestamp?
    /// Why it waits, in words; nil when it does not.
    public let why: String?

    /// Makes the value; used by whoever implements `SubmissionRepository`.
    public init(
        id: UUIDv7, seq: Int64, flowID: UUIDv7?, userID: UUIDv7?, kind: FlowKind, endpoint: String,
        lane: String, state: State, expiresAt: Timestamp?, claims: Int, failures: Int, workerDeaths: Int,
        maybeSent: Bool,
        isCancelWanted: Bool, httpStatus: Int?, lastError: String?, createdAt: Timestamp, settledAt: Timestamp?,
        why: String?
    ) {
        self.id = id
        self.seq = seq
        self.flowID = flowID
        self.userID = userID
        self.kind = kind
        self.endpoint = endpoint
        self.lane = lane
        self.state = state
        self.expiresAt = expiresAt
        self.claims = claims
        self.failures = failures
        self.workerDeaths = workerDeaths
        self.maybeSent = maybeSent
        self.isCancelWanted = isCancelWanted
        self.httpStatus = httpStatus
        self.lastError = lastError
        self.createdAt = createdAt
        self.settledAt = settledAt
        self.why = why
    }
}
