/// The outbox: submissions on their way to the network.
public protocol SubmissionRepository: Sendable {
    /// Every submission, oldest first.
    func submissions() async throws(StoreError) -> Listing<Submission>

    /// Every submission without a verdict, oldest first.
    func waiting() async throws(StoreError) -> Listing<Submission>

    /// The submission with that identifier; nil when there is none.
    func submission(_ id: UUIDv7) async throws(StoreError) -> Submission?

    /// How many submissions still wait for a verdict, and when the next of them may be sent.
    /// - Parameter endpoint: which submissions can be sent, and whose breaker counts; nil for all, and no breaker.
    func backlog(for endpoint: String?) async throws(StoreError) -> Backlog

    /// Makes a parked submission due again, with all its chances, and any other that waits due at once.
    /// - Throws: `notFound`; `flowClosed` when it has its verdict or is being sent.
    func retry(_ id: UUIDv7) async throws(StoreError) -> Submission

    /// Takes a submission back, with its flow; where the network may have it, it is asked to refuse it first.
    /// - Throws: `notFound`; `flowClosed` when it has its verdict.
    func cancel(_ id: UUIDv7) async throws(StoreError) -> Submission

    /// Moves a submission that waits to another endpoint, where it is due at once, with all its chances.
    ///
    /// The one that it was made for may have acted on it already, if `maybeSent`: then both may make an account.
    /// - Throws: `notFound`; `flowClosed` when it has its verdict or is being sent; `tampered` when its row is not what
    ///   was queued.
    func redirect(_ id: UUIDv7, to endpoint: String) async throws(StoreError) -> Submission

    /// The sendings of a submission, oldest first.
    func attempts(of id: UUIDv7) async throws(StoreError) -> [Submission.Attempt]
}

extension SubmissionRepository {
    /// How many submissions still wait for a verdict, and when the next of them may be sent.
    public func backlog() async throws(StoreError) -> Backlog {
        try await backlog(for: nil)
    }
}

/// What waits in the outbox.
public struct Backlog: Sendable, Equatable {
    /// How many submissions have no verdict yet, at any endpoint.
    public let waiting: Int
    /// How many of them wait for which other endpoint.
    public let elsewhere: [String: Int]
    /// How long until the first of those that can be sent is due; nil when none can.
    public let nextDueIn: Duration?
    /// Whether a worker holds some of them at this moment.
    public let isSending: Bool

    /// Makes the value.
    public init(waiting: Int, elsewhere: [String: Int] = [:], nextDueIn: Duration?, isSending: Bool) {
        self.waiting = waiting
        self.elsewhere = elsewhere
        self.nextDueIn = nextDueIn
        self.isSending = isSending
    }
}
