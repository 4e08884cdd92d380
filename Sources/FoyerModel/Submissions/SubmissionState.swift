extension Submission {
    /// Where a submission stands.
    ///
    /// A new one is `ready`. A worker claims it, which makes it `sending`; it comes back as `ready` where another try may
    /// help, and as `parked` where only a person can. It `ended` with the network's verdict, or without one because it
    /// was taken back or is too old; what has ended never changes again.
    public enum State: Sendable, Equatable {
        /// It waits for its turn, which comes at `due` by the queue's clock.
        case ready(due: Timestamp)
        /// A worker holds it; `begun` tells whether it has begun to send it.
        case sending(Lease, begun: Bool)
        /// It needs a person's help; what comes after it in its lane waits.
        case parked(reason: String)
        /// It has ended; nothing is sent any more.
        case ended(Ending, reason: String?)

        /// A worker's claim.
        public struct Lease: Sendable, Equatable {
            /// Who holds it.
            package var worker: WorkerID
            /// Until when, by the queue's clock, unless the worker extends it.
            public package(set) var until: Timestamp

            /// Makes the value.
            package init(worker: WorkerID, until: Timestamp) {
                self.worker = worker
                self.until = until
            }
        }

        /// How a submission ended.
        public enum Ending: String, Sendable {
            /// The network accepted it.
            case accepted
            /// The network refused it.
            case rejected
            /// It was taken back before the network acted on it.
            case cancelled
            /// It was too old to be sent.
            case expired
        }

        /// The state's name: in the column `state`, in JSON and in lists.
        public enum Name: String, CaseIterable, Sendable {
            /// ``Submission/State/ready(due:)``
            case ready
            /// ``Submission/State/sending(_:begun:)``
            case sending
            /// ``Submission/State/parked(reason:)``
            case parked
            /// ``Submission/State/Ending/accepted``
            case accepted
            /// ``Submission/State/Ending/rejected``
            case rejected
            /// ``Submission/State/Ending/cancelled``
            case cancelled
            /// ``Submission/State/Ending/expired``
            case expired
        }

        /// The state without what belongs to it.
        public var name: Name {
            switch self {
            case .ready: .ready
            case .sending: .sending
            case .parked: .parked
            case .ended(.accepted, _): .accepted
            case .ended(.rejected, _): .rejected
            case .ended(.cancelled, _): .cancelled
            case .ended(.expired, _): .expired
            }
        }

        /// Whether the end is still to come; in SQL: `settled_at IS NULL`.
        public var isLive: Bool {
            if case .ended = self { false } else { true }
        }

        /// Why it is parked, or ended as it did.
        public var reason: String? {
            switch self {
            case .parked(let reason): reason
            case .ended(_, let reason): reason
            case .ready, .sending: nil
            }
        }

        /// When its turn comes, by the queue's clock; nil where it is not waiting for that.
        public var due: Timestamp? {
            if case .ready(let due) = self { due } else { nil }
        }

        /// Who holds it.
        package var lease: Lease? {
            if case .sending(let lease, _) = self { lease } else { nil }
        }

        /// Whether its holder has begun to send it.
        package var hasBegun: Bool {
            if case .sending(_, begun: true) = self { true } else { false }
        }
    }
}
