import FoyerModel
import Testing

@testable import Foyer
@testable import FoyerApp
@testable import FoyerFlow

@Suite @FlowActor struct AuthenticateUserScreenTests {
    /// A coordinator as far as a screen sees it, which configures the screens as the article does.
    private final class Recorder: AuthenticateUserScreenDelegate {
        var heard: [String] = []
        private(set) var stack: [AuthenticateUserScreen] = []

        func configure(for type: AccountType) {
            let screen = createScreen(for: type)
            screen.delegate = self
            stack = [screen]
        }

        func userProvidedValidated(credentials: Credentials, type: AccountType) {
            heard.append("\(type): \(credentials.fields.map(\.key).joined(separator: " "))")
        }

        func updateResponder(to type: AccountType) {
            heard.append("to \(type)")
            configure(for: type)
        }
    }

    private static let values = [
        "email_field": Secret("ada@example.org"), "user_name": Secret("ada"), "password": Secret("correct horse"),
    ]

    private func input(_ action: String, _ values: [String: Secret] = values) -> ScreenInput {
        ScreenInput(screen: "", revision: 0, action: action, values: values)
    }

    private func messages(_ screen: AuthenticateUserScreen) -> String? { screen.alert?.message }

    @Test("A22: accept validates what was entered")
    func accept() {
        let screen = AuthenticateUserScreen(type: .setup), recorder = Recorder()
        screen.delegate = recorder
        #expect(screen.makeScreen(id: "s").actions.first?.id == ScreenAction.accept.id)
        #expect(screen.handle(input("accept")))
        #expect(recorder.heard == ["setup: email_field user_name password"])
        #expect(screen.alert == nil)
        #expect(!screen.handle(input("back")))
    }

    @Test("A23: the screen only owns a data source, and is its delegate", arguments: AccountType.allCases)
    func dataSource(type: AccountType) {
        let screen = AuthenticateUserScreen(type: type)
        #expect(screen.type == type && screen.datasource.delegate === screen)
        #expect(screen.makeScreen(id: "s").fields.map(\.key) == screen.datasource.fields.map(\.apiKey))
    }

    @Test("A24: after Rodger! the form is there again, with what was entered but for the password")
    func dismiss() {
        let screen = AuthenticateUserScreen(type: .setup), recorder = Recorder()
        screen.delegate = recorder
        screen.handle(input("accept", Self.values.merging(["password": Secret("short")]) { $1 }))
        #expect(
            messages(screen)
                == "Your account is not made yet.\nPasswords need to be a minimum of 9 characters long")
        #expect(!screen.handle(input("accept")))
        #expect(screen.handle(input("dismissAlert", [:])))
        #expect(screen.alert == nil && recorder.heard == [])
        #expect(screen.makeScreen(id: "s").fields.map(\.value) == ["ada@example.org", "ada", nil])
        #expect(screen.datasource.values["password"] == nil)
    }

    @Test("A24: messages from elsewhere are shown in the same way, and a failed write takes an input back")
    func elsewhere() {
        let screen = AuthenticateUserScreen(type: .login)
        let undo = CoordinatorState(of: screen).snapshot()
        screen.handle(input("accept"))
        screen.show(errors: ["issue processing request"])
        #expect(messages(screen) == "You are not signed in yet.\nissue processing request")
        undo()
        #expect(screen.alert == nil && screen.datasource.values.isEmpty && screen.datasource.outcome == nil)
    }

    @Test("A30: only sign-in has three buttons; the others build one, and none before it is shown")
    func lazyButtons() throws {
        let login = createScreen(for: .login)
        #expect(login.builtButtons == [])
        _ = login.makeScreen(id: "s")
        #expect(login.makeScreen(id: "s").actions.map(\.id) == ["accept", "signup", "forgotpass"])
        #expect(login.builtButtons == [.accept, .signup, .forgotpass])
        for type in [AccountType.setup, .forgotPassword] {
            let screen = createScreen(for: type)
            #expect(screen.makeScreen(id: "s").actions.map(\.id) == ["accept"])
            #expect(screen.builtButtons == [.accept])
        }
    }

    @Test("A31: the factory makes a large button of its type with the template's text", arguments: ButtonType.allCases)
    func factory(type: ButtonType) throws {
        let model = ButtonViewModel(type, title: "Title")
        #expect(model.size == .large && model.action == ScreenAction(type.rawValue, title: "Title"))
        #expect(LoginScreen().buttonFactory(with: type).title == (try LoginScreen.template.labels[type.rawValue]))
    }

    @Test(
        "A32: a button submits on its own screen, and leads there from the others",
        arguments: [
            (.signup, .setup, "setup: email_field user_name password"), (.signup, .login, "to setup"),
            (.signup, .forgotPassword, "to setup"),
            (.forgotpass, .forgotPassword, "forgotPassword: email_field"),
            (.forgotpass, .login, "to forgotPassword"), (.forgotpass, .setup, "to forgotPassword"),
        ] as [(ButtonType, AccountType, String)])
    func guards(button: ButtonType, type: AccountType, heard: String) {
        let screen = createScreen(for: type), recorder = Recorder()
        screen.delegate = recorder
        #expect(screen.handle(input(button.rawValue)))
        #expect(recorder.heard == [heard])
        #expect(screen.datasource.values["password"] == nil)
    }

    @Test("A33: sign-in has a screen of its own, the other stories share one")
    func ownScreen() {
        #expect(AccountType.allCases.map { createScreen(for: $0).type } == AccountType.allCases)
        #expect(
            AccountType.allCases.map { createScreen(for: $0) is LoginScreen } == [
                true, false, false,
            ])
    }

    @Test("A34: configuring makes the screen, becomes its delegate, and puts it in the other one's place")
    func configure() {
        let recorder = Recorder()
        recorder.configure(for: .login)
        recorder.stack.first?.handle(input("signup"))
        #expect(recorder.stack.map(\.type) == [.setup])
        recorder.stack.first?.handle(input("accept"))
        #expect(recorder.heard == ["to setup", "setup: email_field user_name password"])
    }

    @Test("B2: the account screens find their templates, also a subclass its own, and use them")
    func templates() throws {
        #expect(try LoginScreen.template.title == "Sign in")
        #expect(try LoginScreen.instantiateChecked().makeScreen(id: "s").title == "Sign in")
        #expect(try AuthenticateUserScreen.template.screens == ["AuthenticateUserScreen"])
        let titles = [AccountType.setup, .forgotPassword].map {
            AuthenticateUserScreen(type: $0).makeScreen(id: "s").title
        }
        #expect(titles == ["Create an account", "Forgotten password"])
        #expect(try StatusScreen.template.title == "Status")
    }
}
