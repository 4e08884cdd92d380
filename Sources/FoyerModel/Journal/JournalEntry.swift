/// One line of the journal: what happened to a flow, a submission or a person, and when. It never holds an answer.
public struct JournalEntry: Sendable, Hashable {
    /// Its place in the journal.
    public let seq: Int64
    /// When it happened.
    public let at: Timestamp
    /// What happened.
    public let event: Event
    /// The flow that it happened to.
    public let flowID: UUIDv7?
    /// The submission that it happened to.
    public let submissionID: UUIDv7?
    /// The person that it happened to.
    public let userID: UUIDv7?

    /// Makes the value.
    package init(
        seq: Int64, at: Timestamp, event: Event, flowID: UUIDv7?, submissionID: UUIDv7?, userID: UUIDv7?
    ) {
        self.seq = seq
        self.at = at
        self.event = event
        self.flowID = flowID
        self.submissionID = submissionID
        self.userID = userID
    }
}

extension JournalEntry {
    /// What can happen; the columns `what` and `detail` of the table `events` are written and read here alone.
    public enum Event: Sendable, Hashable {
        /// A person began a flow.
        case flowStarted(FlowKind)
        /// A step got an answer, the first one or another.
        case stepAnswered(String)
        /// The last answer was given: the flow waits for the network.
        case flowSubmitted
        /// The flow is open again, at that step.
        case flowReopened(step: String?)
        /// The flow was finished, cancelled or expired.
        case flowEnded(SavedFlow.Status, reason: String?)
        /// The network accepted it, perhaps although it was to be taken back.
        case submissionAccepted(isTooLateToCancel: Bool)
        /// The network refused the answers of these steps.
        case submissionRejected(steps: [String])
        /// The network is to be asked to refuse it.
        case submissionToBeTakenBack
        /// It cannot be sent without a person's help.
        case submissionParked(reason: String)
        /// It was taken back.
        case submissionCancelled(reason: String?)
        /// It was too old to be sent.
        case submissionExpired(reason: String?)
        /// It waits for another endpoint now.
        case submissionRedirected(to: String)
        /// It has another idempotency key now.
        case submissionKeyReplaced(by: UUIDv7)
        /// The circuit breaker of an endpoint opened.
        case endpointUnreachable(String, reason: String)
        /// The circuit breaker of an endpoint closed.
        case endpointReachable(String)
        /// A person signed in without the network.
        case signedInOffline
        /// A person tried too many passwords without the network.
        case offlineSignInGivenUp
        /// A person was erased; who it was is not known any more.
        case personErased
        /// The secrets are sealed under another key now.
        case keyChanged
        /// The secrets under a lost key were given up.
        case keyGivenUp
        /// The machine's clock jumped.
        case clockJumped(String)
        /// Time counts that passed while the machine was off.
        case timeOffCounted(days: Int64)
        /// Something that this version does not know.
        case other(what: String, detail: String?)
    }
}

extension JournalEntry.Event {
    /// The column `what`.
    public var what: String { columns.what }
    /// The column `detail`: the step, the reason or the name that belongs to it.
    public var detail: String? { columns.detail }

    private static let tooLate = "too late to cancel"

    private var columns: (what: String, detail: String?) {
        switch self {
        case .flowStarted(let kind): ("flow started", kind.rawValue)
        case .stepAnswered(let step): ("step answered", step)
        case .flowSubmitted: ("flow submitted", nil)
        case .flowReopened(let step): ("flow reopened", step)
        case .flowEnded(let status, let reason): ("flow \(status.rawValue)", reason)
        case .submissionAccepted(let isTooLate): ("submission accepted", isTooLate ? Self.tooLate : nil)
        case .submissionRejected(let steps): ("submission rejected", steps.joined(separator: ", "))
        case .submissionToBeTakenBack: ("submission to be taken back", nil)
        case .submissionParked(let reason): ("submission parked", reason)
        case .submissionCancelled(let reason): ("submission cancelled", reason)
        case .submissionExpired(let reason): ("submission expired", reason)
        case .submissionRedirected(let endpoint): ("submission redirected", endpoint)
        case .submissionKeyReplaced(let key): ("submission key replaced", key.text)
        case .endpointUnreachable(let endpoint, let reason): ("endpoint unreachable", "\(endpoint): \(reason)")
        case .endpointReachable(let endpoint): ("endpoint reachable", endpoint)
        case .signedInOffline: ("signed in offline", nil)
        case .offlineSignInGivenUp: ("offline sign-in given up", "too many tries")
        case .personErased: ("person erased", nil)
        case .keyChanged: ("key changed", nil)
        case .keyGivenUp: ("key given up", nil)
        case .clockJumped(let how): ("clock jumped", how)
        case .timeOffCounted(let days): ("time off counted", "\(days) days")
        case .other(let what, let detail): (what, detail)
        }
    }

    /// Reads the two columns; a text that no event writes is `other`.
    package init(what: String, detail: String?) {
        self = Self.known(what, detail) ?? .other(what: what, detail: detail)
    }

    private static func known(_ what: String, _ detail: String?) -> Self? {
        switch what {
        case "flow started": detail.flatMap(FlowKind.init(rawValue:)).map(flowStarted)
        case "step answered": detail.map(stepAnswered)
        case "flow submitted": .flowSubmitted
        case "flow reopened": .flowReopened(step: detail)
        case "flow finished": .flowEnded(.finished, reason: detail)
        case "flow cancelled": .flowEnded(.cancelled, reason: detail)
        case "flow expired": .flowEnded(.expired, reason: detail)
        case "submission accepted": .submissionAccepted(isTooLateToCancel: detail == tooLate)
        case "submission rejected":
            .submissionRejected(steps: detail.map { $0.split(separator: ", ").map(String.init) } ?? [])
        case "submission to be taken back": .submissionToBeTakenBack
        case "submission parked": detail.map(submissionParked(reason:))
        case "submission cancelled": .submissionCancelled(reason: detail)
        case "submission expired": .submissionExpired(reason: detail)
        case "submission redirected": detail.map(submissionRedirected(to:))
        case "submission key replaced": detail.flatMap { UUIDv7($0) }.map(submissionKeyReplaced(by:))
        case "endpoint unreachable": detail.flatMap(unreachable)
        case "endpoint reachable": detail.map(endpointReachable)
        case "signed in offline": .signedInOffline
        case "offline sign-in given up": .offlineSignInGivenUp
        case "person erased": .personErased
        case "key changed": .keyChanged
        case "key given up": .keyGivenUp
        case "clock jumped": detail.map(clockJumped)
        case "time off counted": detail.flatMap { Int64($0.prefix { $0 != " " }) }.map(timeOffCounted(days:))
        default: nil
        }
    }

    /// The name of an endpoint may hold colons, but none before a blank.
    private static func unreachable(_ detail: String) -> Self? {
        guard let colon = detail.firstRange(of: ": ") else { return nil }
        return .endpointUnreachable(String(detail[..<colon.lowerBound]), reason: String(detail[colon.upperBound...]))
    }
}
