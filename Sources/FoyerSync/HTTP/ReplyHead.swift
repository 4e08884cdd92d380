/// The head of an answer, as far as it matters here; fed line by line, with bytes that may be anything.
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

    /// Whether the first line was seen.
    var hasBegun: Bool { size > 0 }

    /// Takes one line with its end; false when the head has become too long.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard size <= Self.maximumSize else { return false }
        // After an informational head another one comes; after a final one there can be only trailers.
        if isWhole && !(100..<200).contains(status) { return true }
        if line.starts(with: "HTTP/".utf8) {
            let used = size
            self = ReplyHead()
            size = used
            status = Self.status(in: line)
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isWhole = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            takeField(Self.text(line[..<colon]).lowercased(), Self.text(line[(colon + 1)...]))
        }
        return true
    }

    /// The first of several fields of one name counts.
    private mutating func takeField(_ name: String, _ value: String) {
        switch name {
        case "content-type": contentType = contentType ?? value
        case "retry-after": retryAfter = retryAfter ?? value
        case "date": date = date ?? value
        case "location": location = location ?? value
        case "idempotency-replayed": isReplay = value.lowercased() == "true"
        default: break
        }
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
