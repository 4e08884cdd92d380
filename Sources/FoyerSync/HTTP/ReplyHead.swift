/// The head of an answer, as far as it matters here; fed line by line, with bytes that may be anything.
///
/// It is strict where two readers could find two different answers in the same bytes (RFC 9112, sections 5 and 6).
struct ReplyHead {
    /// Longer heads are not read, however many informational ones they consist of.
    static let maximumSize = 64 * 1024

    private(set) var status = 0
    /// Whether the blank line at its end was seen.
    private(set) var isWhole = false
    private(set) var contentType: String?
    private(set) var retryAfter: String?
    private(set) var date: String?
    private(set) var location: String?
    private(set) var isReplay = false
    private var size = 0
    private var isOld = false
    /// Whether a field has said where the body ends.
    private var isFramed = false

    /// Whether the first line was seen.
    var hasBegun: Bool { size > 0 }

    private var isInformational: Bool { (100..<200).contains(status) }

    /// Takes one line with its end. Gives why no more is to be read, if so.
    mutating func take(_ line: UnsafeRawBufferPointer) -> TransferEnd? {
        let isFirst = size == 0
        size += line.count
        guard size <= Self.maximumSize else { return .tooLong }
        // After an informational head another one comes; after a final one there can be only trailers.
        if isWhole && !isInformational { return nil }
        if isFirst || isWhole, line.starts(with: "HTTP/".utf8) {
            let used = size
            self = ReplyHead()
            size = used
            isOld = line.starts(with: "HTTP/1.0".utf8)
            status = Self.status(in: line)
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isWhole = true
        } else {
            guard takeField(line) else { return .ambiguous }
        }
        return nil
    }

    /// False where readers could differ about the line.
    private mutating func takeField(_ line: UnsafeRawBufferPointer) -> Bool {
        // Blanks before the colon, and a line that goes on with the one before, are read in different ways.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(\.isToken)
        else { return false }
        var end = line.endIndex
        while end > colon + 1, [0x0D, 0x0A].contains(line[end - 1]) { end -= 1 }
        let bytes = line[(colon + 1)..<end]
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return false }
        let value = Self.text(bytes)
        switch Self.text(line[..<colon]).lowercased() {
        case "content-length":
            return takeFraming(
                if: (1...18).contains(value.utf8.count) && value.utf8.allSatisfy { (48...57).contains($0) })
        case "transfer-encoding": return takeFraming(if: !isOld && value.lowercased() == "chunked")
        // Nobody asked for one.
        case "content-encoding": return value.lowercased() == "identity"
        case "content-type": return Self.take(value, into: &contentType)
        case "location": return Self.take(value, into: &location)
        // These decide nothing: the first of several counts.
        case "retry-after": retryAfter = retryAfter ?? value
        case "date": date = date ?? value
        case "idempotency-replayed": isReplay = value.lowercased() == "true"
        default: break
        }
        return true
    }

    /// Where the body ends is said once, in a way that all understand, and not by an informational head.
    private mutating func takeFraming(if isClear: Bool) -> Bool {
        defer { isFramed = true }
        return isClear && !isFramed && !isInformational
    }

    /// False when there was another value before.
    private static func take(_ value: String, into field: inout String?) -> Bool {
        defer { field = value }
        return field == nil || field == value
    }

    /// The three digits after the version; 0 for anything else.
    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1 else { return 0 }
        let digits = text(words[1]).utf8
        // Int reads signs, too.
        guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 > 0x20 } ?? start
        return String(decoding: start < bytes.endIndex ? bytes[start...end] : bytes[start..<start], as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte may stand in the name of a field (RFC 9110, section 5.6.2).
    fileprivate var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
