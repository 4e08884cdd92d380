public import FoyerModel

/// Delivers what the outbox holds: claims, sends, and writes down what became of it.
///
/// Several services, also in several processes, may work on one store.
public actor SyncService {
    private let outbox: any SubmissionRepository
    private let network: any AccountNetwork
    private let plan: SettlementPlan
    private let environment: FoyerEnvironment
    private let concurrency: Int
    private var lease: (any WorkerLease)?
    /// How often in a row the network itself, not a submission, was the trouble.
    private var outages = 0

    /// Makes a service; it does nothing before it is asked to.
    ///
    /// - Parameters:
    ///   - outbox: where the submissions are.
    ///   - network: where they go.
    ///   - definitions: the flows' steps, which own the fields that the network may refuse.
    ///   - concurrency: how many submissions are sent at once.
    ///   - environment: the clock, and chance for the delays.
    public init(
        outbox: any SubmissionRepository, network: any AccountNetwork, definitions: [FlowDefinition],
        concurrency: Int = 4, environment: FoyerEnvironment = .system
    ) {
        self.outbox = outbox
        self.network = network
        self.plan = SettlementPlan(definitions: definitions.reduce(into: [:]) { $0[$1.kind] = $1 })
        self.concurrency = max(1, concurrency)
        self.environment = environment
    }

    /// Delivers until nothing waits any more, or nothing that waits falls due within `patience`.
    ///
    /// - Parameters:
    ///   - patience: how long to wait, from one verdict to the next, for a submission that is not due yet or that
    ///     another worker is sending.
    ///   - submission: where given, the run ends as soon as this one has its verdict.
    /// - Throws: `StoreError` when the outbox cannot be read or written; what was sent is then found out by the next run.
    public func sync(
        waitingUpTo patience: Duration, for submission: UUIDv7? = nil
    ) async throws(StoreError) -> SyncReport {
        var report = SyncReport()
        var waited = Duration.zero
        while !Task.isCancelled {
            let claimed = try await outbox.claim(concurrency, by: try worker(), at: environment.now())
            if !claimed.isEmpty {
                let verdicts = report.verdicts
                try await deliver(claimed, into: &report)
                // Patience starts anew with each verdict; a failure that is tried again uses it up.
                if report.verdicts > verdicts { waited = .zero }
            }
            if let submission, try await hasVerdict(submission) { break }
            guard claimed.isEmpty else { continue }
            guard let pause = Self.pause(for: try await outbox.backlog(), at: environment.now()),
                waited + pause <= patience, (try? await environment.sleep(pause)) != nil
            else { break }
            waited += pause
        }
        report.waiting = try await outbox.backlog().waiting
        return report
    }

    /// How long to wait before looking again; nil when nothing will fall due by itself.
    private static func pause(for backlog: Backlog, at now: Timestamp) -> Duration? {
        if let due = backlog.nextDueAt { return max(.milliseconds(1), due - now) }
        return backlog.isSending ? .milliseconds(250) : nil
    }

    private func worker() throws(StoreError) -> WorkerID {
        if let lease { return lease.worker }
        let lease = try outbox.makeWorker()
        self.lease = lease
        return lease.worker
    }

    private func hasVerdict(_ id: UUIDv7) async throws(StoreError) -> Bool {
        try await outbox.submission(id)?.state.isLive != true
    }

    // MARK: Sending

    fileprivate struct Delivery: Sendable {
        let settlement: Settlement
        let gotAnswer: Bool
        let isRecorded: Bool
    }

    private func deliver(_ claimed: [ClaimedSubmission], into report: inout SyncReport) async throws(StoreError) {
        let results = await withTaskGroup(of: Result<Delivery, StoreError>.self) { group in
            for submission in claimed {
                group.addTask { [outages] in await self.deliver(submission, afterOutages: outages) }
            }
            var results: [Result<Delivery, StoreError>] = []
            for await result in group { results.append(result) }
            return results
        }
        // Every result is counted before the first error is told: the others were delivered all the same.
        var failure: StoreError?
        var isOutage = true
        for result in results {
            switch result {
            case .success(let delivery):
                report.count(delivery)
                isOutage = isOutage && delivery.settlement.isOutage
            case .failure(let error): failure = failure ?? error
            }
        }
        outages = isOutage ? outages + 1 : 0
        if let failure { throw failure }
    }

    private nonisolated func deliver(
        _ submission: ClaimedSubmission, afterOutages outages: Int
    ) async -> Result<Delivery, StoreError> {
        do throws(StoreError) {
            let (settlement, status) = try await send(submission, afterOutages: outages)
            let isRecorded = try await outbox.settle(
                submission, settlement, httpStatus: status, at: environment.now())
            return .success(Delivery(settlement: settlement, gotAnswer: status != nil, isRecorded: isRecorded))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a submission and decides what to write about it; the status is nil where no answer came.
    private nonisolated func send(
        _ submission: ClaimedSubmission, afterOutages outages: Int
    ) async throws(StoreError) -> (Settlement, status: Int?) {
        let secrets: [String: Secret]
        do throws(StoreError) {
            secrets = try await outbox.secrets(of: submission)
        } catch  where error.code == .tampered {
            return (.parked(reason: error.message, isUnsent: true), nil)
        } catch  where [.wrongKey, .keyMissing, .unsafeKeyFile].contains(error.code) {
            // It is sent as soon as the key is back: a parked one would wait for ever.
            let wait = Settlement.Retry(delay: .zero, reason: error.message, isStrike: false, isUnsent: true)
            _ = try await outbox.settle(submission, .retry(wait), httpStatus: nil, at: environment.now())
            throw error
        }
        let request = SubmissionRequest(
            key: submission.id, kind: submission.kind,
            body: SubmissionBody.sent(submission.body, plainSecrets: plan.wireNames(of: secrets, kind: submission.kind))
        )
        let result: Result<NetworkReply, NetworkFailure>
        do throws(NetworkFailure) {
            result = .success(try await network.submit(request))
        } catch {
            result = .failure(error)
        }
        let settlement = plan.settlement(
            for: ReplyClassifier.classify(result), of: submission, outages: outages, jitter: environment.jitter())
        return (settlement, try? result.get().status)
    }
}

extension Settlement {
    /// Whether the network as a whole was the trouble, rather than this submission.
    fileprivate var isOutage: Bool {
        if case .retry(let retry) = self { !retry.isStrike } else { false }
    }
}

extension SyncReport {
    fileprivate var verdicts: Int { accepted + rejected }

    fileprivate mutating func count(_ delivery: SyncService.Delivery) {
        if case .parked(_, isUnsent: true) = delivery.settlement { return }
        attempts += 1
        if delivery.gotAnswer { answers += 1 }
        guard delivery.isRecorded else { return }
        switch delivery.settlement {
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .retry, .parked: break
        }
    }
}
