import FoyerFlow
import FoyerModel

/// Shows a page for every name; each has both buttons, and nothing but going back does anything.
@FlowActor
final class Book: NavigationCoordinator<User> {
    override func start() {
        push("home")
    }

    override func makeScreen(_ name: String) -> Screen? {
        Screen(id: "\(path)/\(name)", title: name, content: .message(name), actions: [.accept, .back])
    }

    /// The names of what is open, the visible one last.
    var names: [String] { stack.map { $0.name } }
}

extension FlowHost {
    /// A host for a tree that is started, over `store`.
    convenience init(_ root: AnyCoordinator, _ store: MemoryStore = MemoryStore()) {
        self.init(root: root, flows: store, users: store, environment: Story.environment)
    }

    /// Does what the visible screen offers under that name, with the same text in all its fields.
    @discardableResult
    func press(_ action: ScreenAction.ID, _ text: String = "x") async throws -> Result {
        guard let screen else { return .stale }
        return try await send(
            ScreenInput(
                screen: screen.id, revision: screen.revision, action: action,
                values: Dictionary(uniqueKeysWithValues: screen.fields.map { ($0.key, Secret(text)) })))
    }
}

extension SampleCoordinator {
    /// A new flow that is started.
    static func make(slot: String = "sample") throws -> SampleCoordinator {
        let coordinator = SampleCoordinator(slot: slot, definition: try .sample, environment: Story.environment)
        coordinator.start()
        return coordinator
    }
}
