/// A JSON text whose string values stay in guarded memory: what is left has numbers of them in their place, and can be
/// read by any decoder, which would leave copies behind of whatever it reads.
package struct SecretJSON: ~Copyable {
    /// The same JSON, but for its string values: each is a string with its number.
    package private(set) var skeleton: [UInt8] = []
    /// All string values, one after the other, without their escapes.
    private var texts = SecretBytes()
    private var places: [Range<Int>] = []

    /// Takes a JSON text apart; nil where one of its strings is not JSON (RFC 8259, section 7), or it is not UTF-8.
    ///
    /// Everything else is left for the decoder to refuse. Names of members stay as they are.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.isUTF8 else { return nil }
        texts = SecretBytes(capacity: bytes.count)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                skeleton.append(bytes[position])
                position += 1
                continue
            }
            guard let end = Self.end(ofStringAt: position, in: bytes) else { return nil }
            let string = UnsafeBufferPointer(rebasing: bytes[(position + 1)..<end])
            let next = bytes[(end + 1)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if next == UInt8(ascii: ":") {
                skeleton += bytes[position...end]
            } else {
                let start = texts.count
                guard append(string) else { return nil }
                skeleton += "\"\(places.count)\"".utf8
                places.append(start..<texts.count)
            }
            position = end + 1
        }
    }

    /// The string value with that number, as the decoder has read it; nil for anything else.
    package func secret(_ number: String) -> Secret? {
        guard let number = Int(number), places.indices.contains(number) else { return nil }
        return texts.withBytes { Secret(utf8: $0[places[number]]) }
    }

    /// The same for a string that need not be a secret.
    package func text(_ number: String) -> String? {
        guard let number = Int(number), places.indices.contains(number) else { return nil }
        return texts.withBytes { String(decoding: $0[places[number]], as: UTF8.self) }
    }

    /// Where the closing quotation mark stands.
    private static func end(ofStringAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
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

    /// Adds what a string stands for; false where an escape is none.
    private mutating func append(_ string: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = string[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                texts.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { return false }
            if escaped == UInt8(ascii: "u") {
                guard let scalar = Self.codePoint(&rest) else { return false }
                texts.append(scalar)
            } else {
                guard let byte = Self.escapes[escaped] else { return false }
                texts.append(byte)
            }
        }
        return true
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
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
