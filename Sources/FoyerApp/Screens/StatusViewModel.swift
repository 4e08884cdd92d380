public import Foyer

/// Tells how much is under way. It reaches flows and outbox, and nothing else of the services.
public struct StatusViewModel: ViewModel {
    public typealias Services = any HasFlows & HasOutbox

    private let services: Services

    public init(withServices services: Services) {
        self.services = services
    }

    /// How much is under way at a time.
    public struct Status: Equatable, Sendable {
        /// How many flows are open.
        public let openFlows: Int
        /// How many submissions have no verdict yet.
        public let waiting: Int
        /// In how many seconds the first of them is due; nil when none can be sent.
        public let secondsToNext: Int64?
    }

    /// Counts what is under way.
    public func status() async throws(StoreError) -> Status {
        let open = try await services.flows.unfinishedFlows().count { $0.status == .open }
        let backlog = try await services.outbox.backlog()
        return Status(
            openFlows: open, waiting: backlog.waiting,
            secondsToNext: backlog.nextDueIn.map { wait in
                let (seconds, attoseconds) = wait.components
                return attoseconds > 0 ? seconds + 1 : seconds
            })
    }
}
