import FoyerModel
import FoyerPlatform

/// JSON texts with sorted keys, as the rows of a saved tree hold them.
package enum JSONText {
    /// The text of a value; `{}` for what JSON cannot say, such as an infinite number.
    package static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The value of a text.
    /// - Throws: `DecodingError`, also for a text of which not every reader makes the same.
    package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBufferPointer(JSONSyntax.isUnambiguous) else {
            let reason = "members of one name, a zero, or too deep"
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
        }
        return try JSONDecoder().decode(type, from: Data(bytes))
    }
}
