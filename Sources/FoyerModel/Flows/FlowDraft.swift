/// The answers of one flow while it is being worked on: a value, from which the next question is computed.
public struct FlowDraft: Sendable {
    /// One usable answer.
    public enum Answer: Sendable {
        /// A readable text.
        case clear(String)
        /// A secret that was given in this session.
        case secret(Secret)
        /// A secret that lies sealed in the store.
        case sealed
    }

    /// The steps that are asked.
    public let definition: FlowDefinition
    /// The usable answers, by step.
    public private(set) var answers: [String: Answer] = [:]
    /// What is wrong with the text that a step had, by step.
    public private(set) var errors: [String: FieldMessage] = [:]
    /// Texts that a step shows although they cannot be used as they are, by step; never a secret.
    public private(set) var prefilled: [String: String] = [:]

    /// Texts that were typed and not confirmed, by step; never a secret.
    public private(set) var unsent: [String: String] = [:]

    /// The secrets of this session that lie sealed in the store by now, by step.
    private var sealed: [String: SecretFingerprint] = [:]

    /// Starts without any answer.
    public init(_ definition: FlowDefinition) {
        self.definition = definition
    }

    /// The readable answers.
    public var clearAnswers: ClearAnswers {
        answers.reduce(into: ClearAnswers()) { clear, answer in
            if case .clear(let text) = answer.value { clear[answer.key] = text }
        }
    }

    /// The steps that are asked, as far as the answers tell: a condition sees the answers of earlier steps only.
    public var applicableSteps: [FlowStep] {
        var earlier = ClearAnswers()
        return definition.steps.filter { step in
            guard step.applies(earlier) else { return false }
            if case .clear(let text) = answers[step.id] { earlier[step.id] = text }
            return true
        }
    }

    /// The first step that is asked and has no usable answer; nil when nothing is left to ask.
    public var firstOpenStep: String? {
        applicableSteps.first { answers[$0.id] == nil }?.id
    }

    /// The step that comes after `step` among those that are asked; nil after the last.
    public func step(after step: String) -> String? {
        let steps = applicableSteps
        guard let position = steps.firstIndex(where: { $0.id == step }), position + 1 < steps.count else { return nil }
        return steps[position + 1].id
    }

    /// The text to show in a step's field: what was typed last, has to be mended, or is the answer; never a secret.
    public func text(of step: String) -> String? {
        if let text = unsent[step] ?? prefilled[step] { return text }
        if case .clear(let text) = answers[step] { return text }
        return nil
    }

    /// Checks what was entered at `step` and takes it as the step's answer.
    ///
    /// A refused text becomes the step's error and, unless it is secret, what its field shows; an earlier answer of
    /// the step stays what it was.
    /// - Throws: the message of the first rule that failed.
    public mutating func enter(_ entered: Secret, at step: FlowStep) throws(FieldMessage) {
        switch step.rules {
        case .readable(let check): try enter(String(revealing: entered), at: step, check)
        case .secret(let check):
            try take(at: step) { earlier throws(FieldMessage) in .secret(try check(entered, earlier)) }
        }
    }

    /// Does the same with a text that may be seen.
    mutating func enter(_ text: String, at step: FlowStep, _ check: FlowStep.Check) throws(FieldMessage) {
        guard !repeatsSecret(text) else { throw refuseRepeatedSecret(at: step.id) }
        do {
            try take(at: step) { earlier throws(FieldMessage) in .clear(try check(text, earlier)) }
        } catch {
            prefilled[step.id] = text
            throw error
        }
    }

    /// Whether the text is one of the flow's secrets, as far as this session has seen them: such a text is never kept
    /// where it can be read.
    private func repeatsSecret(_ text: String) -> Bool {
        SecretText.forms(of: text).contains { form in
            sealed.values.contains { $0.matches(form) }
                || answers.values.contains { if case .secret(let secret) = $0 { secret.isText(form) } else { false } }
        }
    }

    /// Notes that a step was answered with one of the flow's secrets; an earlier answer stays what it was.
    /// - Returns: what the person is told.
    @discardableResult
    public mutating func refuseRepeatedSecret(at step: String) -> FieldMessage {
        let message = FieldMessage("flow.repeated_secret").worded(by: definition.messages)
        unsent[step] = nil
        errors[step] = message
        return message
    }

    private mutating func take(
        at step: FlowStep, _ checked: (ClearAnswers) throws(FieldMessage) -> Answer
    ) throws(FieldMessage) {
        unsent[step.id] = nil
        do {
            answers[step.id] = try checked(clearAnswers(before: step.id))
            errors[step.id] = nil
            prefilled[step.id] = nil
            checkAnswers(after: step.id)
        } catch {
            let worded = error.worded(by: definition.messages)
            errors[step.id] = worded
            throw worded
        }
    }

    /// Asks again for later answers whose rules look at this one, and do not hold any more; their texts stay.
    private mutating func checkAnswers(after changed: String) {
        for step in applicableSteps.drop(while: { $0.id != changed }).dropFirst() {
            guard case .clear(let text) = answers[step.id], case .readable(let check) = step.rules else { continue }
            do throws(FieldMessage) {
                _ = try check(text, clearAnswers(before: step.id))
            } catch {
                refuse(error, text: text, at: step.id)
            }
        }
    }

    /// Lets go of the secrets that lie sealed in the store by now.
    public mutating func forgetSealedSecrets() {
        for step in definition.steps where step.keep == .sealed {
            guard case .secret(let secret) = answers[step.id] else { continue }
            sealed[step.id] = SecretFingerprint(secret)
            answers[step.id] = .sealed
        }
    }

    /// Keeps a text that was typed at a step, under this name or a former one, and not confirmed.
    public mutating func keepUnsent(_ text: String, at step: String) {
        let named = definition.steps.first { $0.id == step || $0.formerly.contains(step) }
        guard let step = named, !step.isSecret, !repeatsSecret(text) else { return }
        unsent[step.id] = nil
        if !text.isEmpty, text != self.text(of: step.id) { unsent[step.id] = text }
    }

    /// Takes an answer that lies in the store as usable.
    mutating func take(_ answer: Answer, at step: String) {
        answers[step] = answer
    }

    /// Notes that a saved answer has to be mended, and the text that it had.
    mutating func refuse(_ message: FieldMessage, text: String?, at step: String) {
        answers[step] = nil
        errors[step] = message.worded(by: definition.messages)
        prefilled[step] = text
    }

    /// The readable answers of the steps before `step`: a rule never sees what is asked later.
    private func clearAnswers(before step: String) -> ClearAnswers {
        var clear = ClearAnswers()
        for earlier in applicableSteps.prefix(while: { $0.id != step }) {
            if case .clear(let text) = answers[earlier.id] { clear[earlier.id] = text }
        }
        return clear
    }

    /// The secrets of this session whose steps keep nothing, by step.
    public var volatileSecrets: [String: Secret] {
        applicableSteps.reduce(into: [:]) { secrets, step in
            if step.keep == .volatile, case .secret(let secret) = answers[step.id] { secrets[step.id] = secret }
        }
    }

    /// What the finished form hands over, by the fields' wire names: the answers of the steps that are asked, without
    /// the secrets that lie sealed.
    public var credentials: Credentials {
        applicableSteps.reduce(into: Credentials()) { credentials, step in
            switch answers[step.id] {
            case .clear(let text): credentials[step.field.wireName] = .text(text)
            case .secret(let secret): credentials[step.field.wireName] = .secret(secret)
            case .sealed, nil: break
            }
        }
    }
}
