extension Fault {
    /// Reads `ACTION`, `ACTION:#N`, `ACTION:#N-M` or `ACTION:P%`.
    ///
    /// - Throws: what is wrong with the text, and what would be right.
    public init(_ spec: String) throws(SpecError) {
        let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(Misspelling) {
            action = try Self.action(parts[0])
            occasion = parts.count == 1 ? .always : try Self.occasion(parts[1])
        } catch {
            throw SpecError(message: "The fault \"\(spec)\" cannot be understood: \(error.reason).")
        }
    }

    private struct Misspelling: Error {
        let reason: String
    }

    private static func occasion(_ text: Substring) throws(Misspelling) -> Occasion {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else {
                throw Misspelling(reason: "a share is a number from 0 to 100 with %, such as 30%")
            }
            return .share(percent)
        }
        let numbers = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false).map { number($0) }
        switch (text.first, numbers.count) {
        case ("#", 1): if let only = numbers[0], only > 0 { return .numbers(only...only) }
        case ("#", 2):
            if let first = numbers[0], let last = numbers[1], 0 < first, first <= last {
                return .numbers(first...last)
            }
        default: break
        }
        throw Misspelling(reason: "after the colon stands #N, #N-M or P%")
    }

    private static func action(_ text: Substring) throws(Misspelling) -> Action {
        var parameters: [Substring: Substring] = [:]
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        for word in words {
            let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            parameters[pair[0]] = pair.count == 2 ? pair[1] : ""
        }
        let name = words[0].split(separator: "=", omittingEmptySubsequences: false)[0]
        guard let known = actions[String(name)] else {
            throw Misspelling(reason: "the faults are \(actions.keys.sorted().joined(separator: ", "))")
        }
        let allowed: Set<Substring> = name == "status" ? [name, "retry-after"] : [name]
        guard allowed.isSuperset(of: parameters.keys), parameters.count == words.count else {
            throw Misspelling(reason: "it takes no such parameter, or only one")
        }
        return try known(parameters[name] ?? "", parameters["retry-after"])
    }

    private typealias Maker = @Sendable (_ value: Substring, _ retryAfter: Substring?) throws(Misspelling) -> Action

    private static let actions: [String: Maker] = [
        "status": { value, retryAfter throws(Misspelling) in
            guard let status = number(value), (100...599).contains(status) else {
                throw Misspelling(reason: "a status is a number from 100 to 599, such as status=503")
            }
            // Also what no server should say: that is what a fault is for.
            guard retryAfter.map({ Int($0) != nil }) != false else {
                throw Misspelling(reason: "retry-after is a number of seconds, such as retry-after=2")
            }
            return .status(status, retryAfter: retryAfter.map(String.init))
        },
        "delay": { value, _ throws(Misspelling) in .delay(try duration(value)) },
        "drip": { value, _ throws(Misspelling) in .drip(try duration(value)) },
        "huge": { value, _ throws(Misspelling) in .huge(value.isEmpty ? 10 << 30 : try size(value)) },
        "truncate": { value, _ throws(Misspelling) in .truncate(value.isEmpty ? 1 : try size(value)) },
        "hang": plain(.hang), "fin": plain(.fin), "rst": plain(.rst), "lost": plain(.lost), "twice": plain(.twice),
        "half-header": plain(.halfHeader), "garbage": plain(.garbage), "html": plain(.html),
    ]

    private static func plain(_ action: Action) -> Maker {
        { value, _ throws(Misspelling) in
            guard value.isEmpty else { throw Misspelling(reason: "it takes no value") }
            return action
        }
    }

    private static func duration(_ text: Substring) throws(Misspelling) -> Duration {
        if text.hasSuffix("ms"), let count = number(text.dropLast(2)) { return .milliseconds(count) }
        if text.hasSuffix("s"), let count = number(text.dropLast(1)) { return .seconds(count) }
        throw Misspelling(reason: "a time is a whole number with ms or s, such as 200ms")
    }

    private static func size(_ text: Substring) throws(Misspelling) -> Int {
        let shift = ["k": 10, "m": 20, "g": 30][text.suffix(1)]
        guard let count = number(shift == nil ? text : text.dropLast()) else {
            throw Misspelling(reason: "a size is a whole number of bytes, or with k, m or g, such as 10g")
        }
        return count << (shift ?? 0)
    }

    /// A number of at most nine digits: enough for everything here, and free of overflow.
    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
