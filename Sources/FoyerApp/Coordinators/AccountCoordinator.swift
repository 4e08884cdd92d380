public import Foyer

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
    private static let signIn = ScreenAction("login", title: "Sign in")
    private static let profile = "profile"

    public let tabItem = TabItem("account", title: "Account", image: "person", selectedImage: "person.fill")
    public var rootCoordinator: AccountCoordinator { self }
    public var dependencies: AppDependency? { didSet { updateChildCoordinatorDependencies() } }
    /// Told of every person whom the network has accepted.
    public var didAuthenticate: ((User) -> Void)?

    /// Whom the network has let in since this program was started; Foyer keeps no session.
    @Unsaved public private(set) var user: User? = nil

    /// Which story's form is shown, or will be at the start.
    @Saved private var story: AccountType
    @Unsaved private var screen: AuthenticateUserScreen
    @Unsaved private var message = ""
    /// What a person is told when a flow of theirs has expired.
    @Unsaved private var expiry: String? = nil
    /// What the present input leads to; set by the screen's calls to its delegate.
    private var reaction: Reaction?

    /// Makes the coordinator; `start` shows the form of that story.
    public init(start type: AccountType = .setup) {
        story = type
        screen = createScreen(for: type)
        super.init(slot: "account")
    }

    /// Which story's form is shown.
    public var type: AccountType { story }

    public override func start() {
        configure(for: story)
    }

    /// Makes the form of a story, and shows it in place of all that is open.
    public func configure(for type: AccountType) {
        story = type
        screen = createScreen(for: type)
        screen.delegate = self
        replaceStack(with: [Self.form])
    }

    /// Goes on with a saved flow, on top of its story's form.
    public func resume(_ flow: SavedFlow) {
        let type = AccountType(flow.kind)
        configure(for: type)
        let child = makeChild(for: type, FlowReference(flow: flow.id))
        push(child)
        _ = child.update(from: flow, user: nil, at: environment.now())
    }

    // MARK: Children

    private static let register = ChildSlot(
        "register",
        make: { (account: AccountCoordinator, flow: FlowReference) in
            RegisterCoordinator(
                id: flow.flow, definition: account.definition(for: .register), environment: account.environment)
        },
        then: { account, outcome in account.take(outcome, of: .setup, account.welcome) })

    private static let login = ChildSlot(
        "login",
        make: { (account: AccountCoordinator, flow: FlowReference) in
            LoginCoordinator(
                id: flow.flow, definition: account.definition(for: .login), environment: account.environment)
        },
        then: { account, outcome in account.take(outcome, of: .login, account.welcome) })

    private static let forgotPassword = ChildSlot(
        "reset",
        make: { (account: AccountCoordinator, flow: FlowReference) in
            ResetPasswordCoordinator(
                id: flow.flow, definition: account.definition(for: .reset), environment: account.environment)
        },
        then: { account, outcome in
            account.take(outcome, of: .forgotPassword) { email in
                account.show("If \(email) has an account, a mail with a new password is on its way.")
            }
        })

    public override var slots: [AnyChildSlot] {
        [AnyChildSlot(Self.register), AnyChildSlot(Self.login), AnyChildSlot(Self.forgotPassword)]
    }

    /// What the end of a flow means here; one that was given up leads back to the form, without a word.
    private func take<Output>(_ outcome: Outcome<Output>, of type: AccountType, _ finished: (Output) -> Void) {
        switch outcome {
        case .finished(let output): finished(output)
        case .cancelled(.expired):
            expiry = "\(type.title): it was left alone for too long, and has expired; please begin again."
        case .cancelled(.erased):
            expiry = "\(type.title): it was erased from this store; please begin again."
        case .cancelled: break
        }
    }

    public override var notes: [String] { expiry.map { [$0] } ?? [] }

    private func makeChild(for type: AccountType, _ flow: FlowReference) -> any StepFlow {
        switch type {
        case .setup: Self.register.child(of: self, flow)
        case .login: Self.login.child(of: self, flow)
        case .forgotPassword: Self.forgotPassword.child(of: self, flow)
        }
    }

    private var environment: FoyerEnvironment { dependencies?.environment ?? .system }

    private func definition(for kind: FlowKind) -> FlowDefinition {
        dependencies?.definitions[kind] ?? .standard(for: kind)
    }

    private func welcome(_ user: User) {
        self.user = user
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
                id: "\(path)/\(screen.type.rawValue)", adding: screen.type == .login ? [] : [Self.signIn])
        case Self.alert: screen.alert?.makeScreen(id: "\(path)/\(screen.type.rawValue)/alert")
        case Self.result:
            Screen(
                id: "\(path)/result", title: screen.type.title, content: .message(message),
                actions: [ScreenAction("done", title: "Done")])
        case Self.profile: user.map(profileScreen)
        default: nil
        }
    }

    private func profileScreen(of user: User) -> Screen {
        let name = [user.firstName, user.lastName].compactMap(\.self).joined(separator: " ")
        let lines = [name, user.userName ?? "", user.email ?? ""].filter { !$0.isEmpty }
        return Screen(
            id: "\(path)/profile", title: "Your account", content: .message(lines.joined(separator: "\n")),
            actions: [.back])
    }

    public override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        if visibleScreen == Self.result, input.action == "done" {
            configure(for: .login)
            return .taken
        }
        if visibleScreen == Self.form, input.action == Self.signIn.id {
            updateResponder(to: .login)
            return .taken
        }
        guard visibleScreen == Self.form || visibleScreen == Self.alert else {
            return super.respond(to: input, at: now)
        }
        // Not kept: it carries what was entered.
        defer { reaction = nil }
        guard screen.handle(input) else { return super.respond(to: input, at: now) }
        if screen.alert == nil { dismiss() } else { present(Self.alert) }
        return reaction ?? Reaction(isRefusal: screen.alert != nil)
    }

    // MARK: Links

    /// `register`, `login` and `reset` lead to the form, or to the flow where one is open; a step of it may
    /// follow. `profile` leads to the person who is signed in.
    public override func destination(of link: ArraySlice<String>) -> Destination? {
        guard let place = link.first else { return Destination() }
        if place == Self.profile {
            guard link.count == 1, user != nil else { return nil }
            return Destination { [weak self] in self?.showProfile() }
        }
        if let child = children.first(where: { $0.slot == place }) { return child.destination(of: link.dropFirst()) }
        guard link.count == 1, let kind = FlowKind(rawValue: place) else { return nil }
        return Destination { [weak self] in self?.configure(for: AccountType(kind)) }
    }

    private func showProfile() {
        guard visibleScreen != Self.profile else { return }
        dismiss()
        push(Self.profile)
    }
}

extension AccountCoordinator: AuthenticateUserScreenDelegate {
    /// Begins a flow with what the form collected; what the steps' own rules refuse is shown on the form.
    public func userProvidedValidated(credentials: Credentials, type: AccountType) {
        let child = makeChild(for: type, FlowReference(flow: environment.makeID()))
        addChild(child)
        switch child.enter(credentials, at: environment.now()) {
        case .taken(let reaction):
            push(child)
            self.reaction = reaction
        case .refused(let refused):
            removeChild(child)
            screen.show(errors: refused.map(\.message.text))
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
