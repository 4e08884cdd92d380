/// The ordered steps of one kind of flow: data, from which every position in a flow is computed.
public struct FlowDefinition: Sendable {
    /// Which story the steps tell.
    public let kind: AccountType
    /// The steps in the order of asking.
    public let steps: [FlowStep]
    /// How long an unfinished flow is kept after its last change.
    public let lifetime: Duration

    /// Makes a definition; refuses two steps of one name and a definition without steps.
    public init(
        _ kind: AccountType, steps: [FlowStep], lifetime: Duration = .seconds(30 * 86400)
    ) throws(FlowDefinitionError) {
        guard !steps.isEmpty else { throw .noSteps }
        var seen: Set<String> = []
        for step in steps where !seen.insert(step.id).inserted {
            throw .repeatedStep(step.id)
        }
        self.init(checked: kind, steps: steps, lifetime: lifetime)
    }

    /// Takes steps that are known to be well formed; a test proves it for the definitions that ship.
    init(checked kind: AccountType, steps: [FlowStep], lifetime: Duration = .seconds(30 * 86400)) {
        self.kind = kind
        self.steps = steps
        self.lifetime = lifetime
    }

    /// The steps with their versions, such as `email@1 userName@1`: tells whether a flow was saved by these steps.
    public var fingerprint: String {
        steps.map { "\($0.id)@\($0.version)" }.joined(separator: " ")
    }

    /// The step of that name.
    public subscript(step id: String) -> FlowStep? {
        steps.first { $0.id == id }
    }

    /// The step whose field has that name on the wire, such as `user_name`.
    public func step(forField apiKey: String) -> FlowStep? {
        steps.first { $0.field.apiKey == apiKey }
    }

    /// The place of a step in the order of asking, from 0.
    public func position(of id: String) -> Int? {
        steps.firstIndex { $0.id == id }
    }
}

/// Why steps do not make a flow definition.
public enum FlowDefinitionError: Error, Equatable, CustomStringConvertible {
    /// There is nothing to ask.
    case noSteps
    /// Two steps have this name, so a saved answer would belong to both.
    case repeatedStep(String)

    public var description: String {
        switch self {
        case .noSteps: "A flow needs at least one step."
        case .repeatedStep(let id): "Two steps are called \"\(id)\"; give each step a name of its own."
        }
    }
}
