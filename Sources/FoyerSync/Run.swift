import FoyerModel

/// One run of a sync service: what it holds, and what came of it so far. Only the service's actor uses it.
final class Run {
    let lease: any WorkerLease
    /// Whether it goes on until the service is stopped.
    let isEndless: Bool
    var report = SyncReport()
    /// The first thing that went wrong with the store.
    private(set) var failure: StoreError?
    /// Why something that was claimed waits for its key; it holds up nothing else.
    private(set) var missingKey: StoreError?
    /// What is claimed and not being sent yet.
    var claimed: [ClaimedSubmission] = []
    /// What is being sent.
    var sending: [ClaimedSubmission] = []
    /// What waits under another key since it was sent under this one.
    private(set) var replacedKeys: Set<UUIDv7> = []
    var isClaiming = false
    var hasClaimed = false
    /// Whether it may claim nothing more, because the store is about to be closed.
    var isGivenBack = false
    /// What the listeners were told last.
    var told: Backlog?
    private var isRung = false
    private var waiter: CheckedContinuation<Void, Never>?

    init(_ lease: any WorkerLease, isEndless: Bool) {
        self.lease = lease
        self.isEndless = isEndless
    }

    var isSending: Bool { !sending.isEmpty }
    var isBusy: Bool { isSending || isClaiming || !claimed.isEmpty }

    /// Whether nothing more may be sent now.
    func isFull(_ concurrency: Int) -> Bool {
        sending.count >= concurrency || sending.contains { $0.isAlone }
    }

    func check() throws(StoreError) {
        if let failure { throw failure }
    }

    func finished(_ submission: ClaimedSubmission, _ result: Result<Delivery, StoreError>) {
        sending.removeAll { $0.id == submission.id }
        switch result {
        case .success(let delivery):
            report.count(delivery)
            missingKey = missingKey ?? delivery.missingKey
            if delivery.isRecorded, case .retry(let retry) = delivery.settlement, retry.newKeyTime != nil {
                replacedKeys.insert(submission.id)
            }
        case .failure(let error): failure = failure ?? error
        }
    }

    // MARK: Waiting

    /// Ends the wait under way, or the next one.
    func ring() {
        guard let waiter else {
            isRung = true
            return
        }
        self.waiter = nil
        waiter.resume()
    }

    /// Waits for a ring.
    func wait() async {
        guard !isRung else {
            isRung = false
            return
        }
        await withCheckedContinuation { waiter = $0 }
    }

    /// Waits for a ring, for so long at most.
    /// - Returns: whether it rang.
    func wait(
        upTo limit: Duration, _ sleep: @escaping @Sendable (Duration) async throws -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        var isOver = false
        let alarm = Task {
            _ = isolation
            guard (try? await sleep(limit)) != nil else { return }
            isOver = true
            ring()
        }
        await wait()
        alarm.cancel()
        return !isOver
    }
}

/// What became of one claimed submission.
struct Delivery: Sendable {
    /// What was decided; nil when the claim was lost before it was sent.
    var settlement: Settlement?
    var wasSent = false
    var gotAnswer = false
    var breaksContract = false
    /// Why it waits for its key.
    var missingKey: StoreError?
    /// Whether the decision was written.
    var isRecorded = false
}

extension SyncReport {
    fileprivate mutating func count(_ delivery: Delivery) {
        attempts += delivery.wasSent ? 1 : 0
        answers += delivery.gotAnswer ? 1 : 0
        breaches += delivery.breaksContract ? 1 : 0
        guard delivery.isRecorded else { return }
        switch delivery.settlement {
        case .verdict(.accepted): accepted += 1
        case .verdict(.rejected): rejected += 1
        case .verdict(.cancelled): cancelled += 1
        case .verdict(.expired), .retry, .parked, nil: break
        }
    }
}
