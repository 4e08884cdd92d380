import FoyerModel
import FoyerApp
import Testing

@testable import FoyerFlow

@FlowActor
@Suite struct MechanismTests {
    // MARK: View models and protocols

    @Test("A1: a view model goes in and a screen comes out, the same one every time")
    func viewModel() throws {
        let model = TextInputViewModel(title: "Sign in", key: "name", field: AccountField.userName, text: "ada")
        func screen() -> Screen? { TextInputScreen.create(viewModel: model).makeScreen(id: "a", actions: [.accept]) }
        let shown = try #require(screen())
        #expect(shown == screen() && shown.title == "Sign in" && shown.actions == [.accept])
        #expect(shown.fields.map(\.label) == ["User Name"] && shown.fields.map(\.value) == ["ada"])
    }

    @Test("A2: a conformance is enough, because the protocols bring their defaults along")
    func protocols() {
        struct Field: FormTextField {
            let apiKey = "nick"
            let placeholder = "Nick"
        }
        final class Only: ScreenBased, ViewModelBased { var viewModel: Int? }
        #expect(Field().keyboardType == .default && Field().validationRules.count == 1)
        #expect(Only.instantiate(with: 1).viewModel == 1)
    }

    // MARK: Dependencies

    private struct Services: Sendable { var networking: String }

    private final class Needy: NavigationCoordinator<User>, NeedsDependency {
        var dependencies: Services? { didSet { updateChildCoordinatorDependencies() } }
    }

    /// Needs something else than `Services`.
    private final class Other: AnyCoordinator, NeedsDependency {
        var dependencies: Int? { didSet { updateChildCoordinatorDependencies() } }
    }

    @Test("A6: services are handed down the whole tree, past whoever needs none or others, and to later children")
    func propagation() {
        let root = Needy(slot: "root"), plain = AnyCoordinator(slot: "plain"), other = Other(slot: "other")
        let deepest = Needy(slot: "deepest"), later = Needy(slot: "later")
        root.push(plain)
        plain.addChild(other)
        other.addChild(deepest)
        #expect(deepest.dependencies == nil)
        root.dependencies = Services(networking: "one")
        #expect(deepest.dependencies?.networking == "one" && other.dependencies == nil)
        root.dependencies?.networking = "two"
        #expect(deepest.dependencies?.networking == "two")
        plain.addChild(later)
        #expect(later.dependencies?.networking == "two")
        root.removeChild(plain)
        root.dependencies?.networking = "three"
        #expect(deepest.dependencies?.networking == "two", "who has left hears nothing more")
    }

    // MARK: Flows

    @Test("A39: a whole story is told and checked without a screen, a network or a file")
    func testable() async throws {
        try await Story.tell { story in
            try await story.answer("ada", "pw", "London")
            #expect(await story.store.commits.flatMap(\.answers).map(\.step) == SampleCoordinator.steps)
        }
    }

    @Test("C4: a flow that is started shows its first step, and nothing is written yet")
    func start() async throws {
        try await Story.tell { story in
            #expect(story.stack == ["name"])
            #expect(await story.commits == 0)
        }
    }

    @Test("C7: the draft grows with every screen, each answer is saved as it is given, and the end is a person")
    func draft() async throws {
        try await Story.tell { story in
            let flow = try #require(story.host.root as? SampleCoordinator)
            for (count, text) in ["ada", "pw", "London"].enumerated() {
                #expect(flow.draft.answers.count == count && flow.makeFinish(at: flow.flow.createdAt) != nil)
                try await story.answer(text)
                #expect(try await story.flow().answers.count == count + 1)
            }
            #expect(await story.store.commits.last?.finish?.user?.userName == "ada")
        }
    }

    @Test("C17: the coordinator decides what comes next: the first open step, or the end")
    func decision() async throws {
        var draft = FlowDraft(try .sample)
        for step in draft.definition.steps {
            #expect(draft.firstOpenStep == step.id)
            try draft.enter(Secret("the \(step.id)"), at: step)
        }
        #expect(draft.firstOpenStep == nil && draft.step(after: "name") == "code" && draft.step(after: "town") == nil)
        try await Story.tell { story in
            try await story.answer("ada", "pw")
            #expect(story.stack.last == "town")
            try await story.answer("London")
            #expect(story.stack == ["submitted"])
        }
    }
}
