import Foyer
import FoyerApp
import Testing

@Suite struct ValidatorTests {
    private struct Field: FormTextField {
        let apiKey: String
        var placeholder: String { apiKey }
    }

    private final class Recorder: ValidationDelegate {
        var heard: [String] = []
        func validationSuccessful() { heard.append("successful") }
        func validationFailed(_ errors: [(field: any FormTextField, error: ValidationError)]) {
            heard.append(contentsOf: errors.map { "\($0.field.apiKey): \($0.error.errorMessage)" })
        }
    }

    @Test("A20: errors come in field order, the first failing rule of each (fault 5)")
    func order() {
        // With a dictionary in between, the chance that twenty fields keep their order is nil.
        let keys = (0..<20).map { "field\($0)" }.shuffled()
        var validator = Validator()
        for key in keys {
            validator.registerField(Field(apiKey: key), rules: [RequiredRule(), MinLengthRule(length: 3)])
        }
        let errors = validator.validate([keys[3]: Secret("ab"), keys[4]: Secret("abc")])
        #expect(errors.map(\.field.apiKey) == keys.filter { $0 != keys[4] })
        #expect(errors[0].errorMessage == "This field is required")
        #expect(errors[3].errorMessage == "Must be at least 3 characters long")
    }

    @Test("A20: the delegate hears once that all is well, or every field with its error")
    func delegate() {
        var validator = Validator()
        validator.registerField(Field(apiKey: "one"), rules: [RequiredRule()])
        validator.registerField(Field(apiKey: "two"), rules: [RequiredRule()])
        let recorder = Recorder()
        validator.validate(recorder, ["one": Secret("1"), "two": Secret("2")])
        validator.validate(recorder, [:])
        #expect(recorder.heard == ["successful", "one: This field is required", "two: This field is required"])
    }

    @Test("A18: a field is checked from its registration until it is unregistered; a second one replaces the rules")
    func registration() {
        let one = Field(apiKey: "one"), two = Field(apiKey: "two")
        var validator = Validator()
        #expect(validator.validate([:]).isEmpty)
        validator.registerField(one, rules: [RequiredRule()])
        validator.registerField(two, rules: [RequiredRule()])
        validator.registerField(one, rules: [RequiredRule(message: "Really")])
        #expect(validator.validate([:]).map(\.errorMessage) == ["Really", "This field is required"])
        validator.unregisterField(one)
        #expect(validator.validate([:]).map(\.field.apiKey) == ["two"])
    }
}
