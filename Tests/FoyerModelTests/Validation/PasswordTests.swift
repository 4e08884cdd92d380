import FoyerModel
import Testing

@Suite("Password")
struct PasswordTests {
    private static let ada = ["ada@example.org", "ada1815", "Ada", "Lovelace", "Foyer"]
    private static let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
    private static let tooShort8 = ["count": "8", "min": "9"]
    private static let max256 = ["max": "256"]

    /// `count` letters that neither repeat nor run.
    private static func letters(_ count: Int, from first: Int = 0x61) -> String {
        String(String.UnicodeScalarView((0..<count).compactMap { Unicode.Scalar(UInt32(first + $0 * $0 % 23)) }))
    }

    private static func preparedNew(
        _ text: String, policy: PasswordPolicy = .project9, personal: [String] = []
    ) throws(FieldMessage) -> String {
        String(revealing: try Password.preparedNew(Secret(text), policy: policy, personal: personal))
    }

    private static func existing(_ text: String) throws(FieldMessage) -> String {
        String(revealing: try Password.preparedExisting(Secret(text)))
    }

    private static func chosen(_ text: String) throws(FieldMessage) -> String {
        try preparedNew(text, personal: ada)
    }

    @Test(
        "A new password is accepted",
        arguments: [
            FieldRow.ok("correct horse"), .ok(" lead and trail "),
            .ok("pässwörd1"), .ok("pa\u{308}sswo\u{308}rd1", as: "p\u{E4}ssw\u{F6}rd1"),
            .ok("пароль123"), .ok("密码密码密码密码密"), .ok(family + "👍🏽"), .ok("❤\u{FE0F} and a 🐎"),
            .ok("ﬁshing rod"), .ok("fishing rod"),
            .ok("pass\u{A0}phrase", as: "pass phrase"), .ok("pass\u{3000}phrase", as: "pass phrase"),
            .ok("lovelace12345"), .ok("lovelaces"), .ok("lovelace5️⃣"), .ok("ada.lovelace"),
            .ok(letters(256)), .ok(letters(256, from: 0x1F400)),
            .ok(letters(256, from: 0xAC01).decomposedHangul, as: letters(256, from: 0xAC01)),
        ])
    func accepted(row: FieldRow) { row.check(Self.chosen) }

    @Test(
        "A new password is refused for its length",
        arguments: [
            FieldRow.refused("", "field.required"),
            .refused("12345678", "password.too_short", tooShort8),
            .refused("e" + String(repeating: "\u{301}", count: 8), "password.too_short", tooShort8),
            .refused("a" + String(repeating: "\u{301}", count: 8), "password.too_short", tooShort8),
            .refused(family + "👍", "password.too_short", tooShort8),
            .refused(letters(257), "password.too_long", max256), .refused(letters(258), "password.too_long", max256),
        ])
    func refusedForLength(row: FieldRow) { row.check(Self.chosen) }

    @Test(
        "A new password is refused as too common",
        arguments: [
            "123456789", "987654321", "1234567890", "0987654321", "abcdefghi", "абвгдежзи", "aaaaaaaaa", "         ",
            String(repeating: "🔑", count: 9), "abcabcabc", "AbcaBcabC", String(repeating: "x1", count: 128),
            String(repeating: family, count: 2),
            "password1", "Password1", "QwertyUIOP", "correct\u{A0}horse battery staple",
        ])
    func tooCommon(input: String) {
        FieldRow.refused(input, "password.too_common").check(Self.chosen)
    }

    @Test(
        "A new password is refused as one of the person's own words",
        arguments: [
            "Lovelace1815", "ecalevol1", "ada@example.org", "ADA@example.org1", "gro.elpmaxe@ada", "ada181512",
            "lovelace9", "5181ada99",
        ])
    func ownData(input: String) {
        FieldRow.refused(input, "password.matches_personal_data").check(Self.chosen)
    }

    @Test("The person's own words are compared whole and never empty", arguments: ["ada@example.org", "", "@"])
    func ownDataIsWhole(word: String) {
        FieldRow.ok("ada@example.org and more").check { text throws(FieldMessage) in
            try Self.preparedNew(text, personal: [word])
        }
        FieldRow.refused("1", "password.too_short", ["count": "1", "min": "2"]).check { text throws(FieldMessage) in
            try Self.preparedNew(text, policy: PasswordPolicy(minimum: 2), personal: [word])
        }
        FieldRow.ok("1815").check { text throws(FieldMessage) in
            try Self.preparedNew(text, policy: PasswordPolicy(minimum: 2), personal: [word])
        }
    }

    @Test("The local part of an address is a word of its own")
    func localPart() {
        FieldRow.refused("charlotte1815", "password.matches_personal_data").check { text throws(FieldMessage) in
            try Self.preparedNew(text, personal: ["Charlotte@example.org"])
        }
    }

    @Test(
        "A new password is refused for a character",
        arguments: [
            ("\t", "control"), ("\0", "control"), ("\u{202E}", "bidi"), ("\u{FFFD}", "replacement"),
            ("\u{378}", "unassigned"), ("\u{E000}", "private_use"), ("\u{200B}", "invisible"),
            ("\u{2028}", "line_separator"),
        ])
    func forbidden(character: String, kind: String) {
        FieldRow.refused("correct\(character)horse", "password.forbidden_character", ["kind": kind]).check(Self.chosen)
    }

    @Test(
        "An existing password meets no rule but size",
        arguments: [
            FieldRow.refused("", "field.required"), .ok("1"), .ok(" "), .ok("12345678"), .ok("password1"),
            .ok("a\u{200B}\t\u{378}"), .ok("pa\u{308}ss\u{A0}x", as: "p\u{E4}ss x"),
            .ok(letters(1_024)), .refused(letters(1_025), "password.too_long", max256),
        ])
    func existing(row: FieldRow) { row.check(Self.existing) }

    @Test("1 MB is refused at once", arguments: ["x", "\u{301}", "🔑"])
    func sizeCapIsFirst(unit: String) {
        let input = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        expectFastRefusal(of: input, "password.too_long", Self.max256, Self.chosen)
        expectFastRefusal(of: input, "password.too_long", Self.max256, Self.existing)
        expectFastRefusal(of: input, "password.confirmation_mismatch", [:]) { text throws(FieldMessage) in
            try Password.checkConfirmation(Secret(text), of: Secret("correct horse"))
            return text
        }
    }

    @Test(
        "The confirmation has to give the same bytes",
        arguments: [
            ("pässwörd1", "pa\u{308}sswo\u{308}rd1", true), ("pass phrase", "pass\u{A0}phrase", true),
            ("ﬁshing rod", "fishing rod", false), ("correct horse", "Correct horse", false),
            ("correct horse", "", false),
        ])
    func confirmation(first: String, second: String, agrees: Bool) throws {
        let prepared = try Password.preparedNew(Secret(first))
        let row = agrees ? FieldRow.ok(second) : .refused(second, "password.confirmation_mismatch")
        row.check { text throws(FieldMessage) in
            try Password.checkConfirmation(Secret(text), of: prepared)
            return text
        }
    }

    @Test(
        "Policies",
        arguments: [
            (PasswordPolicy.project9, 9, "At least 9 "), (.nistSingleFactor15, 15, "At least 15 "),
            (.mfa8, 8, "At least 8 "),
        ])
    func policies(policy: PasswordPolicy, minimum: Int, hint: String) {
        #expect(policy.minimum == minimum)
        #expect(policy.maximum == 256)
        #expect(policy.hint.hasPrefix(hint))
        let input = Self.letters(minimum - 1)
        FieldRow.refused(input, "password.too_short", ["count": "\(minimum - 1)", "min": "\(minimum)"])
            .check { text throws(FieldMessage) in try Self.preparedNew(text, policy: policy) }
        FieldRow.ok(Self.letters(minimum)).check { text throws(FieldMessage) in
            try Self.preparedNew(text, policy: policy)
        }
    }

    @Test(
        "No policy allows more than 1,024 bytes",
        arguments: [
            FieldRow.ok(letters(1_024)), .refused(letters(1_025), "password.too_long", ["max": "1024"]),
            .refused(letters(513, from: 0x430), "password.too_long", ["max": "1024"]),
        ])
    func byteLimit(row: FieldRow) {
        row.check { text throws(FieldMessage) in
            try Self.preparedNew(text, policy: PasswordPolicy(minimum: 9, maximum: 5_000))
        }
    }

    @Test(
        "A blocklist is compared without case and normal form",
        arguments: [
            "Mu\u{308}nchner Kindl", "MÜNCHNER KINDL", "münchner\u{A0}kindl",
        ])
    func blocklist(input: String) {
        let policy = PasswordPolicy(minimum: 9, blocklist: ["münchner\u{A0}kindl"])
        FieldRow.refused(input, "password.too_common").check { text throws(FieldMessage) in
            try Self.preparedNew(text, policy: policy)
        }
    }
}

extension String {
    /// Hangul syllables as their letters: the way some keyboards and file systems write them.
    fileprivate var decomposedHangul: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.flatMap { syllable in
                    let index = syllable.value - 0xAC00
                    let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
                    return letters.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init)
                }))
    }
}
