import Foyer
import FoyerApp
import TestSupport
import Testing

@Suite struct ArticleFieldTests {
    private struct BareField: FormTextField {
        let apiKey = "bare"
        let placeholder = "Bare"
    }

    private struct WholeField: FormTextField {
        let apiKey = "whole"
        let placeholder = "Whole"
        let textColor = TextColor.red
        let validationRules: [any Rule] = []
        let keyboardType = KeyboardType.emailAddress
    }

    @Test("A8: the three stories, under names that can be stored")
    func stories() {
        #expect(AccountType.allCases.map(\.rawValue) == ["login", "setup", "forgotPassword"])
    }

    @Test("A9: a field says its key, placeholder, colour, rules and keyboard")
    func fiveProperties() {
        let field: any FormTextField = WholeField()
        #expect(field.apiKey == "whole" && field.placeholder == "Whole" && field.textColor == .red)
        #expect(field.validationRules.isEmpty && field.keyboardType == .emailAddress)
    }

    @Test("A10: a field that sets only key and placeholder is light grey, required, on the usual keyboard")
    func defaults() {
        let field: any FormTextField = BareField()
        #expect(field.textColor == .lightGray && field.keyboardType == .default)
        #expect(field.validationRules.map { $0.errorMessage() } == ["This field is required"])
        #expect(field.validationRules.allSatisfy { $0 is RequiredRule })
    }

    @Test(
        "A11: the articles' fields, byte for byte",
        arguments: [
            (AccountField.userName, "user_name", "User Name", "This field is required"),
            (
                AccountField.password, "password", "Password",
                "Passwords need to be a minimum of 9 characters long"
            ),
            (AccountField.email, "email_field", "Email Address", "Must be a valid email address"),
        ] as [(any FormTextField, String, String, String)])
    func texts(field: any FormTextField, key: String, placeholder: String, message: String) {
        #expect(field.apiKey == key && field.placeholder == placeholder)
        // One rule only: a field's own rules replace the default one.
        #expect(field.validationRules.map { $0.errorMessage() } == [message])
    }

    @Test("A12: nobody can alter an account's field, nor make one of its type")
    func unalterable() async throws {
        let use = "import FoyerApp\nprint(AccountField.email.apiKey)\n"
        #expect(try await compilerErrors(of: use) == "")
        let errors = try await compilerErrors(
            of: use + "var field = AccountField.email\nfield.apiKey = \"other\"\nprint(EmailField())\n")
        #expect(errors.contains("'apiKey' is a get-only property"))
        #expect(errors.contains("cannot find 'EmailField' in scope"))
    }

    @Test("A14: the fields of a form are an ordered list of any fields")
    func list() {
        let fields: FormFields = [AccountField.email, BareField()]
        #expect(fields.map(\.apiKey) == ["email_field", "bare"])
    }
}
