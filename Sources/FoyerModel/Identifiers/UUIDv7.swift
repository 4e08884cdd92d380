/// A time-ordered identifier (RFC 9562, version 7), kept as its lower-case text of 36 characters.
///
/// It shows when it was made and is no secret. Texts sort in the order of making.
public struct UUIDv7: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `0192f0c1-…`: 36 characters, lower case.
    public let text: String

    /// Takes a text that is already an identifier, such as one read from the store; nil when it has another form.
    public init?(_ text: String) {
        var text = text
        guard text.withUTF8(Self.isIdentifier) else { return nil }
        self.text = text
    }

    /// Takes the same from the bytes of a text.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard Self.isIdentifier(text) else { return nil }
        self.text = String(decoding: text, as: UTF8.self)
    }

    // One is read or made for nearly every row: nothing is allocated on the way but the text itself.

    private static func isIdentifier(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for position in 0..<36 {
            switch bytes[position] {
            case UInt8(ascii: "-"): guard isDash(position) else { return false }
            case 48...57, 97...102: guard !isDash(position) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isDash(_ position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }

    fileprivate init(milliseconds: UInt64, counter: UInt16, random: UInt64) {
        let high = milliseconds << 16 | 0x7000 | UInt64(counter & 0x0FFF)
        let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        text = String(unsafeUninitializedCapacity: 36) { bytes in
            var rest = (high, low)
            for position in 0..<36 {
                if Self.isDash(position) {
                    bytes[position] = UInt8(ascii: "-")
                } else {
                    let digit = UInt8(truncatingIfNeeded: rest.0 >> 60)
                    bytes[position] = digit < 10 ? digit + 48 : digit + 87
                    rest = (rest.0 << 4 | rest.1 >> 60, rest.1 << 4)
                }
            }
            return 36
        }
    }

    public var description: String { text }

    public static func < (a: UUIDv7, b: UUIDv7) -> Bool { a.text < b.text }

    /// When it was made, by the clock of the machine that made it; nil for an identifier of another version.
    package var time: Timestamp? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits[12] == UInt8(ascii: "7"), "89ab".utf8.contains(digits[16]) else { return nil }
        return Int64(String(decoding: digits[..<12], as: UTF8.self), radix: 16).map(Timestamp.init(milliseconds:))
    }
}

extension UUIDv7: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = UUIDv7(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an identifier")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension UUIDv7 {
    /// The state that keeps identifiers of one maker rising, also inside a millisecond and when the clock goes back.
    public struct Maker: Sendable {
        /// What 48 bits hold: the year 10889.
        private static let latest: UInt64 = 0xFFFF_FFFF_FFFF
        private var milliseconds: UInt64 = 0
        private var counter: UInt16 = 0

        /// Starts a maker that has not made any identifier yet.
        public init() {}

        /// Makes the next identifier at the moment `now`.
        public mutating func next(at now: Timestamp, using random: inout some RandomNumberGenerator) -> UUIDv7 {
            let wanted = min(UInt64(clamping: now.milliseconds), Self.latest)
            if wanted > milliseconds {
                milliseconds = wanted
                // A random start leaves identifiers of several processes apart; the upper half stays free to count in.
                counter = UInt16.random(in: 0..<0x800, using: &random)
            } else if counter < 0xFFF {
                counter += 1
            } else if milliseconds < Self.latest {
                milliseconds += 1
                counter = 0
            }
            return UUIDv7(milliseconds: milliseconds, counter: counter, random: random.next())
        }
    }
}
