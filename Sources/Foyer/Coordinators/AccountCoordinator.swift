public import FoyerFlow
public import FoyerModel

/// Leads a person through the account's three stories: set up, sign in, ask for a new password.
///
/// One form at a time is at the bottom of its stack. What a form collects is validated there, checked by the steps'
/// own rules here, and becomes a flow whose coordinator asks what is still missing.
@FlowActor
public final class AccountCoordinator: NavigationCoordinator<Never>, TabCoordinator, NeedsDependency {
    private static let form = "form"
    private static let alert = "alert"
    private static let result = "result"
    /// Leads to the sign-in; its own screen has buttons to the other stories.
    private static let login = ScreenAction("login", title: "Sign in")

    public let tabItem = TabItem("account", title: "Account", image: "person", selectedImage: "person.fill")
    public var rootCoordinator: AccountCoordinator { self }
    public var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }
    /// Told of every person whom the network has accepted.
    public var didAuthenticate: ((User) -> Void)?

    private let startType: AccountType
    private var screen: AuthenticateUserScreen
    private var message = ""
    /// What the present input leads to; set by the screen's calls to its delegate.
    private var reaction: Reaction?
    private var now = Timestamp(milliseconds: 0)

    /// Makes the coordinator; `start` shows the form of that story.
    public init(start type: AccountType = .setup) {
        startType = type
        screen = createScreen(for: type)
        super.init(slot: "account")
    }

    /// Which story's form is shown.
    public var type: AccountType { screen.type }

    public override func start() {
        configure(for: startType)
    }

    /// Makes the form of a story, and shows it in place of all that is open.
    public func configure(for type: AccountType) {
        screen = createScreen(for: type)
        screen.delegate = self
        replaceStack(with: [Self.form])
    }

    /// Goes on with a saved flow, on top of its story's form.
    public func resume(_ flow: SavedFlow) {
        configure(for: flow.kind)
        push(makeChild(for: flow.kind, resuming: flow))
    }

    // MARK: Children

    private func makeChild(for type: AccountType, resuming flow: SavedFlow? = nil) -> any StepFlow {
        let environment = dependencies?.environment ?? .system
        switch type {
        case .setup:
            let child =
                flow.map { RegisterCoordinator(resuming: $0, environment: environment) }
                ?? RegisterCoordinator(environment: environment)
            child.didFinish = { [weak self] in self?.welcome($0) }
            return child
        case .login:
            let child =
                flow.map { LoginCoordinator(resuming: $0, environment: environment) }
                ?? LoginCoordinator(environment: environment)
            child.didFinish = { [weak self] in self?.welcome($0) }
            return child
        case .forgotPassword:
            let child =
                flow.map { ForgotPasswordCoordinator(resuming: $0, environment: environment) }
                ?? ForgotPasswordCoordinator(environment: environment)
            child.didFinish = { [weak self] in
                self?.show("If \($0) has an account, a mail with a new password is on its way.")
            }
            return child
        }
    }

    private func welcome(_ user: User) {
        show("Welcome, \(user.firstName ?? user.userName ?? "friend").")
        didAuthenticate?(user)
    }

    /// Shows what the network has decided, on top of the form.
    private func show(_ message: String) {
        self.message = message
        push(Self.result)
    }

    // MARK: Screens and inputs

    public override func makeScreen(_ name: String) -> Screen? {
        switch name {
        case Self.form:
            screen.makeScreen(
                id: "\(path)/\(screen.type.rawValue)", adding: screen.type == .login ? [] : [Self.login])
        case Self.alert: screen.alert?.makeScreen(id: "\(path)/\(screen.type.rawValue)/alert")
        case Self.result:
            Screen(
                id: "\(path)/result", title: screen.type.title, content: .message(message),
                actions: [ScreenAction("done", title: "Done")])
        default: nil
        }
    }

    public override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        if visibleScreen == Self.result, input.action == "done" {
            configure(for: .login)
            return .taken
        }
        if visibleScreen == Self.form, input.action == Self.login.id {
            updateResponder(to: .login)
            return .taken
        }
        guard visibleScreen == Self.form || visibleScreen == Self.alert else {
            return super.respond(to: input, at: now)
        }
        self.now = now
        reaction = nil
        guard screen.handle(input) else { return super.respond(to: input, at: now) }
        if screen.alert == nil { dismiss() } else { present(Self.alert) }
        return reaction ?? Reaction(isRefusal: screen.alert != nil)
    }

    public override func memento() -> @FlowActor () -> Void {
        let inner = super.memento(), screen = self.screen, message = self.message
        let restoreScreen = screen.memento()
        return { [weak self] in
            inner()
            restoreScreen()
            self?.screen = screen
            self?.message = message
        }
    }
}

extension AccountCoordinator: AuthenticateUserScreenDelegate {
    /// Begins a flow with what the form collected; what the steps' own rules refuse is shown on the form.
    public func userProvidedValidated(credentials: Credentials, type: AccountType) {
        let child = makeChild(for: type)
        addChild(child)
        switch child.enter(credentials, at: now) {
        case .success(let reaction):
            push(child)
            self.reaction = reaction
        case .failure(let refused):
            removeChild(child)
            screen.show(errors: refused.messages.map(\.text))
        }
    }

    /// Shows another story's form in place of this one.
    public func updateResponder(to type: AccountType) {
        configure(for: type)
    }
}

extension AccountType {
    /// What the story is called on the screen.
    var title: String {
        switch self {
        case .login: "Sign in"
        case .setup: "Registration"
        case .forgotPassword: "Forgotten password"
        }
    }
}
