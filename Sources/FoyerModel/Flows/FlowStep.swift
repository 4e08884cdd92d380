/// One step of a flow: a field, how its answer is kept, and what the answer must meet.
public struct FlowStep: Sendable {
    /// How an answer is kept between two starts of the program.
    public enum Keep: String, Sendable {
        /// As readable text.
        case clear
        /// Sealed under the device's key; the text never reaches the database.
        case sealed
        /// Not at all: the step is asked again.
        case volatile
    }

    /// Checks a text against the step's rules, which may look at the earlier answers, and gives what is to be kept.
    public typealias Check = @Sendable (_ text: String, _ earlier: ClearAnswers) throws(FieldMessage) -> String

    /// The stable name, such as `email`: never shown, never reused for another meaning.
    public let id: String
    /// Raised whenever an older answer can no longer be taken as it is.
    public let version: Int
    /// The field that the step shows.
    public let field: any FormTextField
    /// How the answer is kept.
    public let keep: Keep
    /// One line about the rules, shown before anything is typed.
    public let hint: String?
    let check: Check

    /// Makes a step.
    public init(
        _ id: String, version: Int = 1, field: any FormTextField, keep: Keep = .clear, hint: String? = nil,
        check: @escaping Check
    ) {
        self.id = id
        self.version = version
        self.field = field
        self.keep = keep
        self.hint = hint
        self.check = check
    }

    /// Whether the answer must not be seen while it is typed, nor shown afterwards.
    public var isSecret: Bool { keep != .clear }
}

/// The readable answers of a flow, by step.
public struct ClearAnswers: Sendable, Equatable {
    private var texts: [String: String] = [:]

    /// Starts without any answer.
    public init() {}

    /// The answer of a step; nil when there is none, or when it is a secret.
    public subscript(step: String) -> String? {
        get { texts[step] }
        set { texts[step] = newValue }
    }

    /// All texts, in no particular order.
    public var values: [String] { Array(texts.values) }
}
