public import FoyerModel

/// What a person sees: a value that any presenter can draw, and that names no type of the program.
public struct Screen: Codable, Equatable, Sendable, Identifiable {
    /// What the screen is made of.
    public enum Content: Codable, Equatable, Sendable {
        /// Fields to fill in.
        case form([FieldView])
        /// All answers, before they are sent.
        case review([ReviewLine])
        /// A sentence that has to be acknowledged.
        case alert(String)
        /// A choice; the actions are what can be chosen.
        case menu(String)
        /// A sentence.
        case message(String)
    }

    /// The place in the tree, such as `register/email`: the same in every process.
    public let id: String
    /// Raised by every input, and given by the host: an input for an older revision is refused.
    public internal(set) var revision: Int
    /// The heading.
    public let title: String
    /// What the screen is made of.
    public let content: Content
    /// What a person can do here; the first is what Enter does.
    public let actions: [ScreenAction]
    /// The place in a sequence of steps; nil outside of one.
    public let progress: Progress?

    /// A place in a sequence of steps.
    public struct Progress: Codable, Equatable, Sendable {
        /// This step, from 1.
        public let step: Int
        /// How many there are.
        public let count: Int
    }

    /// Makes a screen, which has no revision before a host shows it.
    public init(
        id: String, title: String, content: Content, actions: [ScreenAction], progress: Progress? = nil
    ) {
        self.id = id
        self.revision = 0
        self.title = title
        self.content = content
        self.actions = actions
        self.progress = progress
    }

    /// The fields, where the screen is a form.
    public var fields: [FieldView] {
        if case .form(let fields) = content { fields } else { [] }
    }

    /// Whether there is something for a person to do.
    public var isWaitingForInput: Bool { !actions.isEmpty }
}

/// One field as it is shown.
public struct FieldView: Codable, Equatable, Sendable {
    /// The name of the field's value in a `ScreenInput`.
    public let key: String
    /// What it is called on the screen.
    public let label: String
    /// What the field is for; nil where it is none of the usual ones.
    public let purpose: FieldPurpose?
    /// What it shows already; never a secret.
    public let value: String?
    /// Whether what is typed must not be seen.
    public let isSecret: Bool
    /// The colour of its text.
    public let color: TextColor
    /// Which keyboard helps.
    public let keyboard: KeyboardType
    /// One line about its rules.
    public let hint: String?
    /// What is wrong with what was entered before.
    public let error: FieldMessage?

    /// Makes the view of a field.
    public init(
        key: String, field: StepField, purpose: FieldPurpose? = nil, value: String? = nil, isSecret: Bool,
        hint: String? = nil, error: FieldMessage? = nil
    ) {
        self.key = key
        self.label = field.label
        self.purpose = purpose
        self.value = value
        self.isSecret = isSecret
        self.color = field.color
        self.keyboard = field.keyboard
        self.hint = hint
        self.error = error
    }
}

/// One answer before it is sent.
public struct ReviewLine: Codable, Equatable, Sendable {
    /// The step.
    public let key: String
    /// What the field is called on the screen.
    public let label: String
    /// The answer; nil for a secret.
    public let value: String?
}
