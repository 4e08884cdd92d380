/// What a submission asks the network for.
public enum SubmissionKind: String, CaseIterable, Codable, Sendable {
    /// Make an account.
    case register
    /// Sign in.
    case login
    /// Send a new password.
    case reset

    /// The kind that a finished flow submits.
    public init(_ flow: AccountType) {
        switch flow {
        case .setup: self = .register
        case .login: self = .login
        case .forgotPassword: self = .reset
        }
    }

    /// How long a submission may wait for the network before it is given up; the server keeps keys for longer.
    public var lifetime: Duration {
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
    public let kind: SubmissionKind
    /// The account that it belongs to; order is kept inside a lane.
    public let lane: String
    /// The finished JSON body without its secrets.
    public let body: String

    /// Makes the value.
    public init(id: UUIDv7, kind: SubmissionKind, lane: String, body: String) {
        self.id = id
        self.kind = kind
        self.lane = lane
        self.body = body
    }
}

/// A submission as the store has it.
public struct Submission: Sendable, Equatable, Identifiable {
    /// Where a submission stands.
    public enum State: String, CaseIterable, Sendable {
        /// It waits for its turn.
        case ready
        /// A worker holds it.
        case sending
        /// It needs somebody's help; its lane waits.
        case parked
        /// The network accepted it.
        case accepted
        /// The network refused it.
        case rejected
        /// It was given up before it was sent.
        case cancelled
        /// It waited for too long.
        case expired

        /// Whether a verdict is still to come.
        public var isLive: Bool { self == .ready || self == .sending || self == .parked }
    }

    /// The identifier and idempotency key.
    public let id: UUIDv7
    /// The order in which it was committed.
    public let seq: Int64
    /// The flow that it finishes.
    public let flowID: UUIDv7?
    /// The person that it belongs to.
    public let userID: UUIDv7?
    /// What it asks for.
    public let kind: SubmissionKind
    /// The network that it is made for, and is sent to: `AccountNetwork.endpoint`.
    public let endpoint: String
    /// The account that it belongs to.
    public let lane: String
    /// Where it stands.
    public let state: State
    /// Why it is parked, rejected or cancelled.
    public let reason: String?
    /// When it may be sent, by the queue's clock.
    public let dueAt: Timestamp
    /// When it is given up, by the queue's clock.
    public let expiresAt: Timestamp?
    /// How often it was claimed.
    public let claims: Int
    /// How often a failure spoke against it.
    public let strikes: Int
    /// How often a worker died while sending it.
    public let crashes: Int
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
        id: UUIDv7, seq: Int64, flowID: UUIDv7?, userID: UUIDv7?, kind: SubmissionKind, endpoint: String,
        lane: String, state: State, reason: String?, dueAt: Timestamp, expiresAt: Timestamp?, claims: Int, strikes: Int,
        crashes: Int,
        maybeSent: Bool, isCancelWanted: Bool, httpStatus: Int?, lastError: String?, createdAt: Timestamp,
        settledAt: Timestamp?, why: String?
    ) {
        self.id = id
        self.seq = seq
        self.flowID = flowID
        self.userID = userID
        self.kind = kind
        self.endpoint = endpoint
        self.lane = lane
        self.state = state
        self.reason = reason
        self.dueAt = dueAt
        self.expiresAt = expiresAt
        self.claims = claims
        self.strikes = strikes
        self.crashes = crashes
        self.maybeSent = maybeSent
        self.isCancelWanted = isCancelWanted
        self.httpStatus = httpStatus
        self.lastError = lastError
        self.createdAt = createdAt
        self.settledAt = settledAt
        self.why = why
    }
}
