/// What changes about a submission while it is in the outbox.
///
/// The one place that knows how: the store writes what `after(_:)` says, and nothing else.
public struct OutboxRow: Equatable, Sendable {
    /// How many failures may speak against a submission before it is parked.
    public static let strikesBeforeParking = 25
    /// How many workers may die over a submission that they sent alone before it is parked.
    public static let soloCrashesBeforeParking = 3

    /// A claim of a worker.
    public struct Lease: Equatable, Sendable {
        /// Who holds it.
        public var worker: WorkerID
        /// Until when, by the queue's clock, unless it is extended.
        public var until: Timestamp

        /// Makes the value.
        public init(worker: WorkerID, until: Timestamp) {
            self.worker = worker
            self.until = until
        }
    }

    /// What is asked for.
    public let kind: SubmissionKind
    /// When it is given up, by the queue's clock.
    public let expiresAt: Timestamp?
    /// Where it stands.
    public var state = Submission.State.ready
    /// Why it is parked, or has the verdict that it has.
    public var reason: String?
    /// When it may be sent, by the queue's clock.
    public var dueAt: Timestamp
    /// How often it was claimed.
    public var claims = 0
    /// How often a failure spoke against it.
    public var strikes = 0
    /// How often a worker died while sending it; from the first time on it is sent alone.
    public var crashes = 0
    /// Raised by every claim: older plans are discarded.
    public var fence: Int64 = 0
    /// Whether the network may have acted on an earlier sending.
    public var maybeSent = false
    /// Whether the present holder has begun to send.
    public var hasBegun = false
    /// Whether the person wants it back: the network is asked to refuse it.
    public var isCancelWanted = false
    /// Who holds it, while it is being sent.
    public var lease: Lease?
    /// What went wrong last.
    public var lastError: String?

    /// A submission that was just queued.
    public init(kind: SubmissionKind, dueAt: Timestamp, expiresAt: Timestamp?) {
        self.kind = kind
        self.dueAt = dueAt
        self.expiresAt = expiresAt
    }

    /// Whether it is sent with nothing else under way in its worker, because it may have killed one.
    public var isSuspect: Bool { crashes > 0 }

    /// What is to be done with it now.
    public func task(at now: Timestamp) -> ClaimedSubmission.Task {
        if isCancelWanted { return .cancel }
        if let expiresAt, expiresAt <= now, maybeSent { return .askOutcome }
        return .submit
    }
}

/// What can happen to a submission in the outbox.
public enum OutboxEvent: Equatable, Sendable {
    /// A worker takes it, to send it.
    case claimed(OutboxRow.Lease, at: Timestamp)
    /// The holder of that fence is about to send, and holds it until then.
    case begun(fence: Int64, at: Timestamp, until: Timestamp)
    /// Its holder ends in good order, and knows no more of it than stands here.
    case holderRetired(WorkerID, at: Timestamp)
    /// The network has decided, or nobody will.
    case decided(Submission.State, reason: String?)
    /// The holder of that fence plans another try.
    case postponed(fence: Int64, until: Timestamp, Settlement.Retry)
    /// The holder of that fence cannot send it without help.
    case parked(fence: Int64, reason: String, isUnsent: Bool)
    /// Its holder is dead.
    case holderDied(WorkerID, at: Timestamp)
    /// Its lease may be over.
    case leaseChecked(at: Timestamp)
    /// Its time may be over.
    case lifetimeChecked(at: Timestamp)
    /// Somebody wants it sent after all.
    case retryWanted(at: Timestamp)
    /// Somebody wants it back.
    case cancelWanted(at: Timestamp)
    /// What it builds on was refused.
    case foundationRefused
}
