/// SQL that stands in the source: a literal, into which other `SQL` may be interpolated and nothing else.
///
///     static let columns: SQL = "id, email, status"
///     static let find: SQL = "SELECT \(columns) FROM users WHERE id = ?"
///
/// A `String` cannot be interpolated, so no value ever becomes part of a statement: values are bound. SQL that is put
/// together from parts belongs into a `static let`, because its text is made anew wherever the expression is evaluated.
public struct SQL: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    /// A text with its hash, so that finding its statement reads no text twice.
    @usableFromInline
    final class Composition: Hashable, Sendable {
        let text: String
        private let hash: Int

        init(_ text: String) {
            self.text = text
            hash = text.hashValue
        }

        @usableFromInline
        static func == (one: Composition, other: Composition) -> Bool {
            one === other || one.hash == other.hash && one.text == other.text
        }

        @usableFromInline
        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    @usableFromInline
    enum Content: Sendable {
        /// A literal lies at one address for the life of the program.
        case literal(StaticString)
        case composed(Composition)
    }

    @usableFromInline let content: Content

    /// SQL without interpolations.
    @inlinable
    public init(stringLiteral literal: StaticString) {
        content = .literal(literal)
    }

    /// SQL with other SQL in it.
    public init(stringInterpolation parts: Interpolation) {
        content = .composed(Composition(parts.text))
    }

    /// What a literal of SQL may be made of.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Makes room for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(2 * literalCapacity) }

        /// Adds a part that stands in the source.
        public mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

        /// Adds other SQL.
        public mutating func appendInterpolation(_ sql: SQL) { text += sql.description }
    }

    /// The SQL as it is sent to SQLite.
    public var description: String {
        switch content {
        case .literal(let literal): "\(literal)"
        case .composed(let composition): composition.text
        }
    }
}
