/// Where a store tells what it does; called from any thread, and best quick.
public typealias Log = @Sendable (LogLine) -> Void

/// One line of a log: what happened, under a name that does not change, and to what.
public struct LogLine: Sendable, CustomStringConvertible {
    /// What happened, such as `store.opened`.
    public let id: StaticString
    /// More about it, in a fixed order.
    public let parameters: [(name: StaticString, value: LogLine.Value)]

    /// Makes a line.
    public init(_ id: StaticString, _ parameters: KeyValuePairs<StaticString, LogLine.Value> = [:]) {
        self.id = id
        self.parameters = parameters.map { (name: $0.key, value: $0.value) }
    }

    /// `store.opened version=7`, in one line without anything that a terminal would act on.
    public var description: String {
        (["\(id)"] + parameters.map { "\($0.name)=\($0.value.text)" }).joined(separator: " ")
    }
}

extension LogLine {
    /// A value in a log, by its class: what is personal is masked as it is made, and there is no way to make one of a secret.
    public struct Value: Sendable, Hashable {
        /// How it is written.
        public let text: String

        private init(_ text: String) { self.text = PrintableText.escaped(text) }

        /// How many.
        public static func count(_ number: Int) -> LogLine.Value { LogLine.Value("\(number)") }
        /// Which row; its owner is not told by it.
        public static func id(_ id: UUIDv7) -> LogLine.Value { LogLine.Value(id.text) }
        /// A word of the program's own, such as a state, a kind or an error's code.
        public static func word(_ word: String) -> LogLine.Value { LogLine.Value(word) }
        /// What belongs to a person: `ada@example.org` becomes `a…@e….org`.
        public static func personal(_ text: String) -> LogLine.Value { LogLine.Value(Masking.masked(text)) }
    }
}
