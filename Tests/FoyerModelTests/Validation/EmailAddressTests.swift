import FoyerModel
import Testing

@Suite("E-mail address")
struct EmailAddressTests {
    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }
    private static let max254 = ["max": "254"]

    private static func standard(_ text: String) throws(FieldMessage) -> String { try EmailAddress.normalized(text) }

    /// A valid address of exactly `count` octets: full labels, then one that fills up.
    private static func address(octets count: Int) -> String {
        let start = "\(a(62))@\(a(63)).\(a(63))."
        return start + a(count - start.utf8.count - 4) + ".org"
    }

    @Test(
        "Accepted, stored as typed but trimmed",
        arguments: [
            FieldRow.ok("ada@example.org"), .ok("a@b.co"), .ok("ada+tag@example.org"), .ok("o'brien@example.ie"),
            .ok("a%00@example.org"), .ok("ada@example.c"), .ok("ada@xn--mnchen-3ya.de"),
            .ok("  ada@example.org \n", as: "ada@example.org"),
            .ok("\u{3000}ada@example.org\r\n", as: "ada@example.org"),
            .ok("Ada.Lovelace@Example.ORG"),
            .ok(a(64) + "@example.org"), .ok("ada@\(a(63)).org"),
            .ok(address(octets: 253)), .ok(address(octets: 254)),
            .ok("*=?^`{|}~/!#$&_-@a-b.c-d.e"), .ok("ada@1a.2b"),
        ])
    func accepted(row: FieldRow) { row.check(Self.standard) }

    @Test(
        "Refused for its size or emptiness",
        arguments: [
            FieldRow.refused("", "field.required"), .refused("  \t\n", "field.required"),
            .refused(a(65) + "@example.org", "email.local_too_long", ["max": "64"]),
            .refused("ada@\(a(64)).org", "email.domain_label_too_long", ["max": "63"]),
            .refused(address(octets: 255), "email.too_long", max254),
            .refused(String(repeating: " ", count: 1_024) + "ada@example.org", "email.too_long", max254),
        ])
    func refusedForSize(row: FieldRow) { row.check(Self.standard) }

    @Test(
        "Refused for its shape",
        arguments: [
            FieldRow.refused("ada", "email.missing_at"), .refused("ada＠example.org", "email.missing_at"),
            .refused("a@b@example.org", "email.multiple_at"),
            .refused("@example.org", "email.local_empty"), .refused("ada@", "email.domain_empty"),
            .refused("@", "email.local_empty"),
            .refused("ada lovelace@example.org", "email.contains_space"),
            .refused("a'; DROP TABLE users;--@x.y", "email.contains_space"),
            .refused(#""ada l"@example.org"#, "email.contains_space"),
            .refused("ada\u{A0}l@example.org", "email.contains_space"),
            .refused(#""ada"@example.org"#, "email.quoted_local_unsupported"),
            .refused(".ada@example.org", "email.local_dot_edge"), .refused("ada.@example.org", "email.local_dot_edge"),
            .refused("a..b@example.org", "email.local_double_dot"),
            .refused("<ada@example.org>", "email.local_bad_character"),
            .refused("mailto:ada@example.org", "email.local_bad_character"),
            .refused("ada@localhost", "email.domain_needs_dot"), .refused("ada@example,org", "email.domain_needs_dot"),
            .refused("ada@example。org", "email.domain_needs_dot"),
            .refused("ada@[192.0.2.1]", "email.address_literal_unsupported"),
            .refused("ada@[IPv6:2001:db8::1]", "email.address_literal_unsupported"),
            .refused("ada@192.0.2.1", "email.tld_numeric"),
            .refused("ada@-example.org", "email.domain_hyphen_edge"),
            .refused("ada@example-.org", "email.domain_hyphen_edge"),
            .refused("ada@exa_mple.org", "email.domain_bad_character"),
            .refused("ada@example.org>", "email.domain_bad_character"),
            .refused("ada@example..org", "email.domain_empty_label"),
            .refused("ada@example.org.", "email.domain_empty_label"),
            .refused("ada@.", "email.domain_empty_label"),
        ])
    func refusedForShape(row: FieldRow) { row.check(Self.standard) }

    @Test(
        "Refused for its characters",
        arguments: [
            FieldRow.refused("mıke@example.org", "email.non_ascii_local"),
            .refused("ａｄａ@example.org", "email.non_ascii_local"),
            .refused("δοκιμή@example.org", "email.non_ascii_local"),
            .refused("\u{212A}ate@example.org", "email.non_ascii_local"),
            .refused("ada@münchen.de", "email.non_ascii_domain"),
            .refused("ada@example.\u{212A}e", "email.non_ascii_domain"),
            .refused("ada@example.org\0", "email.forbidden_character", ["kind": "control"]),
            .refused("ada@example.org\r\nBcc: x@y.z", "email.forbidden_character", ["kind": "control"]),
            .refused("ada\u{202E}@example.org", "email.forbidden_character", ["kind": "bidi"]),
            .refused("ada\u{200B}@example.org", "email.forbidden_character", ["kind": "invisible"]),
            .refused("ada@example.org\u{200B}", "email.forbidden_character", ["kind": "invisible"]),
        ])
    func refusedForCharacters(row: FieldRow) { row.check(Self.standard) }

    @Test(
        "With smtputf8, letters of all scripts pass before the @, and there alone",
        arguments: [
            FieldRow.ok("δοκιμή@example.org"), .ok("Ada+tag@example.org"), .ok("用户.名@example.org"),
            .ok("stra\u{DF}e@example.org"), .ok("γιώργος@example.org"),
            .ok(" Jose\u{301}@example.org ", as: "Jos\u{E9}@example.org"),
            .refused("mıke@example.org", "email.non_ascii_local"),
            .refused("ａｄａ@example.org", "email.non_ascii_local"), .refused("ﬁsh@example.org", "email.non_ascii_local"),
            .refused("\u{212A}ate@example.org", "email.non_ascii_local"),
            .refused("İzmir@example.org", "email.non_ascii_local"),
            .refused("a♥b@example.org", "email.non_ascii_local"),
            .refused("δοκιμή@παράδειγμα.org", "email.non_ascii_domain"),
            .refused("δ\u{202E}@example.org", "email.forbidden_character", ["kind": "bidi"]),
            .refused(String(repeating: "δ", count: 33) + "@example.org", "email.local_too_long", ["max": "64"]),
            .ok(String(repeating: "δ", count: 32) + "@example.org"),
        ])
    func smtputf8(row: FieldRow) {
        row.check { text throws(FieldMessage) in try EmailAddress.normalized(text, smtputf8: true) }
    }

    @Test("2 MB is refused at once", arguments: ["a", "é", " ", "@"])
    func sizeCapIsFirst(unit: String) {
        let input = String(repeating: unit, count: 2_000_000)
        expectFastRefusal(of: input, "email.too_long", Self.max254, Self.standard)
    }

    @Test(
        "The key lower-cases ASCII only",
        arguments: [
            FieldRow.ok("Ada.Lovelace@Example.ORG", as: "ada.lovelace@example.org"),
            .ok("  ada@example.org \n", as: "ada@example.org"),
            .ok("Ada+Tag@example.org", as: "ada+tag@example.org"),
        ])
    func key(row: FieldRow) {
        row.check { text throws(FieldMessage) in EmailAddress.key(try EmailAddress.normalized(text)) }
    }

    @Test(
        "The key leaves other scripts alone",
        arguments: [
            FieldRow.ok("MıKE@É.org", as: "mıke@É.org"), .ok("\u{212A}Z@[\\]^_`{", as: "\u{212A}z@[\\]^_`{"),
        ])
    func keyOfNonASCII(row: FieldRow) { row.check { text throws(FieldMessage) in EmailAddress.key(text) } }
}
