/// The steps of text preparation that the fields share.
enum FieldText {
    /// The text without white space at its ends; an empty rest is the message `field.required`.
    ///
    /// White space is the Unicode property `White_Space` of code points: a CR LF pair is one `Character`, and
    /// Foundation's character set also eats U+200B, which has to be reported instead.
    static func trimmed(_ text: String) throws(FieldMessage) -> String {
        let scalars = text.unicodeScalars
        guard
            let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw FieldMessage("field.required") }
        return String(scalars[first...last])
    }

    /// The text with every space separator (Zs) as U+0020, and runs of them as one if `collapsing`.
    static func unifyingSpaces(_ text: String, collapsing: Bool = false) -> String {
        var unified = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let scalar = scalar.asPlainSpace
            if collapsing && scalar == " " && unified.last == " " { continue }
            unified.append(scalar)
        }
        return String(unified)
    }

    /// The text with A–Z as a–z and everything else as it is.
    ///
    /// Unicode case mapping would let two addresses share one key: `"ı".uppercased() == "I"`.
    static func asciiLowercased(_ text: String) -> String {
        String(decoding: text.utf8.lazy.map { $0.isUpperCase ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// U+0020 for every space separator (Zs), else the code point itself.
    var asPlainSpace: Unicode.Scalar { properties.generalCategory == .spaceSeparator ? " " : self }
}

/// ASCII classes of UTF-8 bytes: a byte ≥ 0x80 belongs to none of them.
extension UInt8 {
    var isASCII: Bool { self < 0x80 }
    var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
