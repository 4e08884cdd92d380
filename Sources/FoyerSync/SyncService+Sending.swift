import FoyerModel

extension SyncService {
    /// Between the note that a sending begins and the sending itself no more time may pass: the claim has to hold
    /// until the answer is there.
    private static let longestStart = Duration.seconds(15)

    /// Sends a claimed submission and writes down what became of it.
    @concurrent
    nonisolated func deliver(_ submission: ClaimedSubmission) async -> Result<Delivery, StoreError> {
        do throws(StoreError) {
            return .success(try await send(submission))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated func send(_ submission: ClaimedSubmission) async throws(StoreError) -> Delivery {
        var secrets: [String: Secret] = [:]
        if submission.task == .submit {
            switch try await openSecrets(of: submission) {
            case .success(let opened): secrets = opened
            case .failure(let unreadable): return try await give(back: submission, unreadable)
            }
        }
        let start = environment.uptime()
        guard try await outbox.begin(submission) else {
            eventSource.tell(.tooLate(submission.id))
            return Delivery()
        }
        guard environment.uptime() - start < Self.longestStart else {
            let late = Settlement.Retry(
                delay: .zero, reason: "the machine was too slow to send it", countsAsFailure: false, isUnsent: true)
            return try await settle(submission, .retry(late), .silent)
        }
        eventSource.tell(.sending(submission.id, submission.kind))
        let result = await ask(submission, secrets)
        let meaning = ReplyClassifier.classify(
            result, to: submission.task, of: plan.definitions[submission.kind])
        if case .verdict(.rejected(let refusals)) = meaning {
            for unknown in refusals.compactMap(\.unknownCode) {
                eventSource.tell(.unknownCode(submission.id, field: unknown.field, code: unknown.code))
            }
        }
        let networkTime = (try? result.get())?.date.flatMap(RetryAfter.date)
        let (settlement, report) = plan.settlement(
            for: meaning, of: submission, jitter: environment.jitter(), now: networkTime ?? environment.now())
        var delivery = try await settle(submission, settlement, report, httpStatus: try? result.get().status)
        delivery.wasSent = true
        delivery.breaksContract = meaning.breaksContract
        delivery.gotAnswer = (try? result.get()) != nil
        return delivery
    }

    /// The failure is one that says what becomes of this submission; the others go on.
    private nonisolated func openSecrets(
        of submission: ClaimedSubmission
    ) async throws(StoreError) -> Result<[String: Secret], StoreError> {
        do throws(StoreError) {
            return .success(try await outbox.secrets(of: submission))
        } catch {
            if SettlementPlan.settlement(forUnreadable: error, of: submission) != nil { return .failure(error) }
            let wait = Settlement.Retry(delay: .zero, reason: error.message, countsAsFailure: false, isUnsent: true)
            _ = try? await outbox.settle(submission, .retry(wait), .silent, httpStatus: nil)
            throw error
        }
    }

    /// Writes what becomes of a submission whose secrets cannot be opened.
    private nonisolated func give(
        back submission: ClaimedSubmission, _ unreadable: StoreError
    ) async throws(StoreError) -> Delivery {
        guard let settlement = SettlementPlan.settlement(forUnreadable: unreadable, of: submission) else {
            throw unreadable
        }
        // A fact is written whoever tells it: only who surely still holds the submission may say that it is over.
        if case .verdict = settlement, try await !outbox.begin(submission) {
            eventSource.tell(.tooLate(submission.id))
            return Delivery()
        }
        var delivery = try await settle(submission, settlement, .silent)
        if case .retry = settlement { delivery.missingKey = unreadable }
        return delivery
    }

    private nonisolated func ask(
        _ submission: ClaimedSubmission, _ secrets: [String: Secret]
    ) async -> Result<NetworkReply, NetworkFailure> {
        let network = network, plan = plan
        return await answer(within: timeout) {
            do throws(NetworkFailure) {
                switch submission.task {
                case .cancel: return .success(try await network.cancel(submission.id))
                case .askOutcome: return .success(try await network.outcome(of: submission.id))
                case .submit:
                    let named = plan.wireNames(of: secrets, kind: submission.kind)
                    let body = SubmissionBody.sent(submission.body, plainSecrets: named)
                    return .success(
                        try await network.submit(
                            SubmissionRequest(key: submission.id, kind: submission.kind, body: body)))
                }
            } catch {
                return .failure(error)
            }
        }
    }

    private nonisolated func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport, httpStatus: Int? = nil
    ) async throws(StoreError) -> Delivery {
        var settlement = settlement, isRecorded: Bool
        do throws(StoreError) {
            isRecorded = try await outbox.settle(submission, settlement, report, httpStatus: httpStatus)
        } catch {
            // Its rows cannot take what became of it. It waits for somebody to mend them; the others go on.
            guard [.damagedRow, .failed].contains(error.code) else { throw error }
            settlement = .parked(reason: error.message)
            isRecorded = try await outbox.settle(submission, settlement, report, httpStatus: httpStatus)
        }
        if isRecorded {
            eventSource.tell(
                .settled(
                    submission.id, submission.kind, outcome: settlement.outcome, problem: settlement.problem))
        } else {
            eventSource.tell(.tooLate(submission.id))
        }
        return Delivery(settlement: settlement, isRecorded: isRecorded)
    }
}
