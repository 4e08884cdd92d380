public import Foyer

/// The questions of a reading club: plain data, which can change with every version of the app.
public enum MembershipForm {
    /// The four steps; the school is asked only of students.
    public static func definition() throws(FlowDefinitionError) -> FlowDefinition {
        try FlowDefinition(
            .register,
            steps: [
                FlowStep("name", field: MembershipField.name) { text, _ throws(FieldMessage) in
                    try PersonName.normalized(text)
                },
                FlowStep("email", field: MembershipField.email, purpose: .email) { text, _ throws(FieldMessage) in
                    try EmailAddress.normalized(text)
                },
                FlowStep("occupation", field: MembershipField.occupation, hint: Occupation.hint) {
                    text, _ throws(FieldMessage) in
                    guard let occupation = Occupation(text) else { throw FieldMessage("occupation.unknown") }
                    return occupation.rawValue
                },
                FlowStep(
                    "school", field: MembershipField.school,
                    applies: { $0["occupation"] == Occupation.student.rawValue }
                ) { text, _ throws(FieldMessage) in
                    guard text.count >= 3 else { throw FieldMessage("school.too_short", ["min": "3"]) }
                    return text
                },
            ],
            messages: [
                "occupation.unknown": "Choose one of: \(Occupation.hint).",
                "school.too_short": "Write the name of your school with at least {min} letters.",
                "school.not_ours": "The club does not know this school; try Lund or Uppsala.",
            ])
    }
}

/// The fields: what each is called on the wire, and on the screen.
enum MembershipField {
    static let name = StepField("name", label: "Name")
    static let email = StepField("email", label: "Email", keyboard: .emailAddress)
    static let occupation = StepField("occupation", label: "Occupation")
    static let school = StepField("school", label: "School")
}

/// What somebody does all day, as far as the club wants to know.
enum Occupation: String, CaseIterable {
    case student, working, retired

    static let hint = allCases.map(\.rawValue).joined(separator: ", ")

    /// Takes what a person has typed, in any case.
    init?(_ text: String) {
        self.init(rawValue: text.lowercased())
    }
}
