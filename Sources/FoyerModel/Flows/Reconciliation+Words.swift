extension Reconciliation {
    /// What a person should know before going on, one sentence each, in the order of the steps; empty when every
    /// answer is simply there.
    public var sentences: [String] {
        let steps = draft.definition.steps
        let names = Dictionary(steps.map { ($0.id, $0.field.label) }, uniquingKeysWith: { first, _ in first })
        var sentences: [String] = []
        for step in steps {
            let saved = renamed.first { $0.value == step.id }?.key ?? step.id
            if let fate = fates[saved],
                let sentence = fate.sentence(about: names[step.id] ?? step.id, draft.definition.messages)
            {
                sentences.append(sentence)
            }
            if inserted.contains(step.id) {
                sentences.append("\(names[step.id] ?? step.id): not asked before.")
            }
            if skipped.contains(step.id), fates[saved] != nil {
                sentences.append("\(names[step.id] ?? step.id): not asked now; your answer is kept, and not sent.")
            }
        }
        // What the person has answered anew under another name of the step needs no word.
        let known = Set(draft.definition.knownSteps)
        let aside = fates.filter { $0.value == .aside && !known.contains($0.key) }.keys.sorted()
        return sentences + aside.map { "\($0): this question is not asked any more; your answer is kept aside." }
    }
}

extension Reconciliation.Fate {
    fileprivate func sentence(about name: String, _ messages: [String: String]) -> String? {
        switch self {
        case .kept, .aside: nil
        case .upgraded: "\(name): your answer was brought up to date."
        case .askedAgain(let reason): "\(name): asked again, because \(reason.words)."
        case .invalid(let message): "\(name): \(message.worded(by: messages).text)"
        }
    }
}

extension Reconciliation.Reason {
    fileprivate var words: String {
        switch self {
        case .notKept: "it is never kept"
        case .expired: "your answer is too old"
        case .secretGone: "what you entered is not there any more"
        case .stepChanged: "the question has changed"
        case .savedByNewerProgram: "a newer version of this program has saved it"
        }
    }
}
