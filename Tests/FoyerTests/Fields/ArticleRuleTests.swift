import FoyerApp
import Testing

@Suite struct ArticleRuleTests {
    @Test(
        "A13: what meets a rule, and what does not",
        arguments: [
            (RequiredRule(), ["a", " "], [""]),
            (MinLengthRule(length: 3), ["abc", "äöü", "👩‍👩‍👧‍👦ab"], ["", "ab", "👩‍👩‍👧‍👦a"]),
            (
                EmailRule(), ["a@b.co", "A.b_%+-9@x-1.y.museum"],
                ["", "a", "@b.co", "a@b", "a@.co", "a@b.c", "a@b.c1", "a b@c.de", "a@b.co ", "a@b@c.de", "ä@b.co"]
            ),
        ] as [(any Rule, [String], [String])])
    func table(rule: any Rule, good: [String], bad: [String]) {
        #expect(good.filter { !rule.validate($0) } == [])
        #expect(bad.filter { rule.validate($0) } == [])
    }

    @Test("A13: the rules' own sentences")
    func sentences() {
        #expect(RequiredRule().errorMessage() == "This field is required")
        #expect(MinLengthRule(length: 7).errorMessage() == "Must be at least 7 characters long")
        #expect(EmailRule().errorMessage() == "Must be a valid email address")
        #expect(MinLengthRule(length: 9, message: "Short").errorMessage() == "Short")
    }
}
