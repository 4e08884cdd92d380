import FoyerModel

/// Reads the header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of HTTP's three forms.
enum RetryAfter {
    /// Nobody is made to wait for longer.
    static let longest = Duration.seconds(86400)

    /// How long to wait, from none to a day; nil where it cannot be told.
    ///
    /// A date is read against the reply's own `Date`, because the two clocks need not agree.
    static func wait(_ reply: NetworkReply) -> Duration? {
        guard let text = reply.retryAfter?.trimmingBlanks() else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            // More digits than a number has are a long time all the same.
            return min(longest, Int64(text).map { .seconds(min($0, 86400)) } ?? longest)
        }
        guard let wanted = date(text), let sent = reply.date.flatMap({ date($0.trimmingBlanks()) }) else { return nil }
        return min(longest, max(.zero, wanted - sent))
    }

    /// The moment of an HTTP date; nil for any other text.
    static func date(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ").map { String($0) }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return moment(words[3], words[2], words[1], words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let parts = words[1].split(separator: "-").map { String($0) }
            guard parts.count == 3, parts[2].utf8.count == 2, let year = Int64(parts[2]) else { return nil }
            // Two digits: what would lie far in the future is of the last century.
            return moment("\(year < 77 ? 2000 + year : 1900 + year)", parts[1], parts[0], words[2])
        // Sun Nov  6 08:49:37 1994
        case 5: return moment(words[4], words[1], words[2], words[3])
        default: return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func moment(_ year: String, _ month: String, _ day: String, _ time: String) -> Timestamp? {
        guard let number = months.firstIndex(of: month) else { return nil }
        // A leap second is the last of its minute here.
        let clock = time.hasSuffix(":60") ? time.dropLast(2) + "59" : time[...]
        return Timestamp("\(year)-\(padded("\(number + 1)"))-\(padded(day))T\(clock).000Z")
    }

    private static func padded(_ text: String) -> String { text.utf8.count == 1 ? "0\(text)" : text }
}

extension String {
    fileprivate func trimmingBlanks() -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[...last].drop(while: isBlank))
    }
}
