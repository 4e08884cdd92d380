import FoyerModel

/// The screens of a flow, made of its draft.
extension StepCoordinator {
    func stepScreen(_ step: FlowStep) -> Screen? {
        let steps = draft.applicableSteps
        let position = steps.firstIndex { $0.id == step.id } ?? 0
        let field = FieldView(
            key: step.id, field: step.field, purpose: step.purpose, value: draft.text(of: step.id),
            isSecret: step.isSecret, hint: step.hint, error: draft.errors[step.id])
        return screen(
            step.id, content: .form([field]),
            actions: canGoBack(from: step.id) ? [.accept, .back, .cancel] : [.accept, .cancel],
            progress: Screen.Progress(step: position + 1, count: steps.count))
    }

    /// Whether the screen of a step, wherever it lies in the stack, has something behind it.
    func canGoBack(from step: String) -> Bool {
        stack.first?.name != step || parentCanGoBack
    }

    func screen(
        _ name: String, content: Screen.Content, actions: [ScreenAction], progress: Screen.Progress? = nil
    ) -> Screen {
        Screen(id: "\(path)/\(name)", title: title, content: content, actions: actions, progress: progress)
    }

    var reviewLines: [ReviewLine] {
        draft.applicableSteps.map {
            ReviewLine(key: $0.id, label: $0.field.label, value: draft.clearAnswers[$0.id])
        }
    }
}
