/// What can be told of a JSON text from its bytes, before a decoder sees it (RFC 8259).
package enum JSONSyntax {
    /// Deeper than anything of ours, and far from what takes a reader time and stack.
    private static let deepest = 64

    /// Whether every reader makes the same of the text: it is UTF-8 (RFC 8259, section 8.1), no object has two members
    /// of one name, of which some take the first and others the last (section 4), and nothing is nested too deep for
    /// some. A byte order mark at its start is passed over, as the RFC allows.
    package static func isUnambiguous(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The quickest first. No JSON has a zero in UTF-8, and every one has zeros in UTF-16 and UTF-32, which
        // Foundation's decoder takes.
        hasOneMeaning(bytes) && !bytes.contains(0) && bytes.isUTF8
    }

    private static func hasOneMeaning(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var names: [Set<[UInt8]>] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard names.count < deepest else { return false }
                names.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = names.popLast()
            case UInt8(ascii: "\""):
                // What is no string is left for the decoder to refuse.
                guard let end = end(ofStringAt: position, in: bytes) else { return true }
                if !names.isEmpty, isName(endingAt: end, in: bytes) {
                    let name = unescaped(bytes[(position + 1)..<end])
                    guard names[names.count - 1].insert(name).inserted else { return false }
                }
                position = end
            default: break
            }
            position += 1
        }
        return true
    }

    /// Where the closing quotation mark stands.
    static func end(ofStringAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position
            case UInt8(ascii: "\\"): position += 2
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// Whether the string is the name of a member.
    static func isName(endingAt end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[(end + 1)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
    }

    private static func unescaped(_ string: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var rest = string, bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let scalar = escapedScalar(&rest) {
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// What stands behind a backslash; nil where it is no escape.
    static func escapedScalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        guard let escaped = rest.popFirst() else { return nil }
        return escaped == UInt8(ascii: "u") ? codePoint(&rest) : escapes[escaped]
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\",
        UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// The code point behind `\u`; the halves of one beyond U+FFFF stand in two such escapes, and never alone.
    private static func codePoint(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"), let second = unit(&rest),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
    }

    private static func unit(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = rest.popFirst().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
