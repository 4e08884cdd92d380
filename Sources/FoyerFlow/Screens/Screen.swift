public import FoyerModel

/// What a person sees: a value that any presenter can draw, and that names no type of the program.
public struct Screen: Codable, Equatable, Sendable, Identifiable {
    /// What the screen is made of.
    public enum Content: Codable, Equatable, Sendable {
        /// Fields to fill in.
        case form([FieldView])
        /// All answers, before they are sent.
        case review([ReviewLine])
        /// A sentence; there is nothing to enter.
        case message(String)
    }

    /// The place in the tree, such as `register/email`: the same in every process.
    public let id: String
    /// Raised by every input: an input for an older revision is refused.
    public let revision: Int
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

    /// Makes a screen.
    public init(
        id: String, revision: Int, title: String, content: Content, actions: [ScreenAction], progress: Progress? = nil
    ) {
        self.id = id
        self.revision = revision
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
    /// The step that the field answers; the name of its value in a `ScreenInput`.
    public let key: String
    /// What it is called on the screen.
    public let label: String
    /// What it shows already; never a secret.
    public let value: String?
    /// Whether what is typed must not be seen.
    public let isSecret: Bool
    /// Which keyboard helps.
    public let keyboard: KeyboardType
    /// One line about its rules.
    public let hint: String?
    /// What is wrong with what was entered before.
    public let error: FieldMessage?
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

/// Something that a person can do on a screen.
public enum ScreenAction: String, Codable, Sendable, CaseIterable {
    /// Take what was entered and go on.
    case accept
    /// Send what was reviewed.
    case submit
    /// Go to the screen before.
    case back
    /// Give up what this screen belongs to.
    case cancel
}

/// Where each screen of the program stands.
public indirect enum ScreenTree: Codable, Equatable, Sendable {
    /// One screen.
    case screen(Screen)
    /// Screens on top of each other, the visible one last.
    case stack([ScreenTree])

    /// The screen that takes the input; nil only for an empty stack.
    public var active: Screen? {
        switch self {
        case .screen(let screen): screen
        case .stack(let trees): trees.last?.active
        }
    }
}

/// What a presenter sends back for a screen.
public struct ScreenInput: Sendable {
    /// The screen that it is for.
    public let screen: String
    /// The revision of that screen.
    public let revision: Int
    /// What to do.
    public let action: ScreenAction
    /// What was entered, by the fields' keys; held as secrets, because some of it is.
    public let values: [String: Secret]

    /// Makes the input for a screen as it was shown.
    public init(for screen: Screen, _ action: ScreenAction, values: [String: Secret] = [:]) {
        self.screen = screen.id
        self.revision = screen.revision
        self.action = action
        self.values = values
    }
}
