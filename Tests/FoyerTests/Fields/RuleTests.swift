import Foyer
import FoyerApp
import TestSupport
import Testing

@Suite struct RuleTests {
    @Test("A13: the rules speak the articles' sentences")
    func sentences() {
        #expect(RequiredRule().errorMessage() == "This field is required")
        #expect(MinLengthRule().errorMessage() == "Must be at least 3 characters long")
        #expect(MinLengthRule(length: 9).errorMessage() == "Must be at least 9 characters long")
        #expect(EmailRule().errorMessage() == "Must be a valid email address")
    }

    @Test("A rule speaks the sentence that it was given")
    func ownSentences() {
        #expect(RequiredRule(message: "needed").errorMessage() == "needed")
        #expect(EmailRule(message: "no address").errorMessage() == "no address")
        #expect(MinLengthRule(length: 4, message: "%ld or more, so %ld").errorMessage() == "4 or more, so 4")
        #expect(MinLengthRule(length: 4, message: "longer").errorMessage() == "longer")
    }

    @Test("A13: only the empty text is missing", arguments: [("", false), (" ", true), ("\n", true), ("a", true)])
    func required(text: String, isValid: Bool) {
        #expect(RequiredRule().validate(text) == isValid)
        #expect(RequiredRule().validate(Secret(text)) == isValid)
    }

    @Test(
        "A length is counted in characters as a person sees them",
        arguments: [
            ("", 3, false), ("ab", 3, false), ("abc", 3, true), ("   ", 3, true), ("a\u{301}bc", 3, true),
            ("👨‍👩‍👧‍👦ab", 3, true), ("👨‍👩‍👧‍👦", 3, false), ("12345678", 9, false), ("123456789", 9, true), ("", 0, true),
        ])
    func minLength(text: String, length: Int, isValid: Bool) {
        #expect(MinLengthRule(length: length).validate(text) == isValid)
        #expect(MinLengthRule(length: length).validate(Secret(text)) == isValid)
    }

    @Test(
        "An address reads like name@host.domain as a whole",
        arguments: [
            ("ada@example.org", true), ("a@b.co", true), ("A.b_c%d+e-f@X-1.y.Example", true), ("1@2.ab", true),
            (".@..ab", true), ("a@-.xy", true), ("a@b.c.de", true), ("", false), ("ada", false), ("ada@", false),
            ("@example.org", false), ("ada@example", false), ("ada@.org", false), ("ada@example.o", false),
            ("ada@example.o1", false), ("ada@example.org.", false), ("ada@exa_mple.org", false),
            ("a@b@example.org", false), ("ada@@example.org", false), (" ada@example.org", false),
            ("ada@example.org ", false), ("ada@example.org\n", false), ("a da@example.org", false),
            ("ädä@example.org", false), ("ada@exämple.org", false), ("ada@example.örg", false),
            ("ada\u{301}@example.org", false), ("ada@example.org\u{301}", false), ("a'b@example.org", false),
        ])
    func email(text: String, isValid: Bool) {
        #expect(EmailRule().validate(text) == isValid)
    }

    @Test("The address rule agrees with the articles' pattern on an address with any few signs changed")
    func emailPattern() throws {
        let pattern = try Regex("[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}")
        var random = SeededRandom(seed: 5)
        var matches = 0
        for _ in 0..<3_000 {
            var text = Array("aZ@1-b.xy")
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let start = Int.random(in: 0...text.count, using: &random)
                let end = min(text.count, start + Int.random(in: 0...1, using: &random))
                text.replaceSubrange(start..<end, with: "aZ1@.-_ é".shuffled(using: &random).prefix(1))
            }
            let isMatch = String(text).wholeMatch(of: pattern) != nil
            matches += isMatch ? 1 : 0
            #expect(EmailRule().validate(String(text)) == isMatch, "\(text)")
        }
        #expect((300...2_700).contains(matches), "both answers have to occur")
    }
}

@Suite struct AccountFieldTests {
    /// A field that says only what it must.
    private struct PlainField: FormTextField {
        let apiKey = "plain"
        let placeholder = "Plain"
    }

    @Test("A field that says only its key and its name is required, light grey, and has the usual keyboard")
    func defaults() {
        let field = PlainField()
        #expect(field.keyboardType == .default)
        #expect(field.textColor == .lightGray)
        #expect(field.validationRules.map { $0.errorMessage() } == ["This field is required"])
        #expect(field.validationRules.allSatisfy { $0 is RequiredRule })
    }

    @Test(
        "The fields have the articles' names, keys and sentences",
        arguments: [
            (AccountField.userName, "user_name", "User Name", ["This field is required"]),
            (AccountField.password, "password", "Password", ["Passwords need to be a minimum of 9 characters long"]),
            (AccountField.email, "email_field", "Email Address", ["Must be a valid email address"]),
            (AccountField.firstName, "first_name", "First Name", ["This field is required"]),
            (AccountField.lastName, "last_name", "Last Name", ["This field is required"]),
        ] as [(any FormTextField, String, String, [String])])
    func texts(field: any FormTextField, key: String, name: String, sentences: [String]) {
        #expect(field.apiKey == key)
        #expect(field.placeholder == name)
        #expect(field.validationRules.map { $0.errorMessage() } == sentences)
        #expect(field.textColor == .lightGray)
        #expect(field.keyboardType == (key == "email_field" ? .emailAddress : .default))
    }

    @Test("A password of eight characters is too short, one of nine is long enough")
    func passwordLength() {
        let rules = AccountField.password.validationRules
        #expect(rules.allSatisfy { !$0.validate("12345678") } && rules.allSatisfy { $0.validate("123456789") })
    }
}
