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

    /// Checks a secret in the same way, without making a text of it.
    public typealias SecretCheck = @Sendable (_ entered: Secret, _ earlier: ClearAnswers) throws(FieldMessage) -> Secret

    /// The rules of a step, for what is entered there.
    enum Rules: Sendable {
        case readable(Check)
        case secret(SecretCheck)
    }

    /// Decides from the earlier answers whether the step is asked at all.
    public typealias Condition = @Sendable (_ earlier: ClearAnswers) -> Bool

    /// Turns the answer of an older version into one that this version takes.
    ///
    /// - Throws: the message with which the step is then asked again, the old text shown.
    public typealias Upgrade = @Sendable (_ text: String, _ version: Int) throws(FieldMessage) -> String

    /// The stable name, such as `email`: never shown, never reused for another meaning.
    public let id: String
    /// Raised whenever an older answer can no longer be taken as it is.
    public let version: Int
    /// The names that the step had before: answers that were saved under one of them are its own.
    public let formerly: [String]
    /// The field that the step shows.
    public let field: StepField
    /// What the field is for; nil where it is none of the usual ones.
    public let purpose: FieldPurpose?
    /// How the answer is kept.
    public let keep: Keep
    /// How long the answer can be used while the flow is open.
    public let lifetime: Duration
    /// One line about the rules, shown before anything is typed.
    public let hint: String?
    let applies: Condition
    let upgrade: Upgrade?
    let rules: Rules

    /// Makes a step whose answer may be seen.
    ///
    /// - Parameters:
    ///   - id: the stable name.
    ///   - version: raised whenever an older answer can no longer be taken as it is.
    ///   - formerly: the names that the step had before.
    ///   - field: the field that it shows.
    ///   - purpose: what the field is for, which tells presenters how to help with it.
    ///   - lifetime: how long the answer can be used while the flow is open: 30 days, unless given.
    ///   - hint: one line about the rules.
    ///   - applies: whether the step is asked at all; always, unless given.
    ///   - upgrade: turns the answer of an older version into one of this version; without it, the step is asked again.
    ///   - check: the rules.
    public init(
        _ id: String, version: Int = 1, formerly: [String] = [], field: StepField,
        purpose: FieldPurpose? = nil, lifetime: Duration = .seconds(30 * 86400), hint: String? = nil,
        applies: @escaping Condition = { _ in true }, upgrade: Upgrade? = nil, check: @escaping Check
    ) {
        self.init(
            id, version, formerly, field, purpose, keep: .clear, lifetime, hint, applies, upgrade, .readable(check))
    }

    /// Makes a step whose answer must not be seen: while it is typed, in the file, or in memory that was let go.
    ///
    /// - Parameters:
    ///   - id: the stable name.
    ///   - version: raised whenever an older answer can no longer be taken as it is: the step is asked again then.
    ///   - formerly: the names that the step had before.
    ///   - field: the field that it shows.
    ///   - purpose: what the field is for, which tells presenters how to help with it.
    ///   - isKept: whether the answer lies sealed in the store between two starts of the program, or nowhere.
    ///   - lifetime: how long the answer can be used while the flow is open: a day, unless given.
    ///   - hint: one line about the rules.
    ///   - applies: whether the step is asked at all; always, unless given.
    ///   - check: the rules.
    public init(
        secret id: String, version: Int = 1, formerly: [String] = [], field: StepField,
        purpose: FieldPurpose? = nil, isKept: Bool = true, lifetime: Duration = .seconds(86400), hint: String? = nil,
        applies: @escaping Condition = { _ in true },
        check: @escaping SecretCheck
    ) {
        self.init(
            id, version, formerly, field, purpose, keep: isKept ? .sealed : .volatile, lifetime, hint, applies, nil,
            .secret(check))
    }

    private init(
        _ id: String, _ version: Int, _ formerly: [String], _ field: StepField, _ purpose: FieldPurpose?,
        keep: Keep, _ lifetime: Duration, _ hint: String?, _ applies: @escaping Condition, _ upgrade: Upgrade?,
        _ rules: Rules
    ) {
        self.id = id
        self.version = version
        self.formerly = formerly
        self.field = field
        self.purpose = purpose
        self.keep = keep
        self.lifetime = lifetime
        self.hint = hint
        self.applies = applies
        self.upgrade = upgrade
        self.rules = rules
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
