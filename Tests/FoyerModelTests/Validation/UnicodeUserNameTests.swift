import FoyerModel
import Testing

@Suite("User name with letters of all scripts")
struct UnicodeUserNameTests {
    private static func unicode(_ text: String) throws(FieldMessage) -> String {
        try UserName.normalized(text, profile: .unicode)
    }

    @Test(
        "Accepted, shown as typed, with the key in lower case",
        arguments: [
            ("ada", "ada", "ada"), (" Ada ", "Ada", "ada"), ("a-b", "a-b", "a-b"), ("ADA_l", "ADA_l", "ada_l"),
            ("con", "con", "con"), ("Ада", "Ада", "ада"), ("日本語", "日本語", "日本語"), ("שלום", "שלום", "שלום"),
            ("Straße", "Straße", "straße"), ("STRASSE", "STRASSE", "strasse"), ("ＡＤＡ", "ＡＤＡ", "ada"),
            ("\u{212A}ate", "Kate", "kate"), ("Jose\u{301}", "Jos\u{E9}", "jos\u{E9}"),
            ("Γιώργος", "Γιώργος", "γιώργος"),
            ("नरेन्द्र", "नरेन्द्र", "नरेन्द्र"), ("カタカナとひらがな", "カタカナとひらがな", "カタカナとひらがな"),
            ("O'Brien", "O'Brien", "o'brien"), ("l·luna", "l·luna", "l·luna"), ("ада1815", "ада1815", "ада1815"),
        ])
    func accepted(input: String, shown: String, key: String) {
        FieldRow.ok(input, as: shown).check(Self.unicode)
        FieldRow.ok(input, as: key).check { text throws(FieldMessage) in UserName.key(try Self.unicode(text)) }
        // A name that changes when it is mapped again could take another's place.
        #expect(UserName.key(key).utf8.elementsEqual(key.utf8))
        FieldRow.ok(key).check(Self.unicode)
    }

    @Test(
        "Refused",
        arguments: [
            FieldRow.refused(" ", "field.required"),
            .refused("ad", "username.too_short", ["count": "2", "min": "3"]),
            .refused("a1", "username.too_short", ["count": "2", "min": "3"]),
            .ok(String(repeating: "a", count: 32)),
            .refused(String(repeating: "a", count: 33), "username.too_long", ["max": "32"]),
            .refused("-ada", "username.punctuation_edge"), .refused("ada-", "username.punctuation_edge"),
            .refused("ada..l", "username.punctuation_double"), .refused("ада·-л", "username.punctuation_double"),
            .refused("ada l", "username.not_a_letter"), .refused("bob'; --", "username.not_a_letter"),
            .refused("../etc/passwd", "username.not_a_letter"), .refused("%s%n", "username.not_a_letter"),
            .refused("ada\0", "username.not_a_letter"), .refused("ada@x.org", "username.looks_like_email"),
            .refused("ada＠x.org", "username.looks_like_email"), .refused("12345", "username.only_digits"),
            .refused("１２３４５", "username.only_digits"),
            .refused("admin", "username.reserved"), .refused("Root", "username.reserved"),
            .refused("null", "username.reserved"), .refused("ＡＤＭＩＮ", "username.reserved"),
            .refused("аdmin", "username.mixed_scripts"), .refused("שלום1", "username.mixed_scripts"),
            .refused("адаδ", "username.mixed_scripts"),
            .refused("ᴮᴵᴳᴮᴵᴿᴰ", "username.not_a_letter"), .refused("ﬁsh", "username.not_a_letter"),
            .refused("♥heart", "username.not_a_letter"), .refused("x\u{202E}y", "username.not_a_letter"),
            .refused("ada\u{200B}", "username.not_a_letter"), .refused("ｶﾀｶﾅ", "username.not_a_letter"),
            .refused("x\u{30D}yz", "username.not_a_letter"), .refused("ſoft", "username.not_a_letter"),
            .refused("ⅷadam", "username.not_a_letter"), .refused("ada²", "username.not_a_letter"),
        ])
    func refused(row: FieldRow) { row.check(Self.unicode) }

    @Test("No accepted letter of the first two planes maps to another name when it is mapped again")
    func keysAreStable() {
        let all = (UInt32(0)...0x1FFFF).lazy.compactMap(Unicode.Scalar.init)
        let unstable = all.filter { scalar in
            guard let name = try? Self.unicode("\(scalar)\(scalar)\(scalar)") else { return false }
            let key = UserName.key(name)
            return !UserName.key(key).utf8.elementsEqual(key.utf8) || (try? Self.unicode(key)) == nil
        }
        #expect(unstable.first == nil)
    }

    @Test("1 MB is refused at once")
    func sizeCapIsFirst() {
        let input = String(repeating: "é", count: 500_000)
        expectFastRefusal(of: input, "username.too_long", ["max": "32"], Self.unicode)
    }
}
