/// What changes about a submission while it is in the outbox.
///
/// The one place that knows how: the store writes what `after(_:)` says, and nothing else.
package struct OutboxRow: Equatable, Sendable {
    /// How many failures may speak against a submission before it is parked.
    package static let failuresBeforeParking = 25
    /// How many workers may die over a submission that they sent alone before it is parked.
    package static let soloDeathsBeforeParking = 3

    /// Why a submission is parked whose key the network neither knows nor takes, although it may have been sent. A person
    /// who looks there can have it sent again: it gets another key then.
    package static let forgotten =
        "the network does not remember whether it took this: look there before you send it anew or give it up"

    /// What is asked for.
    package let kind: FlowKind
    /// When it is given up, by the queue's clock.
    package let expiresAt: Timestamp?
    /// Where it stands.
    package var state: Submission.State
    /// How often it was claimed.
    package var claims = 0
    /// How often a failure spoke against it.
    package var failures = 0
    /// How often a worker died while sending it; from the first time on it is sent alone.
    package var workerDeaths = 0
    /// Raised by every claim: older plans are discarded.
    package var fence: Int64 = 0
    /// Whether the network may have acted on an earlier sending.
    package var maybeSent = false
    /// Whether the person wants it back: the network is asked to refuse it.
    package var isCancelWanted = false
    /// What went wrong last.
    package var lastError: String?

    /// A submission that was never claimed.
    package init(kind: FlowKind, state: Submission.State, expiresAt: Timestamp?) {
        self.kind = kind
        self.state = state
        self.expiresAt = expiresAt
    }

    /// Whether it is sent with nothing else under way in its worker, because it may have killed one.
    package var isSuspect: Bool { workerDeaths > 0 }

    /// What is to be done with it now.
    package func task(at now: Timestamp) -> ClaimedSubmission.Task {
        if isCancelWanted { return .cancel }
        if let expiresAt, expiresAt <= now, maybeSent { return .askOutcome }
        return .submit
    }
}

/// What can happen to a submission in the outbox.
package enum OutboxEvent: Equatable, Sendable {
    /// A worker takes it, to send it.
    case claimed(Submission.State.Lease, at: Timestamp)
    /// The holder of that fence is about to send, and holds it until then.
    case begun(fence: Int64, at: Timestamp, until: Timestamp)
    /// Its holder ends in good order, and knows no more of it than stands here.
    case holderRetired(WorkerID, at: Timestamp)
    /// It was sent, or could not be, under that fence: the verdict, or a plan.
    case settled(Settlement, fence: Int64, at: Timestamp)
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
