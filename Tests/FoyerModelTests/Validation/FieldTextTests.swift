import Testing

@testable import FoyerModel

@Suite("Text preparation")
struct FieldTextTests {
    @Test(
        "NFC has the bytes that UAX #15 asks for",
        arguments: [
            FieldRow.ok("e\u{301}", as: "\u{E9}"), .ok("\u{212B}", as: "\u{C5}"), .ok("\u{2126}", as: "\u{3A9}"),
            .ok("\u{1E9B}\u{323}", as: "\u{1E9B}\u{323}"), .ok("q\u{307}\u{323}", as: "q\u{323}\u{307}"),
            .ok("\u{1100}\u{1161}\u{11A8}", as: "\u{AC01}"), .ok("\u{AC00}\u{11A8}", as: "\u{AC01}"),
            .ok("\u{958}", as: "\u{915}\u{93C}"), .ok("\u{1D15E}", as: "\u{1D157}\u{1D165}"),
            .ok("\u{F73}", as: "\u{F71}\u{F72}"), .ok("a\u{F73}\u{301}", as: "\u{E1}\u{F71}\u{F72}"),
            .ok("ﬁ"), .ok("ﾊﾟ"), .ok("\u{FB1D}", as: "\u{5D9}\u{5B4}"), .ok("plain"), .ok(""),
        ])
    func canonicalComposition(row: FieldRow) {
        row.check { text throws(FieldMessage) in text.canonicallyComposed }
    }

    @Test("NFC is idempotent for the code points of the first two planes")
    func compositionIsIdempotent() {
        let all = (UInt32(0)...0x1FFFF).lazy.compactMap(Unicode.Scalar.init)
        let unstable = all.filter { scalar in
            let once = "a\(scalar)\u{301}".canonicallyComposed
            return !once.canonicallyComposed.utf8.elementsEqual(once.utf8)
        }
        #expect(unstable.first == nil)
    }

    @Test(
        "Trimming takes white space and nothing else",
        arguments: [
            FieldRow.ok("\r\n\t\u{85}\u{A0}\u{2028}x y\u{3000}\u{205F}", as: "x y"), .ok("\u{200B}x\u{FEFF}"),
            .refused("\r\n", "field.required"),
        ])
    func trimming(row: FieldRow) { row.check(FieldText.trimmed) }

    @Test(
        "Kinds of forbidden code points",
        arguments: [
            (0x00, .control), (0x1B, .control), (0x7F, .control), (0x9F, .control),
            (0x61C, .bidi), (0x200E, .bidi), (0x202A, .bidi), (0x2066, .bidi), (0x2069, .bidi),
            (0xFDD0, .noncharacter), (0xFFFE, .noncharacter), (0x10FFFF, .noncharacter), (0xFFFD, .replacement),
            (0x2028, .lineSeparator), (0x2029, .lineSeparator), (0x378, .unassigned), (0xE0080, .unassigned),
            (0xE000, .privateUse), (0x100000, .privateUse),
            (0xAD, .invisible), (0x115F, .invisible), (0x200B, .invisible), (0xFEFF, .invisible), (0xE0041, .invisible),
            (0x20, nil), (0x7E, nil), (0xA0, nil), (0xE9, nil), (0x301, nil), (0x1F478, nil),
        ] as [(UInt32, ForbiddenScalar?)])
    func kinds(code: UInt32, kind: ForbiddenScalar?) throws {
        let scalar = try #require(Unicode.Scalar(code))
        #expect(ForbiddenScalar(scalar) == kind)
        #expect(ForbiddenScalar.first(in: "a\(scalar)b".unicodeScalars, allowing: [scalar]) == nil)
    }
}
