/// The ordered steps of one kind of flow: data, from which every position in a flow is computed.
public struct FlowDefinition: Sendable {
    /// Which story the steps tell.
    public let kind: FlowKind
    /// The steps in the order of asking.
    public let steps: [FlowStep]
    /// How long an unfinished flow is kept after its last change.
    public let lifetime: Duration
    /// The texts of the app's own messages, by their ids; `{name}` stands for a parameter.
    public let messages: [String: String]
    /// The steps with their versions, such as `email@1 userName@1`: tells whether a flow was saved by these steps.
    public let fingerprint: String
    /// The names of all steps, former ones too.
    public let knownSteps: [String]

    /// Names that the flow's other screens have, so that no step can.
    static let reservedIDs: Set<String> = ["review", "submitted"]

    /// Makes a definition; refuses one without steps, two steps or fields of one name, and names that cannot be saved.
    ///
    /// - Parameters:
    ///   - kind: which story the steps tell.
    ///   - steps: in the order of asking.
    ///   - lifetime: how long an unfinished flow is kept after its last change: 30 days, unless given.
    ///   - messages: the texts of the messages that the steps' own rules throw, and of codes with which the app's own
    ///     network refuses fields, by their ids. An id such as `school.not_ours` is also that of the code `not_ours` for
    ///     the field `school`. A text for an id of the ``MessageCatalog`` takes the place of that one's.
    public init(
        _ kind: FlowKind, steps: [FlowStep], lifetime: Duration = .seconds(30 * 86400),
        messages: [String: String] = [:]
    ) throws(FlowDefinitionError) {
        guard !steps.isEmpty else { throw .noSteps }
        var ids: Set<String> = [], fields: Set<String> = []
        for step in steps {
            guard Self.isUsable(step.id) else { throw .unusableStep(step.id) }
            // A former name must not be another step's either: a saved answer would belong to both.
            for id in [step.id] + step.formerly {
                guard ids.insert(id).inserted else { throw .repeatedStep(id) }
            }
            guard fields.insert(step.field.wireName).inserted else { throw .repeatedField(step.field.wireName) }
        }
        self.init(checked: kind, steps: steps, lifetime: lifetime, messages: messages)
    }

    /// Letters, digits, hyphens and underscores: other signs part the names in fingerprints and in screens' names.
    private static func isUsable(_ id: String) -> Bool {
        !id.isEmpty && !reservedIDs.contains(id)
            && id.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
            }
    }

    /// Takes steps that are known to be well formed; a test proves it for the definitions that ship.
    init(
        checked kind: FlowKind, steps: [FlowStep], lifetime: Duration = .seconds(30 * 86400),
        messages: [String: String] = [:]
    ) {
        self.kind = kind
        self.steps = steps
        self.lifetime = lifetime
        self.messages = messages
        fingerprint = steps.map { "\($0.id)@\($0.version)" }.joined(separator: " ")
        knownSteps = steps.flatMap { [$0.id] + $0.formerly }
    }

    /// What a store has to know of the steps whose answers are secrets, by their names.
    package var secretSteps: [String: FlowChange.SecretStep] {
        steps.reduce(into: [:]) { secrets, step in
            guard step.isSecret else { return }
            secrets[step.id] = FlowChange.SecretStep(wireName: step.field.wireName, lifetime: step.lifetime)
        }
    }

    /// The step of that name.
    public subscript(step id: String) -> FlowStep? {
        steps.first { $0.id == id }
    }

    /// The step whose field has that name on the wire, such as `user_name`.
    public func step(forField wireName: String) -> FlowStep? {
        steps.first { $0.field.wireName == wireName }
    }

}

/// Why steps do not make a flow definition.
public enum FlowDefinitionError: Error, Equatable, CustomStringConvertible {
    /// There is nothing to ask.
    case noSteps
    /// Two steps have this name, so a saved answer would belong to both.
    case repeatedStep(String)
    /// Two steps' fields have this name on the wire, so one answer would hide the other.
    case repeatedField(String)
    /// This name cannot be a step's.
    case unusableStep(String)

    public var description: String {
        switch self {
        case .noSteps: "A flow needs at least one step."
        case .repeatedField(let key): "Two fields are called \"\(key)\" on the wire; give each a name of its own."
        case .unusableStep(let id):
            "A step cannot be called \"\(id)\"; take letters, digits, hyphens and underscores, and neither review nor submitted."
        case .repeatedStep(let id): "Two steps are called \"\(id)\"; give each step a name of its own."
        }
    }
}
