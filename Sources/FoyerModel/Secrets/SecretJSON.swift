/// A JSON text whose string values stay in guarded memory: what is left has numbers of them in their place, and can be
/// read by any decoder, which would leave copies behind of whatever it reads.
package struct SecretJSON: ~Copyable {
    /// The same JSON, but for its string values: each is a string with its number.
    package private(set) var skeleton: [UInt8] = []
    /// All string values, one after the other, without their escapes.
    private var texts = SecretBytes()
    private var places: [Range<Int>] = []

    /// Takes a JSON text apart; nil where one of its strings is not JSON (RFC 8259, section 7), or not every reader
    /// would make the same of it.
    ///
    /// Everything else is left for the decoder to refuse. Names of members stay as they are.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard JSONSyntax.isUnambiguous(bytes) else { return nil }
        texts = SecretBytes(capacity: bytes.count)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                skeleton.append(bytes[position])
                position += 1
                continue
            }
            guard let end = JSONSyntax.end(ofStringAt: position, in: bytes) else { return nil }
            let string = UnsafeBufferPointer(rebasing: bytes[(position + 1)..<end])
            if JSONSyntax.isName(endingAt: end, in: bytes) {
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

    /// Adds what a string stands for; false where an escape is none.
    private mutating func append(_ string: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = string[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                texts.append(byte)
                continue
            }
            guard let scalar = JSONSyntax.escapedScalar(&rest) else { return false }
            texts.append(scalar)
        }
        return true
    }
}
