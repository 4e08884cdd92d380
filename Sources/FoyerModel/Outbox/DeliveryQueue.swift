/// The outbox as those who deliver it work with it.
package protocol DeliveryQueue: SubmissionRepository {
    /// Registers a worker that may claim submissions, for as long as the lease lives.
    func makeWorker() throws(StoreError) -> any WorkerLease

    /// Takes up to `limit` submissions that are due at an endpoint, at most one of each lane, for a worker.
    ///
    /// Before that, what dead or silent workers held is due again, and what was never sent in its time is given up:
    /// its flow is open again. While the endpoint's breaker is open nothing is taken; then one worker takes one submission.
    /// - Parameter isIdle: whether the worker holds nothing else: what may have killed a worker is given alone.
    func claim(
        _ limit: Int, by worker: WorkerID, for endpoint: String, isIdle: Bool
    ) async throws(StoreError) -> [ClaimedSubmission]

    /// Notes that a claimed submission is about to be sent, and extends its lease for that.
    /// - Returns: false when the claim was lost meanwhile: then it must not be sent.
    func begin(_ submission: ClaimedSubmission) async throws(StoreError) -> Bool

    /// Ends a worker: what it has claimed and not begun to send is given back as if it had never been claimed, and
    /// what it began to send is due again.
    func retire(_ worker: WorkerID) async throws(StoreError)

    /// Opens the secrets that belong to a claimed submission, by their steps.
    /// - Throws: `tampered` when a secret or the submission is not what was written; `secretGone` when a secret is past
    ///   its time or was given up with its key; `keyMissing`, `wrongKey`, `unsafeKeyFile` until the key is back.
    func secrets(of submission: ClaimedSubmission) async throws(StoreError) -> [String: Secret]

    /// Writes what became of a claimed submission, together with what that means for its flow and its person, and
    /// with what it has shown of the endpoint.
    ///
    /// Accepted: the person is active, the flow finished, its secrets destroyed. Rejected: the flow is open again at
    /// the first refused step, every other answer kept; cancelled where that was wanted.
    /// - Returns: whether it was written; a plan whose claim was lost meanwhile is discarded.
    func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport, httpStatus: Int?
    ) async throws(StoreError) -> Bool

    /// Lets one worker probe an endpoint at once whose breaker is open, unless the endpoint itself asked for time.
    func probeNow(_ endpoint: String) async throws(StoreError)

    /// Removes a portion of what is over its time: submissions settled so long ago that no network takes their key any
    /// more, and what the store's policy of retention does not keep.
    func prune() async throws(StoreError)

    /// A number that changes whenever somebody writes to the store, in this process or in another.
    func changeCount() async throws(StoreError) -> Int64

    /// Whether a worker has died, or fell silent for too long, while it held submissions.
    func hasAbandoned() async throws(StoreError) -> Bool

    /// Says, within this process, when something new is to be sent.
    func arrivals() -> AsyncStream<Void>
}

/// Who delivers; the store can tell whether it is still alive.
package struct WorkerID: Hashable, Sendable {
    /// The text in `submissions.lease_worker`.
    package let text: String

    /// Names a worker.
    package init(_ text: String) {
        self.text = text
    }
}

/// The proof that a worker is alive; it ends with the object, and with the process at the latest.
package protocol WorkerLease: AnyObject, Sendable {
    /// Whose lease it is.
    var worker: WorkerID { get }
}
