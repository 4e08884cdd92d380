/// What is wrong with one field: a stable message id with its parameters.
///
/// The id is part of the contract and never changes its meaning; the text is looked up in ``MessageCatalog``.
/// Parameters hold counts, limits and kinds, never what was typed, so a message may be logged and stored.
public struct FieldMessage: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable id, such as `email.missing_at`.
    public let id: String
    /// The values of the text's placeholders, such as `["count": "8", "min": "9"]`.
    public let parameters: [String: String]

    /// Makes a message from an id of the catalogue and the values of its placeholders.
    public init(_ id: String, _ parameters: [String: String] = [:]) {
        self.id = id
        self.parameters = parameters
    }

    /// The English text with its parameters filled in; a general sentence if the catalogue does not know the message.
    public var text: String {
        MessageCatalog.text(id: id, parameters: parameters) ?? MessageCatalog.generalText
    }

    private enum Key: String, CodingKey {
        case id, parameters, text
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
