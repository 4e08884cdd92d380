import FoyerModel
import Testing

/// A field of the tests.
func sampleField(_ wireName: String) -> StepField { StepField(wireName, label: wireName.uppercased()) }

extension FlowStep {
    /// A readable step that refuses the text `bad` and keeps the others in lower case.
    static func clear(_ id: String, version: Int = 1) -> FlowStep {
        FlowStep(id, version: version, field: sampleField("wire_\(id)")) { text, _ throws(FieldMessage) in
            guard text != "bad" else { throw FieldMessage("field.required") }
            return text.lowercased()
        }
    }

    /// A secret step that refuses the text `bad`.
    static func secret(_ id: String, version: Int = 1, isKept: Bool = true) -> FlowStep {
        FlowStep(secret: id, version: version, field: sampleField("wire_\(id)"), isKept: isKept) {
            entered, _ throws(FieldMessage) in
            guard !entered.isText("bad") else { throw FieldMessage("password.too_common") }
            return entered
        }
    }

    /// A readable step whose rule is that its text must be none of the answers that the rule sees.
    static func differing(_ id: String) -> FlowStep {
        FlowStep(id, field: sampleField("wire_\(id)")) { text, earlier throws(FieldMessage) in
            guard !earlier.values.contains(text) else { throw FieldMessage("server.rejected") }
            return text
        }
    }
}

extension FlowDefinition {
    /// `one, code (secret), two, three`.
    static var sample: FlowDefinition {
        get throws {
            try FlowDefinition(.register, steps: [.clear("one"), .secret("code"), .clear("two"), .clear("three")])
        }
    }

    func step(_ id: String) throws -> FlowStep {
        try #require(self[step: id])
    }
}

extension FlowDraft {
    /// Enters a text, and gives what was wrong with it.
    mutating func problem(entering text: String, at id: String) throws -> FieldMessage? {
        let step = try definition.step(id)
        do throws(FieldMessage) {
            try enter(Secret(text), at: step)
            return nil
        } catch {
            return error
        }
    }
}

extension SavedAnswer {
    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    static func clear(_ step: String, _ value: String?, version: Int = 1, error: String? = nil, seq: Int = 1)
        -> SavedAnswer
    {
        SavedAnswer(step: step, version: version, kept: .clear, value: value, error: error, seq: seq, answeredAt: now)
    }

    static func sealed(_ step: String, until end: Duration?, version: Int = 1, error: String? = nil, seq: Int = 1)
        -> SavedAnswer
    {
        SavedAnswer(
            step: step, version: version, kept: .sealed, value: nil, error: error, seq: seq, answeredAt: now,
            usableUntil: end.map { now + $0 })
    }

    static func volatile(_ step: String, seq: Int = 1) -> SavedAnswer {
        SavedAnswer(step: step, version: 1, kept: .volatile, value: nil, error: nil, seq: seq, answeredAt: now)
    }
}
