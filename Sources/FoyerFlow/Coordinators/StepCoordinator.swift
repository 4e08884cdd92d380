public import FoyerModel

/// A coordinator that asks the steps of a flow definition, one screen each, and saves every answer as it is given.
@FlowActor
open class StepCoordinator<Output: Sendable>: NavigationCoordinator<Output> {
    /// The name of the screen that shows all answers before they are sent.
    static var review: String { "review" }
    /// The name of the screen that is shown while the network decides.
    static var submitted: String { "submitted" }

    /// The answers so far.
    public private(set) var draft: FlowDraft
    /// The flow as the store has it; revision 0 before the first answer is saved.
    public private(set) var flow: SavedFlow
    private var revision: Int

    /// Makes a coordinator for a new flow.
    public init(slot: String, definition: FlowDefinition, environment: FoyerEnvironment) {
        let now = environment.now()
        draft = FlowDraft(definition)
        revision = 0
        flow = SavedFlow(
            id: environment.makeID(), kind: definition.kind, path: slot, status: .open,
            fingerprint: definition.fingerprint, step: nil, revision: 0, userID: nil,
            submissionID: environment.makeID(), createdAt: now, updatedAt: now, expiresAt: nil)
        super.init(slot: slot)
    }

    /// Makes a coordinator that goes on with a saved flow.
    public init(slot: String, resuming flow: SavedFlow, definition: FlowDefinition, at now: Timestamp) {
        draft = definition.reconcile(flow.answers, now: now).draft
        revision = flow.revision
        self.flow = flow
        super.init(slot: slot)
        showPosition()
    }

    /// The heading of the flow's screens.
    open var title: String { "" }

    /// The person and the submission that the answers make; nil where answers are missing.
    open func makeFinish(at now: Timestamp) -> FlowChange.Finish? { nil }

    /// The output of a flow that the network has accepted.
    open func makeOutput(user: User?) -> Output? { nil }

    /// Shows the screen of a step on top of the others.
    public final func showNext(step: String) {
        push(step)
    }

    public final override var flowID: UUIDv7? { flow.id }
    public final override var config: String { "{\"flow\":\"\(flow.id)\"}" }

    open override func start() {
        showPosition()
    }

    open override func memento() -> @FlowActor () -> Void {
        let inner = super.memento(), draft = self.draft, flow = self.flow, revision = self.revision
        return { [weak self] in
            inner()
            self?.draft = draft
            self?.flow = flow
            self?.revision = revision
        }
    }

    open override func update(from flow: SavedFlow, user: User?, at now: Timestamp) -> Reaction {
        guard flow.revision != self.flow.revision || flow.status != self.flow.status else { return .nothing }
        self.flow = flow
        revision += 1
        switch flow.status {
        case .open: draft = draft.definition.reconcile(flow.answers, now: now).draft
        case .submitted: break
        case .finished:
            showPosition()
            guard let output = makeOutput(user: user) else { break }
            return Reaction { [weak self] in self?.finish(output) }
        case .cancelled, .expired:
            // There is nothing left to ask, nor to wait for.
            replaceStack(with: [])
            return Reaction { [weak self] in self?.cancel() }
        }
        showPosition()
        return .nothing
    }

    /// Opens the screens up to the first question that has no answer, so that going back leads through the earlier ones.
    private func showPosition() {
        guard flow.status == .open else { return replaceStack(with: [Self.submitted]) }
        let steps = draft.definition.steps.map(\.id)
        if let open = draft.firstOpenStep, let position = steps.firstIndex(of: open) {
            replaceStack(with: Array(steps[...position]))
        } else {
            replaceStack(with: steps + [Self.review])
        }
    }

    // MARK: Inputs

    open override func handle(_ input: ScreenInput, at now: Timestamp) -> Reaction {
        guard flow.status == .open, let shown = stack.last else { return .nothing }
        revision += 1
        switch input.action {
        case .accept:
            guard let step = draft.definition[step: shown], let entered = input.values[step.id] else { return .nothing }
            return answer(entered, at: step, now)
        case .submit:
            guard shown == Self.review, draft.firstOpenStep == nil else { return .nothing }
            return save([], step: nil, submitting: true, now)
        case .back:
            pop()
            return .nothing
        case .cancel: return giveUp(now)
        }
    }

    private func answer(_ entered: Secret, at step: FlowStep, _ now: Timestamp) -> Reaction {
        let wasOpen = draft.answers[step.id] == nil
        do throws(FieldMessage) {
            try draft.enter(entered, at: step)
        } catch {
            return Reaction(isRefusal: true)
        }
        let content = step.keep == .volatile ? nil : draft.answers[step.id]
        let written = FlowChange.Answer(step: step.id, version: step.version, content: content)
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
        if submitting, let finish = makeFinish(at: now) {
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
        flow.expiresAt = now + draft.definition.lifetime
        return FlowChange(
            flow: flow, fingerprint: draft.definition.fingerprint, answers: answers, step: step, tree: root.nodes,
            at: now)
    }

    private var root: AnyCoordinator {
        var node: AnyCoordinator = self
        while let parent = node.parent { node = parent }
        return node
    }

    /// Takes over the flow as it was committed.
    public final override func committed(_ flow: SavedFlow) {
        guard flow.id == self.flow.id else { return }
        self.flow = flow
    }

    // MARK: Screens

    open override func makeScreen(_ name: String) -> Screen? {
        switch name {
        case Self.review:
            screen(name, content: .review(reviewLines), actions: [.submit, .back, .cancel])
        case Self.submitted:
            screen(name, content: .message("Everything is saved and waits for the network."), actions: [])
        default: draft.definition[step: name].map(stepScreen)
        }
    }

    private func stepScreen(_ step: FlowStep) -> Screen {
        let position = draft.definition.position(of: step.id) ?? 0
        let field = FieldView(
            key: step.id, label: step.field.placeholder, value: draft.text(of: step.id), isSecret: step.isSecret,
            keyboard: step.field.keyboardType, hint: step.hint, error: draft.errors[step.id])
        return screen(
            step.id, content: .form([field]), actions: position == 0 ? [.accept, .cancel] : [.accept, .back, .cancel],
            progress: Screen.Progress(step: position + 1, count: draft.definition.steps.count))
    }

    private func screen(
        _ name: String, content: Screen.Content, actions: [ScreenAction], progress: Screen.Progress? = nil
    ) -> Screen {
        Screen(
            id: "\(path)/\(name)", revision: revision, title: title, content: content, actions: actions,
            progress: progress)
    }

    private var reviewLines: [ReviewLine] {
        draft.definition.steps.map {
            ReviewLine(key: $0.id, label: $0.field.placeholder, value: draft.text(of: $0.id))
        }
    }
}
