import FoyerModel
import Testing

@Suite("User name")
struct UserNameTests {
    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func ascii(_ text: String) throws(FieldMessage) -> String { try UserName.normalized(text) }

    @Test(
        "Accepted, shown as typed",
        arguments: [
            FieldRow.ok("ada"), .ok("Ada"), .ok(" ada ", as: "ada"), .ok("a-b"), .ok("con"), .ok("ADA_l"),
            .ok(a(32)), .ok("a.b_c-d"), .ok("1ada"),
        ])
    func accepted(row: FieldRow) { row.check(Self.ascii) }

    @Test(
        "The key is in lower case",
        arguments: [
            FieldRow.ok("Ada", as: "ada"), .ok("\u{A0}ada ", as: "ada"), .ok("ADA_l", as: "ada_l"),
            .ok("AZaz09", as: "azaz09"),
        ])
    func key(row: FieldRow) {
        row.check { text throws(FieldMessage) in UserName.key(try UserName.normalized(text)) }
    }

    @Test(
        "Refused",
        arguments: [
            FieldRow.refused("", "field.required"), .refused(" \n", "field.required"),
            .refused("ad", "username.too_short", ["count": "2", "min": "3"]),
            .refused("a1", "username.too_short", ["count": "2", "min": "3"]),
            .refused(a(33), "username.too_long", ["max": "32"]),
            .refused("-ada", "username.punctuation_edge"), .refused("ada-", "username.punctuation_edge"),
            .refused(".", "username.punctuation_edge"),
            .refused("ada..l", "username.punctuation_double"), .refused("ada._l", "username.punctuation_double"),
            .refused("ada l", "username.bad_character"), .refused("bob'; --", "username.bad_character"),
            .refused("../etc/passwd", "username.bad_character"), .refused("%s%n", "username.bad_character"),
            .refused("ada\0", "username.bad_character"), .refused("ada\u{1B}[2J", "username.bad_character"),
            .refused("ada@x.org", "username.looks_like_email"),
            .refused("12345", "username.only_digits"),
            .refused("admin", "username.reserved"), .refused("Root", "username.reserved"),
            .refused("null", "username.reserved"),
        ])
    func refused(row: FieldRow) { row.check(Self.ascii) }

    @Test(
        "An existing name meets no rule of new ones",
        arguments: [
            FieldRow.ok("admin"), .ok("12345"), .ok(" a ", as: "a"), .ok("Straße"), .ok("ada@example.org"), .ok(a(33)),
            .refused(" ", "field.required"),
            .refused("ada\0", "username.bad_character"), .refused("ada\u{1B}[2J", "username.bad_character"),
            .refused("x\u{202E}y", "username.bad_character"),
        ])
    func existing(row: FieldRow) { row.check(UserName.existing) }

    @Test(
        "Nothing but ASCII",
        arguments: [
            "аdmin", "\u{212A}ate", "ᴮᴵᴳᴮᴵᴿᴰ", "ﬁsh", "♥heart", "x\u{202E}y", "Ада", "日本語", "שלום", "Straße", "ＡＤＡ",
            "ada＠x.org", "ada\u{200B}",
        ])
    func nonASCII(input: String) {
        FieldRow.refused(input, "username.non_ascii").check(Self.ascii)
    }

    @Test("1 MB is refused at once")
    func sizeCapIsFirst() {
        let input = String(repeating: "é", count: 500_000)
        expectFastRefusal(of: input, "username.too_long", ["max": "32"], Self.ascii)
        expectFastRefusal(of: input, "username.too_long", ["max": "32"], UserName.existing)
    }
}
