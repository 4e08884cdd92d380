/// What is written about a submission after it was sent.
///
/// A verdict is a fact: whoever learns it may write it while the submission lives. Retries and parking are plans: only
/// the holder of the claim may write them.
package enum Settlement: Sendable, Equatable {
    /// It has ended.
    case verdict(Verdict)
    /// It is to be sent again after some time.
    case retry(Retry)
    /// It cannot be sent again without a person's help; unsent, when it is certain that it did not even leave.
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
        case .verdict(let verdict): verdict.ending.rawValue
        case .retry(let retry): retry.isUnsent ? "unsent" : "retry"
        case .parked(_, let isUnsent): isUnsent ? "unsent" : "parked"
        }
    }

    /// What went wrong, in words; nil where nothing did.
    package var problem: String? {
        switch self {
        case .verdict(.accepted), .verdict(.rejected): nil
        case .verdict(.cancelled(let reason)), .verdict(.expired(let reason)), .parked(let reason, _): reason
        case .retry(let retry): retry.reason
        }
    }
}
