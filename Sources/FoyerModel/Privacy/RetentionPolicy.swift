/// For how long a store keeps what nobody goes on with; nil keeps it for ever. People are always kept.
///
/// Time is what the store has seen pass: setting the machine's clock removes nothing.
public struct RetentionPolicy: Sendable, Hashable {
    /// A flow that was left open and not touched for so long is expired, if its own date is not earlier; what is
    /// expired is removed. 30 days.
    public var unfinishedFlows: Duration?
    /// A flow that was finished or given up goes so long after its end, with its answers and submissions. 90 days.
    public var endedFlows: Duration?
    /// An entry of the journal. 90 days.
    public var events: Duration?

    /// Makes a policy.
    public init(
        unfinishedFlows: Duration? = .seconds(30 * 86400), endedFlows: Duration? = .seconds(90 * 86400),
        events: Duration? = .seconds(90 * 86400)
    ) {
        self.unfinishedFlows = unfinishedFlows
        self.endedFlows = endedFlows
        self.events = events
    }

    /// Nothing is removed by itself.
    public static let forever = RetentionPolicy(unfinishedFlows: nil, endedFlows: nil, events: nil)
}

extension RetentionPolicy {
    /// What was over its time.
    public struct Pruned: Sendable, Equatable {
        /// Flows that were left open for too long, and are expired now.
        public var expired = 0
        /// Flows that were removed, with their answers; those just expired are among them.
        public var flows = 0
        /// Submissions that were removed with their flows, or because nothing asks for them any more.
        public var submissions = 0
        /// Entries of the journal that were removed.
        public var events = 0
        /// Why some of it may be left in the files for now; nil when nothing is. The next opening of the store tries again.
        public var remnants: String?

        /// Nothing yet.
        public init() {}

        /// Whether there was anything.
        public var isEmpty: Bool { expired + flows + submissions + events == 0 }
    }
}
