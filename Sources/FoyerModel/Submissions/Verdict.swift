/// How a submission ends, from the answer that says so to the transaction that writes it.
package enum Verdict: Sendable, Equatable {
    /// The network accepted it; at the network the person has this identifier, where it told one.
    case accepted(remoteID: String?)
    /// The network refused these fields.
    case rejected([FieldRefusal])
    /// The network will refuse it for ever, because it was asked to.
    case cancelled(reason: String)
    /// The network never got it, and it is too old to be sent.
    case expired(reason: String)

    /// The ending without what belongs to it.
    package var ending: Submission.State.Ending {
        switch self {
        case .accepted: .accepted
        case .rejected: .rejected
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }

    /// Why it ended so, in words; for a refusal the steps with the ids of their messages.
    package var reason: String? {
        switch self {
        case .accepted: nil
        case .rejected(let refusals): refusals.map(\.description).joined(separator: ", ")
        case .cancelled(let reason), .expired(let reason): reason
        }
    }
}

/// A field that was refused: by the network, or by the rules of its step.
package struct FieldRefusal: Sendable, Equatable, CustomStringConvertible {
    /// The step that is asked again; nil where no step of this program asks for the field.
    package let step: String?
    /// What is wrong with its answer.
    package let message: FieldMessage

    /// Makes the value.
    package init(step: String?, message: FieldMessage) {
        self.step = step
        self.message = message
    }

    /// The step and the message's id, such as `email: email.taken`.
    package var description: String { "\(step ?? "-"): \(message.id)" }

    /// The message in a text that `description` has made; nil for any other text.
    package static func message(in description: String) -> FieldMessage? {
        description.firstRange(of: ": ").map { FieldMessage(String(description[$0.upperBound...])) }
    }
}
