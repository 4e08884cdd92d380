extension Submission {
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

        /// Whether a verdict is still to come; in SQL: `state IN ('ready', 'sending', 'parked')`.
        public var isLive: Bool { self == .ready || self == .sending || self == .parked }
    }
}
