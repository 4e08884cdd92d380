/// A link into the program, such as `foyer://register/email`: the names that lead to a place, from the root down.
public struct DeepLink: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The names, at least one.
    public let path: [String]

    /// Reads a link; what follows a `?` or `#`, such as a campaign's mark, is not looked at.
    /// - Throws: `DeepLinkError` for anything else than `foyer://` with plain names between slashes.
    public init(_ text: String) throws(DeepLinkError) {
        guard text.utf8.count <= 2048 else { throw .tooLong }
        let scheme = text.prefix(Self.scheme.count)
        guard scheme.lowercased() == Self.scheme else { throw .foreign }
        let address = text.dropFirst(Self.scheme.count).prefix { $0 != "?" && $0 != "#" }
        path = address.split(separator: "/").map(String.init)
        guard !path.isEmpty else { throw .leadsNowhere }
        guard path.allSatisfy({ $0.utf8.allSatisfy(Self.isPlain) }) else { throw .unreadable }
    }

    /// Takes the names of a link that was read already.
    public init(path: ArraySlice<String>) {
        self.path = Array(path)
    }

    private static let scheme = "foyer://"

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    public var description: String { Self.scheme + path.joined(separator: "/") }

    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Why a text is no link, or a link leads nowhere.
public enum DeepLinkError: String, Error, Sendable, CustomStringConvertible {
    /// It is longer than 2,048 bytes.
    case tooLong
    /// It does not begin with `foyer://`.
    case foreign
    /// It has other signs than letters, digits, hyphens and underscores between its slashes.
    case unreadable
    /// The program, as it stands, has no such place.
    case leadsNowhere

    public var description: String {
        switch self {
        case .tooLong: "A link has at most 2,048 bytes."
        case .foreign: "A link into this program begins with foyer://, such as foyer://register."
        case .unreadable: "A link has only letters, digits, hyphens and underscores between its slashes."
        case .leadsNowhere: "The link leads to no place that can be shown now; nothing was changed."
        }
    }
}
