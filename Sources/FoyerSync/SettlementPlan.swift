import FoyerModel

/// Turns what an answer means into what is written about the submission; pure.
struct SettlementPlan {
    /// The definitions that tell which step owns a refused field, and which refused step comes first.
    let definitions: [AccountType: FlowDefinition]

    /// - Parameters:
    ///   - outages: how often in a row the network itself was the trouble before.
    ///   - jitter: from 0 to below 1.
    func settlement(
        for reply: ReplyClass, of submission: ClaimedSubmission, outages: Int, jitter: Double
    ) -> Settlement {
        switch reply {
        case .accepted(nil) where submission.kind == .login:
            // A sign-in of nobody is no sign-in.
            return settlement(for: .unnamedPerson, of: submission, outages: outages, jitter: jitter)
        case .accepted(let remoteID): return .accepted(remoteID: remoteID)
        case .rejected(let fields): return rejection(fields, of: submission)
        case .parked(let reason): return .parked(reason: reason)
        case .transient(let reason, let isStrike, let isUnsent, let retryAfter):
            let (failures, isTooMany) = submission.strikes.addingReportingOverflow(outages)
            let delay = Self.delay(
                failures: isTooMany ? .max : failures, kind: submission.kind, retryAfter: retryAfter, jitter: jitter)
            return .retry(
                Settlement.Retry(delay: delay, reason: reason, isStrike: isStrike, isUnsent: isUnsent))
        }
    }

    /// Exponential, from half to the whole of it by chance, and never before the network wants to be asked again.
    static func delay(
        failures: Int, kind: SubmissionKind, retryAfter: Duration?, jitter: Double
    ) -> Duration {
        let (base, cap): (Duration, Duration) =
            kind == .login ? (.milliseconds(500), .seconds(10)) : (.seconds(1), .seconds(900))
        let full = min(cap, base * (1 << min(failures, 20)))
        let delay = full / 2 + full / 2 * jitter
        guard let retryAfter else { return delay }
        return max(delay, retryAfter + retryAfter / 10 * jitter)
    }

    private func rejection(_ fields: [ReplyClass.RefusedField], of submission: ClaimedSubmission) -> Settlement {
        guard let definition = definition(for: submission.kind), let firstStep = definition.steps.first else {
            return .parked(reason: "the network refused it, and no step of this program can mend that")
        }
        var refusals: [FieldRefusal] = []
        for step in definition.steps {
            guard let refused = fields.first(where: { $0.field == step.field.apiKey }) else { continue }
            refusals.append(FieldRefusal(step: step.id, message: Self.message(for: refused)))
        }
        // A refusal of something that no step asks for is shown where the person starts to look through the answers.
        if refusals.isEmpty { refusals = [FieldRefusal(step: firstStep.id, message: FieldMessage("server.rejected"))] }
        return .rejected(refusals)
    }

    /// Secrets by the names that their steps' fields have on the wire.
    func wireNames(of secrets: [String: Secret], kind: SubmissionKind) -> [String: Secret] {
        let definition = definition(for: kind)
        return secrets.reduce(into: [:]) { named, secret in
            named[definition?[step: secret.key]?.field.apiKey ?? secret.key] = secret.value
        }
    }

    private func definition(for kind: SubmissionKind) -> FlowDefinition? {
        definitions.values.first { SubmissionKind($0.kind) == kind }
    }

    /// The message of the catalogue for a network's code; what it does not know is never shown as it came.
    static func message(for refused: ReplyClass.RefusedField) -> FieldMessage {
        let area =
            switch refused.field {
            case "email_field": "email"
            case "user_name": "username"
            case "first_name", "last_name": "name"
            default: refused.field
            }
        let known = ["\(area).\(refused.code)", refused.code].first { MessageCatalog.english[$0] != nil }
        return FieldMessage(known ?? "server.rejected")
    }
}

extension ReplyClass {
    fileprivate static let unnamedPerson = ReplyClass.transient(
        reason: "the network let somebody in without saying whom", isStrike: true, isUnsent: false, retryAfter: nil)
}
