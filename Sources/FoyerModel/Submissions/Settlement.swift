/// What is to be written about a submission after it was sent.
///
/// Verdicts are facts: whoever learns one may write it while the submission lives. Retries and parking are plans:
/// only the holder of the claim may write them.
package enum Settlement: Sendable, Equatable {
    /// The network accepted it; at the network the person has this identifier, where it told one.
    case accepted(remoteID: String?)
    /// The network refused these fields.
    case rejected([FieldRefusal])
    /// The network will refuse it for ever, because it was asked to.
    case cancelled(reason: String)
    /// The network never got it, and it is too old to be sent.
    case expired(reason: String)
    /// It is to be sent again after some time.
    case retry(Retry)
    /// It cannot be sent again without somebody's help; unsent, when it is certain that it did not even leave.
    case parked(reason: String, isUnsent: Bool = false)

    /// A later try.
    package struct Retry: Sendable, Equatable {
        /// How long to wait.
        package let delay: Duration
        /// What went wrong, in words.
        package let reason: String
        /// Whether the failure speaks against this submission rather than against the network.
        package let countsAsFailure: Bool
        /// Whether it is certain that the network never got it.
        package let isUnsent: Bool
        /// The moment for which the submission gets another key, because the network does not take the time in this one;
        /// nil keeps the key.
        package let newKeyTime: Timestamp?

        /// Makes the value.
        package init(
            delay: Duration, reason: String, countsAsFailure: Bool, isUnsent: Bool, newKeyTime: Timestamp? = nil
        ) {
            self.delay = delay
            self.reason = reason
            self.countsAsFailure = countsAsFailure
            self.isUnsent = isUnsent
            self.newKeyTime = newKeyTime
        }
    }

    /// The word for it in the attempts: `accepted`, `rejected`, `cancelled`, `expired`, `retry`, `parked`, `unsent`.
    package var outcome: String {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .cancelled: "cancelled"
        case .expired: "expired"
        case .retry(let retry): retry.isUnsent ? "unsent" : "retry"
        case .parked(_, let isUnsent): isUnsent ? "unsent" : "parked"
        }
    }

    /// What went wrong, in words; nil where nothing did.
    package var problem: String? {
        switch self {
        case .accepted, .rejected: nil
        case .cancelled(let reason), .expired(let reason), .parked(let reason, _): reason
        case .retry(let retry): retry.reason
        }
    }
}

/// A field that the network refused: the step that owns it, and what is wrong.
package struct FieldRefusal: Sendable, Equatable {
    /// The step that is asked again.
    package let step: String
    /// What is wrong with its answer.
    package let message: FieldMessage

    /// Makes the value.
    package init(step: String, message: FieldMessage) {
        self.step = step
        self.message = message
    }
}
