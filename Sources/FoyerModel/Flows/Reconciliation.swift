/// What became of saved answers under the program's present steps.
///
/// Every saved answer is in exactly one of `kept`, `askedAgain`, `invalid` and `aside`.
public struct Reconciliation: Sendable {
    /// The answers that can be used, and what has to be mended.
    public internal(set) var draft: FlowDraft
    /// Steps whose saved answer is used as it is.
    public internal(set) var kept: [String] = []
    /// Steps that were answered but are asked again: the answer was not kept, its time is over, or the step changed.
    public internal(set) var askedAgain: [String] = []
    /// Steps whose saved answer was refused, by the network or by a rule of today.
    public internal(set) var invalid: [String: FieldMessage] = [:]
    /// Saved answers whose step does not exist any more; they stay in the store.
    public internal(set) var aside: [String] = []

    /// The step to ask first; nil when nothing is left to ask.
    public var cursor: String? { draft.firstOpenStep }
}

extension FlowDefinition {
    /// Fits saved answers to these steps; pure, so that it can also be shown without doing anything.
    public func reconcile(_ saved: [SavedAnswer], now: Timestamp) -> Reconciliation {
        var result = Reconciliation(draft: FlowDraft(self))
        let answers = Dictionary(saved.map { ($0.step, $0) }, uniquingKeysWith: { $0.seq > $1.seq ? $0 : $1 })
        for step in steps {
            guard let answer = answers[step.id] else { continue }
            result.settle(answer, at: step, now: now)
        }
        let aside = answers.values.filter { self[step: $0.step] == nil }
        result.aside = aside.sorted { $0.seq < $1.seq }.map(\.step)
        return result
    }
}

extension Reconciliation {
    /// Decides about the saved answer of one step; the earlier steps have been decided about.
    fileprivate mutating func settle(_ answer: SavedAnswer, at step: FlowStep, now: Timestamp) {
        if let error = answer.error {
            refuse(FieldMessage(error), at: step, text: answer.value)
        } else if answer.version != step.version {
            askedAgain.append(step.id)
        } else if answer.kept == .sealed, step.isSecret, let end = answer.usableUntil, now < end {
            draft.take(.sealed, at: step.id)
            kept.append(step.id)
        } else if answer.kept == .clear, !step.isSecret, let text = answer.value {
            do throws(FieldMessage) {
                try draft.enter(Secret(text), at: step)
                kept.append(step.id)
            } catch {
                refuse(error, at: step, text: text)
            }
        } else {
            askedAgain.append(step.id)
        }
    }

    private mutating func refuse(_ message: FieldMessage, at step: FlowStep, text: String?) {
        invalid[step.id] = message
        draft.refuse(message, text: step.isSecret ? nil : text, at: step.id)
    }
}
