import FoyerFlow
import FoyerModel
import Testing

@testable import Foyer
@testable import FoyerApp

@Suite @FlowActor struct FormViewModelTests {
    private final class Recorder: FormViewModelDelegate {
        var heard: [ValidationCallback] = []
        func formWasValidated(_ successfully: ValidationCallback) { heard.append(successfully) }
    }

    private static let setup = [
        "email_field": Secret("ada@example.org"), "user_name": Secret("ada"), "password": Secret("correct horse"),
    ]

    @Test(
        "A15: the fields of each story",
        arguments: [
            (.login, ["user_name", "password"]), (.setup, ["email_field", "user_name", "password"]),
            (.forgotPassword, ["email_field"]),
        ] as [(AccountType, [String])])
    func fields(type: AccountType, keys: [String]) {
        #expect(FormViewModel(type: type).fields.map(\.apiKey) == keys)
    }

    @Test("A16: one data source gives the rows of all three stories", arguments: AccountType.allCases)
    func dataSource(type: AccountType) {
        let source: any FormDataSource = FormViewModel(type: type)
        let rows = (0..<source.numberOfRows).compactMap(source.row)
        #expect(rows.map(\.label) == FormViewModel(type: type).fields.map(\.placeholder))
        #expect(source.row(at: source.numberOfRows) == nil && source.row(at: -1) == nil)
    }

    @Test("A18: a field that was never shown is checked all the same")
    func registeredUpFront() {
        let form = FormViewModel(type: .setup), recorder = Recorder()
        form.delegate = recorder
        form.validateForm()
        #expect(recorder.heard.first?.1?.count == 3)
    }

    @Test("A19: validateForm checks every field of the last input (fault 3: not what is visible)")
    func validateForm() {
        let form = FormViewModel(type: .setup), recorder = Recorder()
        form.delegate = recorder
        // No row was ever asked for, as if all of them were scrolled away: the submit must not vanish.
        form.take(Self.setup)
        form.validateForm()
        #expect(recorder.heard.map(\.0) == [true])
        #expect(form.credentials.fields.map(\.key) == ["email_field", "user_name", "password"])
        form.take(["user_name": Secret("ada"), "unknown": Secret("x")])
        form.validateForm()
        #expect(recorder.heard.map(\.0) == [true, false])
        #expect(form.credentials.fields.map(\.key) == ["user_name"])
    }

    @Test("A21: the callback is (true, nil) or (false, messages), and the outcome names the fields")
    func callback() {
        let form = FormViewModel(type: .login), recorder = Recorder()
        form.delegate = recorder
        #expect(form.outcome == nil)
        form.take(["password": Secret("short")])
        form.validateForm()
        #expect(recorder.heard.last?.0 == false)
        #expect(
            recorder.heard.last?.1 == [
                "This field is required", "Passwords need to be a minimum of 9 characters long",
            ])
        #expect(refusedKeys(of: form) == ["user_name", "password"])
        form.take(Self.setup)
        form.validateForm()
        #expect(recorder.heard.last?.0 == true && recorder.heard.last?.1 == nil)
        #expect(refusedKeys(of: form) == [])
    }

    /// Whose texts the last validation refused; nil before the first.
    private func refusedKeys(of form: FormViewModel) -> [String]? {
        switch form.outcome {
        case .valid: []
        case .invalid(let errors): errors.map(\.field.apiKey)
        case nil: nil
        }
    }

    @Test("Fault 2: a screen that owns its form and is the form's delegate is let go of")
    func noCycle() {
        var screen: AuthenticateUserScreen? = createScreen(for: .login)
        weak let form = screen?.datasource
        weak let last = screen
        #expect(form?.delegate === screen)
        screen = nil
        #expect(last == nil && form == nil)
    }

    @Test("Fault 6: no password is printed, shown again, or kept after its input")
    func passwordsStayHidden() {
        let form = FormViewModel(type: .setup)
        form.take(Self.setup)
        var printed = "\(form.credentials)"
        dump(form.credentials, to: &printed)
        dump(form, to: &printed)
        #expect(printed.contains("ada@example.org") && !printed.contains("correct horse"))
        #expect((0..<3).map { form.row(at: $0)?.value } == ["ada@example.org", "ada", nil])
        form.forgetSecrets()
        #expect(form.values.keys.sorted() == ["email_field", "user_name"])
    }
}
