public import Foyer

/// One condition on the text of a form's field.
public protocol Rule: Sendable {
    /// Whether the text meets the condition.
    func validate(_ value: String) -> Bool
    /// Whether a secret meets it; a rule that does not say how makes a `String` of it, which nobody can overwrite.
    func validate(_ value: Secret) -> Bool
    /// The sentence for a text that does not.
    func errorMessage() -> String
}

extension Rule {
    public func validate(_ value: Secret) -> Bool { validate(String(revealing: value)) }
}

/// The text must not be empty; white space counts as text.
public struct RequiredRule: Rule {
    private let message: String

    /// Makes the rule, with its own sentence or the usual one.
    public init(message: String = "This field is required") {
        self.message = message
    }

    public func validate(_ value: String) -> Bool { !value.isEmpty }
    public func validate(_ value: Secret) -> Bool { !value.isEmpty }
    public func errorMessage() -> String { message }
}

/// The text must have a minimum number of characters.
public struct MinLengthRule: Rule {
    private let length: Int
    private let message: String

    /// Makes the rule for `length` characters; `%ld` in `message` becomes that number.
    public init(length: Int = 3, message: String = "Must be at least %ld characters long") {
        self.length = length
        let parts = message.split(separator: "%ld", omittingEmptySubsequences: false)
        self.message = parts.joined(separator: String(length))
    }

    public func validate(_ value: String) -> Bool { value.count >= length }
    public func validate(_ value: Secret) -> Bool { value.withBytes { $0.size(ofCharacters: length) != nil } }
    public func errorMessage() -> String { message }
}

/// The whole text must read like `name@host.domain`, in ASCII letters.
///
/// The pattern is the articles': `[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`.
public struct EmailRule: Rule {
    private let message: String

    /// Makes the rule, with its own sentence or the usual one.
    public init(message: String = "Must be a valid email address") {
        self.message = message
    }

    public func validate(_ value: String) -> Bool {
        let bytes = Array(value.utf8)
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
        let local = bytes[..<at], domain = bytes[(at + 1)...]
        guard let dot = domain.lastIndex(of: UInt8(ascii: ".")), dot > domain.startIndex else { return false }
        let top = domain[(dot + 1)...]
        return local.allSatisfy { $0.isLetterOrDigit || "._%+-".utf8.contains($0) }
            && domain[..<dot].allSatisfy { $0.isLetterOrDigit || ".-".utf8.contains($0) }
            && top.count >= 2 && top.allSatisfy(\.isLetter)
    }

    public func errorMessage() -> String { message }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    fileprivate var isLetterOrDigit: Bool { isLetter || (48...57).contains(self) }
}
