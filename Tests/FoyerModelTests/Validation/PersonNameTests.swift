import FoyerModel
import Testing

@Suite("Person name")
struct PersonNameTests {
    private static func marks(_ count: Int) -> String { String(repeating: "\u{30D}", count: count) }
    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(
        "Accepted, stored as typed",
        arguments: [
            FieldRow.ok("Ada"), .ok("O"), .ok("Ng"), .ok("李"), .ok("محمد"), .ok("नरेन्द्र"), .ok("می\u{200C}خواهم"),
            .ok("D’Arcy"), .ok("O'Brien"), .ok("Müller-Lüdenscheidt"), .ok("X Æ A-12"), .ok("Ada 👸"),
            .ok("Robert'); DROP TABLE users;--"), .ok("<b>Ada</b>"), .ok("{{7*7}}x"),
            .ok("%n"), .ok("NULL"), .ok("0x41"), .ok("1e3"), .ok("true"), .ok(":email"), .ok("=cmd|'/C calc'!A0"),
            .ok("\u{FDFA}"), .ok("İſﬁ"), .ok("Ａｄａ"), .ok("שרה"), .ok(a(100)), .ok("Z" + marks(8)),
        ])
    func accepted(row: FieldRow) { row.check(PersonName.normalized) }

    @Test(
        "Accepted, tidied",
        arguments: [
            FieldRow.ok("  Ada   Lovelace ", as: "Ada Lovelace"),
            .ok("Ada\u{A0}\u{3000}Lovelace\n", as: "Ada Lovelace"),
            .ok("Jos\u{E9}", as: "Jos\u{E9}"), .ok("Jose\u{301}", as: "Jos\u{E9}"),
            .ok("\u{1112}\u{1161}\u{11AB}", as: "\u{D55C}"), .ok("\u{1E0B}\u{323}", as: "\u{1E0D}\u{307}"),
        ])
    func tidied(row: FieldRow) { row.check(PersonName.normalized) }

    @Test(
        "Refused",
        arguments: [
            FieldRow.refused("", "field.required"), .refused(" \u{3000}\n", "field.required"),
            .refused("123", "name.no_letter"), .refused("-", "name.no_letter"), .refused("👸", "name.no_letter"),
            .refused("\u{301}", "name.no_letter"), .refused("🇩🇪🇫🇷", "name.no_letter"), .refused("%", "name.no_letter"),
            .refused("?1", "name.no_letter"), .refused("*_", "name.no_letter"),
            .refused("a" + marks(5_000), "name.too_long", ["max": "100"]),
            .refused("\u{200D}", "name.no_letter"),
            .refused("Ada\nLovelace", "name.forbidden_character", ["kind": "control"]),
            .refused("Ada\tLovelace", "name.forbidden_character", ["kind": "control"]),
            .refused("Ada\u{1B}[2J", "name.forbidden_character", ["kind": "control"]),
            .refused("Ada\0", "name.forbidden_character", ["kind": "control"]),
            .refused("Ada\u{202E}", "name.forbidden_character", ["kind": "bidi"]),
            .refused("\u{3164}", "name.forbidden_character", ["kind": "invisible"]),
            .refused("A\u{200B}da", "name.forbidden_character", ["kind": "invisible"]),
            .refused("Z" + marks(30), "name.too_many_marks", ["max": "8"]),
            .refused("Z" + marks(9), "name.too_many_marks", ["max": "8"]),
            .refused(a(101), "name.too_long", ["max": "100"]),
        ])
    func refused(row: FieldRow) { row.check(PersonName.normalized) }

    @Test("1 MB is refused at once", arguments: ["a", "\u{30D}", " "])
    func sizeCapIsFirst(unit: String) {
        let input = String(repeating: unit, count: 1_000_000)
        expectFastRefusal(of: input, "name.too_long", ["max": "100"], PersonName.normalized)
    }
}
