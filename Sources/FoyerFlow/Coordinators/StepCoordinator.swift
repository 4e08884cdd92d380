public import FoyerModel

/// A coordinator that asks the steps of a flow definition, one screen each, and saves every answer as it is given.
@FlowActor
open class StepCoordinator<Output: Sendable>: NavigationCoordinator<Output>, StepFlow {
    /// The name of the screen that shows all answers before they are sent.
    static var review: String { "review" }
    /// The name of the screen that is shown while the network decides.
    static var submitted: String { "submitted" }

    /// The answers so far.
    @Unsaved public private(set) var draft: FlowDraft
    /// The flow as the store has it; revision 0 before the first answer is saved.
    @Unsaved public private(set) var flow: SavedFlow
    /// The clock and the source of identifiers.
    public let environment: FoyerEnvironment
    /// What became of the saved answers when they were read last; nil for a flow that is not saved.
    @Unsaved private var reconciliation: Reconciliation? = nil

    /// Makes a coordinator that goes on with a saved flow, or begins a new one.
    ///
    /// - Parameters:
    ///   - flow: the saved flow; nil begins a new one.
    ///   - id: the identifier of the new flow; without one it gets one of its own.
    public init(
        slot: String, resuming flow: SavedFlow? = nil, id: UUIDv7? = nil, definition: FlowDefinition,
        environment: FoyerEnvironment
    ) {
        let now = environment.now()
        self.environment = environment
        draft = FlowDraft(definition)
        let new = SavedFlow(
            id: id ?? environment.makeID(), kind: definition.kind, path: slot, status: .open,
            fingerprint: definition.fingerprint, step: nil, revision: 0, userID: nil,
            submissionID: environment.makeID(), createdAt: now, updatedAt: now, expiresAt: nil)
        self.flow = flow ?? new
        super.init(slot: slot)
        config = JSONText.encode(FlowReference(flow: self.flow.id))
        if let flow {
            takeAnswers(of: flow, at: now)
            showPosition()
        }
    }

    /// Fits the saved answers to the steps of today, and puts back what stood in their fields.
    private func takeAnswers(of flow: SavedFlow, at now: Timestamp) {
        let reconciliation = draft.definition.reconcile(flow.answers, now: now)
        let unsent = flow.unsent.merging(draft.unsent) { _, typed in typed }
        self.reconciliation = reconciliation
        draft = reconciliation.draft
        for (step, text) in unsent { draft.keepUnsent(text, at: step) }
    }

    public final override var notes: [String] {
        guard flow.status == .open, let reconciliation else { return [] }
        return reconciliation.sentences
    }

    /// The heading of the flow's screens.
    open var title: String { "" }

    /// The person and the submission that the answers make; nil where answers are missing.
    open func makeFinish(at now: Timestamp) -> FlowChange.Finish? { nil }

    /// The submission that the readable answers make.
    public final func makeSubmission(lane: String) -> NewSubmission {
        NewSubmission(
            id: flow.submissionID, kind: flow.kind, lane: lane,
            body: SubmissionBody.stored(fields: draft.credentials.texts))
    }

    /// The output of a flow that the network has accepted.
    open func makeOutput(user: User?) -> Output? { nil }

    /// Shows the screen of a step on top of the others.
    public final func showNext(step: String) {
        push(step)
    }

    public final override var flowID: UUIDv7? { flow.id }

    open override func start() {
        showPosition()
    }

    open override func update(from flow: SavedFlow, user: User?, at now: Timestamp) -> Reaction? {
        guard flow.id == self.flow.id, flow.revision != self.flow.revision || flow.status != self.flow.status else {
            return nil
        }
        self.flow = flow
        takeAnswers(of: flow, at: now)
        switch flow.status {
        case .open, .submitted: showPosition()
        case .finished:
            showPosition()
            // Whoever waits is told in any case.
            guard let output = makeOutput(user: user) else { return Reaction { [weak self] in self?.cancel() } }
            return Reaction { [weak self] in self?.finish(output) }
        case .cancelled, .expired:
            // There is nothing left to ask, nor to wait for.
            replaceStack(with: [])
            let reason: CancelReason = flow.status == .expired ? .expired : .user
            return Reaction { [weak self] in self?.cancel(reason) }
        }
        return .taken
    }

    open override func flowWasErased() -> Reaction? {
        guard flow.revision > 0, !hasEnded else { return nil }
        replaceStack(with: [])
        return Reaction { [weak self] in self?.cancel(.erased) }
    }

    /// Opens the screens up to the first question that has no answer, so that going back leads through the earlier ones.
    private func showPosition() {
        guard flow.status == .open else { return replaceStack(with: [Self.submitted]) }
        let steps = draft.applicableSteps.map(\.id)
        if let open = draft.firstOpenStep, let position = steps.firstIndex(of: open) {
            replaceStack(with: Array(steps[...position]))
        } else {
            replaceStack(with: steps + [Self.review])
        }
    }

    // MARK: Inputs

    open override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guard flow.status == .open, let shown = visibleScreen else { return nil }
        switch input.action {
        case ScreenAction.accept.id:
            guard let step = draft.definition[step: shown], let entered = input.values[step.id] else { return nil }
            return answer(entered, at: step, now)
        case ScreenAction.submit.id:
            guard shown == Self.review, draft.firstOpenStep == nil else { return nil }
            return save([], step: nil, submitting: true, now)
        case ScreenAction.cancel.id: return giveUp(now)
        default:
            keepUnsent(input)
            guard var reaction = super.respond(to: input, at: now) else { return nil }
            if flow.revision > 0, draft.unsent != flow.unsent {
                reaction.change = makeChange([], step: draft.firstOpenStep, now)
            }
            return reaction
        }
    }

    public final override func keepUnsent(_ input: ScreenInput) {
        guard let shown = visibleScreen, let text = input.values[shown],
            draft.definition[step: shown]?.isSecret == false
        else { return }
        draft.keepUnsent(String(revealing: text), at: shown)
    }

    public final override func refuseRepeatedSecret(_ input: ScreenInput) -> Bool {
        guard let shown = visibleScreen, draft.definition[step: shown] != nil else { return false }
        draft.refuseRepeatedSecret(at: shown)
        return true
    }

    package final func enter(_ credentials: Credentials, at now: Timestamp) -> EnteredAnswers {
        var written: [FlowChange.Answer] = []
        var refused: [FieldRefusal] = []
        for step in draft.definition.steps {
            guard let value = credentials[step.field.wireName] else { continue }
            do throws(FieldMessage) {
                try draft.enter(value.secret, at: step)
                written.append(makeAnswer(at: step))
            } catch {
                refused.append(FieldRefusal(step: step.id, message: error))
            }
        }
        guard refused.isEmpty else { return .refused(refused) }
        showPosition()
        let open = draft.firstOpenStep
        return .taken(save(written, step: open, submitting: open == nil, now))
    }

    private func makeAnswer(at step: FlowStep) -> FlowChange.Answer {
        let content = step.keep == .volatile ? nil : draft.answers[step.id]
        return FlowChange.Answer(step: step.id, version: step.version, content: content)
    }

    private func answer(_ entered: Secret, at step: FlowStep, _ now: Timestamp) -> Reaction {
        let wasOpen = draft.answers[step.id] == nil
        do throws(FieldMessage) {
            try draft.enter(entered, at: step)
        } catch {
            return Reaction(isRefusal: true)
        }
        let written = makeAnswer(at: step)
        let open = draft.firstOpenStep
        guard wasOpen else {
            // Somebody went back: the next answer is shown again, and nothing is sent without being looked at.
            push(draft.step(after: step.id) ?? open ?? Self.review)
            return save([written], step: open, submitting: false, now)
        }
        showNext(step: open ?? Self.review)
        return save([written], step: open, submitting: open == nil, now)
    }

    private func save(
        _ answers: [FlowChange.Answer], step: String?, submitting: Bool, _ now: Timestamp
    ) -> Reaction {
        var change = makeChange(answers, step: step, now)
        if submitting, var finish = makeFinish(at: now) {
            finish.secrets = draft.volatileSecrets
            change.outcome = .submitted(finish)
            replaceStack(with: [Self.submitted])
        }
        return Reaction(change: change)
    }

    private func giveUp(_ now: Timestamp) -> Reaction {
        guard flow.revision > 0 else { return Reaction { [weak self] in self?.cancel() } }
        var change = makeChange([], step: draft.firstOpenStep, now)
        change.outcome = .cancelled
        return Reaction(change: change) { [weak self] in self?.cancel() }
    }

    private func makeChange(_ answers: [FlowChange.Answer], step: String?, _ now: Timestamp) -> FlowChange {
        var flow = self.flow
        if flow.revision == 0 { flow.path = path }
        flow.expiresAt = now + draft.definition.lifetime
        return FlowChange(
            flow: flow, fingerprint: draft.definition.fingerprint, knownSteps: draft.definition.knownSteps,
            secretSteps: draft.definition.secretSteps,
            answers: answers, unsent: draft.unsent == flow.unsent ? nil : draft.unsent, step: step, at: now)
    }

    /// Takes over the flow as it was committed.
    public final override func committed(_ flow: SavedFlow) {
        guard flow.id == self.flow.id else { return }
        self.flow = flow
        self.flow.unsent = draft.unsent
        draft.forgetSealedSecrets()
    }

    // MARK: Links

    /// Leads back to a screen of the flow that was shown already: never beyond a question that has no answer.
    open override func destination(of link: ArraySlice<String>) -> Destination? {
        guard let screen = link.first, link.count == 1 else { return link.isEmpty ? Destination() : nil }
        guard flow.status == .open, stack.contains(where: { $0.name == screen }) else { return nil }
        return Destination { [weak self] in _ = self?.popTo(screen) }
    }

    // MARK: Screens

    open override func makeScreen(_ name: String) -> Screen? {
        switch name {
        case Self.review:
            screen(name, content: .review(reviewLines), actions: [.submit, .back, .cancel])
        case Self.submitted:
            screen(
                name, content: .message("Everything is saved and waits for the network."),
                actions: parentCanGoBack ? [.back] : [])
        default: draft.definition[step: name].flatMap(stepScreen)
        }
    }
}
