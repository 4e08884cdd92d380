package import FoyerModel

/// Turns what an answer means into what is written about the submission; pure.
package struct SettlementPlan {
    /// The definitions that tell which step owns a refused field, and which refused step comes first.
    package let definitions: [FlowKind: FlowDefinition]

    package init(definitions: [FlowKind: FlowDefinition]) {
        self.definitions = definitions
    }

    /// What is written about the submission, and what about its endpoint.
    ///
    /// - Parameters:
    ///   - jitter: chance, from 0 to below 1.
    ///   - now: the time of day by the network's clock, where it told it, else by this machine's.
    package func settlement(
        for reply: ReplyClass, of submission: ClaimedSubmission, jitter: Double, now: Timestamp
    ) -> (Settlement, EndpointReport) {
        switch reply {
        case .verdict(.accepted(nil)) where submission.kind == .login:
            // A sign-in of nobody is no sign-in.
            let nobody = ReplyClass.outOfContract(reason: "the network let somebody in without saying whom")
            return settlement(for: nobody, of: submission, jitter: jitter, now: now)
        case .verdict(.rejected(let refusals)): return (rejection(refusals, of: submission.kind), .answered)
        case .verdict(let verdict): return (.verdict(verdict), .answered)
        case .neverSeen:
            return (.verdict(.expired(reason: "it waited for too long, and the network never got it")), .answered)
        case .tooOld: return (tooOld(submission, at: now), .answered)
        case .parked(let reason): return (.parked(reason: reason), .answered)
        case .unsent(let reason):
            let trouble = EndpointReport.Trouble(reason: reason, isSoft: false, retryAfter: nil, jitter: jitter)
            return (Self.retry(after: .zero, reason, isUnsent: true), .troubled(trouble))
        case .unavailable(let wait, let reason):
            let trouble = EndpointReport.Trouble(reason: reason, isSoft: false, retryAfter: wait, jitter: jitter)
            return (Self.retry(after: .zero, reason), .troubled(trouble))
        case .wait(let wait, let reason):
            let wanted = max(.milliseconds(250), wait ?? .seconds(2))
            return (Self.retry(after: wanted + wanted / 10 * jitter, reason), .answered)
        case .maybeSent(let reason), .outOfContract(let reason):
            let trouble = EndpointReport.Trouble(reason: reason, isSoft: true, retryAfter: nil, jitter: jitter)
            let delay = Self.delay(failures: submission.failures, kind: submission.kind, jitter: jitter)
            // Behind an open breaker it is the endpoint that is on trial.
            return (Self.retry(after: delay, reason, countsAsFailure: !submission.isProbe), .troubled(trouble))
        }
    }

    private static func retry(
        after delay: Duration, _ reason: String, countsAsFailure: Bool = false, isUnsent: Bool = false
    ) -> Settlement {
        .retry(Settlement.Retry(delay: delay, reason: reason, countsAsFailure: countsAsFailure, isUnsent: isUnsent))
    }

    /// How long a submission waits before its key is looked for again.
    private static let keyWait = Duration.seconds(10)

    /// What is written about a submission whose secrets cannot be opened; nil where the failure is the store's.
    static func settlement(forUnreadable error: StoreError, of submission: ClaimedSubmission) -> Settlement? {
        switch error.code {
        case .tampered, .damagedRow: .parked(reason: error.message, isUnsent: true)
        // The flow is open again, and asks for what is gone; what the network may have is asked for first.
        case .secretGone where !submission.maybeSent: .verdict(.expired(reason: error.message))
        case .secretGone:
            .parked(
                reason: "\(error.message) The network may have it: taking it back asks there first.",
                isUnsent: true)
        // It is sent when the key is back: a parked one would wait for ever.
        case .keyMissing, .keyLocked, .wrongKey, .unsafeKeyFile: retry(after: keyWait, error.message, isUnsent: true)
        default: nil
        }
    }

    /// How long a submission waits after a failure that speaks against it.
    static func delay(failures: Int, kind: FlowKind, jitter: Double) -> Duration {
        let (base, cap): (Duration, Duration) =
            kind == .login ? (.milliseconds(500), .seconds(10)) : (.seconds(1), .seconds(900))
        return Backoff.delay(
            base: base, cap: cap, failures: failures, shortest: .milliseconds(250), jitter: jitter)
    }

    /// How far the time in a key may be off before another key is worth a try.
    private static let keySlack = Duration.seconds(3600)
    /// How long a submission waits when the network refuses even a key of this moment.
    private static let refusedKeyWait = Duration.seconds(900)

    /// The network does not take the time in its key: the key is old, or was made by a clock that was wrong. What the
    /// network surely never had gets another key; else somebody has to look.
    private func tooOld(_ submission: ClaimedSubmission, at now: Timestamp) -> Settlement {
        switch submission.task {
        case .submit where submission.maybeSent: .parked(reason: OutboxRow.forgotten)
        case .submit where submission.id.time.map { now.distance(from: $0) < Self.keySlack } == true:
            Self.retry(
                after: Self.refusedKeyWait, "the network takes the time of this machine for wrong; set its clock right",
                isUnsent: true)
        case .submit:
            .retry(
                Settlement.Retry(
                    delay: .zero, reason: "its key was from another time, and is replaced", countsAsFailure: false,
                    isUnsent: true, newKeyTime: now))
        case .askOutcome: .verdict(.expired(reason: "it is too old for the network"))
        case .cancel: .verdict(.cancelled(reason: "taken back"))
        }
    }

    /// A refusal of nothing that a step asks for is shown where the person starts to look through the answers.
    private func rejection(_ refusals: [FieldRefusal], of kind: FlowKind) -> Settlement {
        guard let first = definitions[kind]?.steps.first else {
            return .parked(reason: "the network refused it, and no step of this program can mend that")
        }
        let owned = refusals.filter { $0.step != nil }
        let general = FieldRefusal(step: first.id, message: FieldMessage(FieldRefusal.generalMessage))
        return .verdict(.rejected(owned.isEmpty ? [general] : owned))
    }

    /// Secrets by the names that their steps' fields have on the wire.
    func wireNames(of secrets: [String: Secret], kind: FlowKind) -> [String: Secret] {
        let definition = definitions[kind]
        return secrets.reduce(into: [:]) { named, secret in
            named[definition?[step: secret.key]?.field.wireName ?? secret.key] = secret.value
        }
    }
}
