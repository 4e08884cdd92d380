public import Foyer

/// Hears what a person does on an account screen.
@FlowActor
public protocol AuthenticateUserScreenDelegate: AnyObject {
    /// Everything was entered, and meets the rules of the form: the screen has served its purpose.
    func userProvidedValidated(credentials: Credentials, type: AccountType)
    /// The person wants to go on with another story.
    func updateResponder(to type: AccountType)
}

/// The screen of an account's story: almost ignorant of its data, which are its data source's.
@FlowActor
public class AuthenticateUserScreen: TemplateBased {
    public static var templates: TemplateCatalog { .foyer }

    /// Hears what a person does.
    public weak var delegate: (any AuthenticateUserScreenDelegate)?
    /// What has to be acknowledged before the form can be mended; nil when there is nothing.
    @Unsaved public private(set) var alert: AlertViewModel? = nil
    @Unsaved private(set) var datasource: FormViewModel
    /// The buttons that were built so far.
    private(set) var builtButtons: [ButtonType] = []
    private lazy var template = Self.templateOrNames
    private lazy var acceptButton = buttonFactory(with: .accept)

    /// Makes the screen of a story.
    public init(type: AccountType) {
        datasource = FormViewModel(type: type)
        datasource.delegate = self
    }

    /// Which story the screen belongs to.
    public final var type: AccountType { datasource.type }

    // MARK: What is seen

    /// The form, with what was entered before, but for secrets.
    ///
    /// - Parameters:
    ///   - id: the screen's place in the tree.
    ///   - more: what else can be done here, such as what the coordinator adds.
    public final func makeScreen(id: Screen.ID, adding more: [ScreenAction] = []) -> Screen {
        Screen(
            id: id, title: template.labels[type.rawValue] ?? template.title,
            content: .form((0..<datasource.numberOfRows).compactMap(datasource.row)),
            actions: template.arrange(buttons + more))
    }

    /// What can be done here; the first is what Enter does.
    var buttons: [ScreenAction] { [acceptButton] }

    /// Builds a button, with the template's text.
    final func buttonFactory(with type: ButtonType) -> ScreenAction {
        builtButtons.append(type)
        return ButtonViewModel(type, title: template.label(type.rawValue)).action
    }

    /// Shows messages from elsewhere, such as those of the step rules or of the network.
    public final func show(errors: [String]) {
        alert = AlertViewModel(for: type, errors: errors)
    }

    // MARK: What is done

    /// Does what the input says; secrets are forgotten afterwards, and have to be entered again.
    ///
    /// - Returns: whether the action is one of this screen's.
    @discardableResult
    public final func handle(_ input: ScreenInput) -> Bool {
        guard alert == nil else {
            guard input.action == AlertViewModel.dismiss.id else { return false }
            alert = nil
            return true
        }
        guard let button = ButtonType(rawValue: input.action) else { return false }
        datasource.take(input.values)
        defer { datasource.forgetSecrets() }
        switch button {
        case .accept: onAcceptButtonTap()
        case .signup: onSetupTap()
        case .forgotpass: onForgotPasswordTap()
        }
        return true
    }

    func onAcceptButtonTap() {
        datasource.validateForm()
    }

    /// Submits on the screen that makes accounts, and leads there from the others.
    func onSetupTap() {
        guard type != .setup else { return datasource.validateForm() }
        delegate?.updateResponder(to: .setup)
    }

    /// Submits on the screen that asks for a new password, and leads there from the others.
    func onForgotPasswordTap() {
        guard type != .forgotPassword else { return datasource.validateForm() }
        delegate?.updateResponder(to: .forgotPassword)
    }
}

extension AuthenticateUserScreen: FormViewModelDelegate {
    public func formWasValidated(_ successfully: ValidationCallback) {
        if let messages = successfully.1 { return show(errors: messages) }
        delegate?.userProvidedValidated(credentials: datasource.credentials, type: type)
    }
}

/// Makes the screen of a story: sign-in has one of its own.
@FlowActor
public func createScreen(for type: AccountType) -> AuthenticateUserScreen {
    guard type != .login else { return LoginScreen() }
    return AuthenticateUserScreen(type: type)
}
