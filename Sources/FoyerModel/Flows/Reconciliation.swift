/// What became of saved answers under the program's present steps.
public struct Reconciliation: Sendable {
    /// What became of one saved answer; each has exactly one fate.
    public enum Fate: Sendable, Equatable {
        /// It is used as it is.
        case kept
        /// It was turned into an answer of the step's present version.
        case upgraded(from: Int)
        /// Its step is asked again.
        case askedAgain(Reason)
        /// It was refused, by the network or by a rule of today; the step shows it, unless it is secret.
        case invalid(FieldMessage)
        /// No step asks for it any more, or the step has a newer one under another of its names; it stays in the store,
        /// and is found again when its step comes back.
        case aside
    }

    /// Why a step is asked again.
    public enum Reason: String, Sendable, CaseIterable {
        /// The answer was never kept.
        case notKept
        /// The answer lay for too long.
        case expired
        /// The answer's secret is gone.
        case secretGone
        /// The step has changed, and the old answer cannot be turned into one of today.
        case stepChanged
        /// A newer program has saved it.
        case savedByNewerProgram
    }

    /// The answers that can be used, and what has to be mended.
    public internal(set) var draft: FlowDraft
    /// What became of each saved answer, by the step that it was saved for.
    public internal(set) var fates: [String: Fate] = [:]
    /// The steps of today, by the former names under which their answers were saved.
    public internal(set) var renamed: [String: String] = [:]
    /// Steps that are asked and had no saved answer, although the flow had come beyond their place.
    public internal(set) var inserted: [String] = []
    /// Steps that are not asked, because their condition does not hold; their answers are kept.
    public internal(set) var skipped: [String] = []

    /// The step to ask first; nil when nothing is left to ask.
    public var cursor: String? { draft.firstOpenStep }
}

extension FlowDefinition {
    /// Fits saved answers to these steps; pure, so that it can also be shown without doing anything.
    public func reconcile(_ saved: [SavedAnswer], now: Timestamp) -> Reconciliation {
        var result = Reconciliation(draft: FlowDraft(self))
        let answers = Dictionary(saved.map { ($0.step, $0) }, uniquingKeysWith: { $0.seq > $1.seq ? $0 : $1 })
        for name in answers.keys { result.fates[name] = .aside }
        for step in steps {
            // A program that was rolled back may have asked again under the former name: the newest answer counts.
            let named = ([step.id] + step.formerly).compactMap { answers[$0] }
            guard let answer = named.max(by: { $0.seq < $1.seq }) else { continue }
            if answer.step != step.id { result.renamed[answer.step] = step.id }
            result.fates[answer.step] = result.draft.take(answer, at: step, now: now)
        }
        result.compareSteps(with: answers)
        return result
    }
}

extension Reconciliation {
    /// Notes which steps the saved answers did not know, and which are not asked.
    fileprivate mutating func compareSteps(with saved: [String: SavedAnswer]) {
        let asked = draft.applicableSteps.map(\.id)
        skipped = draft.definition.steps.map(\.id).filter { !asked.contains($0) }
        func isSaved(_ id: String) -> Bool {
            saved[id] != nil || renamed.values.contains(id)
        }
        guard let last = asked.lastIndex(where: isSaved) else { return }
        inserted = asked[..<last].filter { !isSaved($0) }
    }
}

extension FlowDraft {
    /// Takes a saved answer as far as it can be used; the answers of earlier steps have been taken.
    fileprivate mutating func take(
        _ answer: SavedAnswer, at step: FlowStep, now: Timestamp
    ) -> Reconciliation.Fate {
        if let error = answer.error { return refuse(FieldMessage(error), answer, at: step) }
        if let reason = answer.reasonToAskAgain(at: step, now: now) { return .askedAgain(reason) }
        guard case .readable(let check) = step.rules else {
            take(.sealed, at: step.id)
            return .kept
        }
        do throws(FieldMessage) {
            var text = answer.value ?? ""
            if answer.version < step.version, let upgrade = step.upgrade { text = try upgrade(text, answer.version) }
            try enter(text, at: step, check)
            return answer.version < step.version ? .upgraded(from: answer.version) : .kept
        } catch {
            return refuse(error, answer, at: step)
        }
    }

    private mutating func refuse(
        _ message: FieldMessage, _ answer: SavedAnswer, at step: FlowStep
    ) -> Reconciliation.Fate {
        refuse(message, text: step.isSecret ? nil : answer.value, at: step.id)
        return .invalid(message)
    }
}

extension SavedAnswer {
    /// Why the answer cannot be used at a step, whatever it says; nil when its text decides.
    fileprivate func reasonToAskAgain(at step: FlowStep, now: Timestamp) -> Reconciliation.Reason? {
        if version > step.version { return .savedByNewerProgram }
        // What was set aside is read as what it was before: a text, or a box.
        let isText = value != nil && (kept == .clear || kept == .aside)
        let isBox = kept == .sealed || kept == .aside && value == nil
        guard step.isSecret ? isBox : isText else { return kept == .volatile ? .notKept : .stepChanged }
        if step.isSecret {
            // A box cannot be turned into anything else while it is closed.
            if version < step.version { return .stepChanged }
            guard let usableUntil else { return .secretGone }
            return now < usableUntil ? nil : .expired
        }
        if version < step.version, step.upgrade == nil { return .stepChanged }
        return (age ?? now - answeredAt) < step.lifetime ? nil : .expired
    }
}
