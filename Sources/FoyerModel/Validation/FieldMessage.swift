/// What is wrong with one field: a stable message id with its parameters.
///
/// The id is part of the contract and never changes its meaning; the text is looked up in ``MessageCatalog``.
/// Parameters hold counts, limits and kinds, never what was typed, so a message may be logged and stored.
public struct FieldMessage: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable id, such as `email.missing_at`.
    public let id: String
    /// The values of the text's placeholders, such as `["count": "8", "min": "9"]`.
    public let parameters: [String: String]
    /// The text that a flow definition has for the id; no part of what the message says to programs.
    private let ownText: String?

    /// Makes a message from an id, of the catalogue or of the flow's definition, and the values of its placeholders.
    public init(_ id: String, _ parameters: [String: String] = [:]) {
        self.init(id, parameters, ownText: nil)
    }

    private init(_ id: String, _ parameters: [String: String], ownText: String?) {
        self.id = id
        self.parameters = parameters
        self.ownText = ownText
    }

    /// The same message with the text that is given for its id, if there is one.
    func worded(by texts: [String: String]) -> FieldMessage {
        guard let text = texts[id] else { return self }
        return FieldMessage(id, parameters, ownText: text)
    }

    /// Whether the flow's definition or the catalogue has a text for the id.
    var isKnown: Bool { ownText != nil || MessageCatalog.english[id] != nil }

    /// The text of the flow's definition, else the catalogue's English one, with its parameters filled in; a general
    /// sentence if neither knows the message.
    public var text: String {
        ownText.flatMap { MessageCatalog.filled($0, parameters) }
            ?? MessageCatalog.text(id: id, parameters: parameters) ?? MessageCatalog.generalText
    }

    public static func == (first: FieldMessage, second: FieldMessage) -> Bool {
        first.id == second.id && first.parameters == second.parameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(parameters)
    }

    private enum Key: String, CodingKey {
        case id, parameters, text
    }

    /// Reads a message; what it knows no text for has the general sentence, whatever text was written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            try container.decode(String.self, forKey: .id),
            try container.decode([String: String].self, forKey: .parameters))
    }

    /// Writes the text too, for programs that have no catalogue.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(parameters, forKey: .parameters)
        try container.encode(text, forKey: .text)
    }

    /// The same as ``text``: a raw id is never shown, not even where an error is printed.
    public var description: String { text }
}
