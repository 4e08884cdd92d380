import FoyerModel
import Testing

@Suite struct FieldPurposeTests {
    /// One line of the table: how forms of the Web, of Apple's systems and of a terminal say what a field is for.
    struct Line: Sendable {
        let purpose: FieldPurpose
        let html: String
        let apple: String
        let isEchoed: Bool

        init(_ purpose: FieldPurpose, _ html: String, _ apple: String, echo: Bool = true) {
            self.purpose = purpose
            self.html = html
            self.apple = apple
            isEchoed = echo
        }
    }

    private static let table = [
        Line(.email, "email email none", "emailAddress emailAddress"),
        Line(.identifier, "username email none", "username emailAddress"),
        Line(.newPassword, "new-password text none", "newPassword default", echo: false),
        Line(.currentPassword, "current-password text none", "password default", echo: false),
        Line(.firstName, "given-name text words", "givenName default"),
        Line(.lastName, "family-name text words", "familyName default"),
        Line(.userName, "username text none", "username default"),
        Line(.oneTimeCode, "one-time-code numeric none", "oneTimeCode numberPad"),
    ]

    @Test("What a field is for is said in the words of each system", arguments: table)
    func words(line: Line) {
        let metadata = line.purpose.metadata
        #expect("\(metadata.autocomplete) \(metadata.inputMode) \(metadata.capitalization)" == line.html)
        #expect("\(metadata.textContentType) \(metadata.keyboardType)" == line.apple)
        #expect(metadata.isEchoed == line.isEchoed)
    }

    @Test("The table has a line for every purpose")
    func complete() {
        #expect(Self.table.map(\.purpose) == FieldPurpose.allCases)
    }

    @Test("Each step of the definitions that ship says what its field is for, and is echoed unless it is a secret")
    func steps() {
        let purposes = [FlowDefinition.register, .login, .reset].map { $0.steps.map(\.purpose) }
        #expect(
            purposes == [
                [.email, .userName, .newPassword, .firstName, .lastName], [.identifier, .currentPassword], [.email],
            ])
        for step in FlowKind.allCases.flatMap({ FlowDefinition.standard(for: $0).steps }) {
            #expect(step.purpose?.metadata.isEchoed == !step.isSecret)
        }
    }

    @Test("A password that is proposed is as long as it has to be")
    func rules() {
        #expect(PasswordPolicy.project9.passwordRules == "minlength: 9;")
        #expect(PasswordPolicy.nistSingleFactor15.passwordRules == "minlength: 15;")
    }
}
