import FoyerFlow
import FoyerApp
import FoyerModel
import Testing

@Suite @FlowActor struct TextInputScreenTests {
    private let model = TextInputViewModel(title: "Registration", key: "email", field: AccountField.email, text: "a@b")

    /// The texts that a screen for `model` gave, after each of these inputs.
    private func texts(_ inputs: [(ScreenAction, [String: Secret])]) -> [String] {
        let screen = TextInputScreen.create(viewModel: model)
        var texts: [String] = []
        screen.didEnterText = { texts.append(String(revealing: $0)) }
        for (action, values) in inputs {
            screen.handle(ScreenInput(screen: "email", revision: 1, action: action.id, values: values))
        }
        return texts
    }

    @Test("C13: a view model goes in, the text comes out")
    func inAndOut() {
        #expect(texts([(.accept, ["email": Secret("ada@example.org")])]) == ["ada@example.org"])
        #expect(texts([(.back, ["email": Secret("x")]), (.accept, ["other": Secret("x")])]) == [])
    }

    @Test("C14: create(viewModel:) gives a TextInputScreen with its template's titles and order")
    func create() throws {
        let screen = TextInputScreen.create(viewModel: model)
        #expect(type(of: screen) == TextInputScreen.self)
        let shown = try #require(screen.makeScreen(id: "register/email", actions: [.cancel, .back, .accept]))
        #expect(shown.actions == [.accept, .back, .cancel])
        #expect(TextInputScreen().makeScreen(id: "register/email", actions: []) == nil)
    }

    @Test("C15: the view model holds title, placeholder, keyboard, secrecy, rules and text of one step")
    func viewModel() throws {
        #expect(model.title == "Registration" && model.placeholder == "Email Address" && model.text == "a@b")
        #expect(model.keyboard == .emailAddress && !model.isSecret)
        #expect(model.rules.map { $0.errorMessage() } == ["Must be a valid email address"])
        let secret = TextInputViewModel(
            title: "", key: "password", field: AccountField.password, isSecret: true, text: "correct horse")
        #expect(secret.text == nil)

        var draft = FlowDraft(.register)
        let step = try #require(draft.definition[step: "userName"])
        #expect(throws: FieldMessage.self) { try draft.enter(Secret("a b"), at: step) }
        let ofStep = TextInputViewModel(title: "Registration", step: step, draft: draft)
        #expect(ofStep.key == "userName" && ofStep.text == "a b" && ofStep.hint == step.hint)
        #expect(ofStep.error?.id == "username.bad_character")
    }

    @Test("C16: the same screen serves every step of every flow, and knows none", arguments: FlowKind.allCases)
    func reused(kind: FlowKind) {
        let definition = FlowDefinition.standard(for: kind)
        for step in definition.steps {
            let screen = TextInputScreen.create(
                viewModel: TextInputViewModel(title: "", step: step, draft: FlowDraft(definition)))
            let shown = screen.makeScreen(id: step.id, actions: [.accept])
            #expect(shown?.fields.map(\.key) == [step.id])
            #expect(shown?.fields.map(\.isSecret) == [step.isSecret])
        }
    }
}

extension TextInputViewModel {
    /// A step's view model, as a coordinator makes it.
    fileprivate init(title: String, step: FlowStep, draft: FlowDraft) {
        self.init(
            title: title, key: step.id, field: step.field, purpose: step.purpose, isSecret: step.isSecret,
            hint: step.hint, text: draft.text(of: step.id), error: draft.errors[step.id])
    }
}
