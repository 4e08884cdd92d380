import FoyerModel
import Testing

/// One line of a validation table: what is typed, and the stored bytes or the message that it must give.
struct FieldRow: Sendable, CustomTestStringConvertible {
    enum Outcome: Equatable, Sendable {
        case stored([UInt8])
        case refused(FieldMessage)
    }

    let input: String
    let expected: Outcome

    /// The input is accepted and stored as it is.
    static func ok(_ input: String) -> FieldRow { ok(input, as: input) }

    static func ok(_ input: String, as stored: String) -> FieldRow {
        FieldRow(input: input, expected: .stored(Array(stored.utf8)))
    }

    static func refused(_ input: String, _ id: String, _ parameters: [String: String] = [:]) -> FieldRow {
        FieldRow(input: input, expected: .refused(FieldMessage(id, parameters)))
    }

    var testDescription: String { String(input.prefix(40).debugDescription) }

    /// Runs a rule on the input and compares bytes, because String's == also holds for different ones.
    func check(
        sourceLocation: SourceLocation = #_sourceLocation, _ rule: (String) throws(FieldMessage) -> String
    ) {
        #expect(outcome(of: rule) == expected, sourceLocation: sourceLocation)
    }

    private func outcome(of rule: (String) throws(FieldMessage) -> String) -> Outcome {
        do {
            return .stored(Array(try rule(input).utf8))
        } catch {
            return .refused(error)
        }
    }
}

/// Runs a rule on an oversized input and expects the refusal at once.
func expectFastRefusal(
    of input: String, _ id: String, _ parameters: [String: String],
    sourceLocation: SourceLocation = #_sourceLocation, _ rule: (String) throws(FieldMessage) -> String
) {
    // The best of three, so that a busy machine does not fail the test.
    let best = (1...3).map { _ in
        ContinuousClock().measure {
            FieldRow.refused(input, id, parameters).check(sourceLocation: sourceLocation, rule)
        }
    }.min()
    #expect(best ?? .seconds(1) < .milliseconds(5), sourceLocation: sourceLocation)
}
