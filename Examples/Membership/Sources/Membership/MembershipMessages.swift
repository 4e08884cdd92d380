public import Foyer

/// The form's own messages: an id is kept and compared, its text is only shown.
extension FieldMessage {
    static let unknownOccupation = FieldMessage("occupation.unknown")
    static let schoolTooShort = FieldMessage("school.too_short", ["min": "3"])

    /// The text of a message of the form, or of one that Foyer knows.
    public var membershipText: String {
        switch id {
        case "occupation.unknown": "Choose one of: \(Occupation.hint)."
        case "school.too_short": "Write the name of your school with at least \(parameters["min"] ?? "") letters."
        default: text
        }
    }
}
