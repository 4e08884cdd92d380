import Foyer
import Glibc
import SampleApp

/// The sample app as it is released today; every kind of change to yesterday's steps is in it once.
@main
enum Today {
    static func main() async throws {
        exit(try await SampleApp.run(steps))
    }

    private static let steps = [
        // A tightened rule: an address with a plus sign was good enough yesterday.
        FlowStep("email", field: .email) { text, _ throws(FieldMessage) in
            guard !text.contains("+") else { throw FieldMessage("email.local_bad_character") }
            return try EmailAddress.normalized(text)
        },
        // Added; and the step that told who had sent somebody is removed.
        FlowStep("country", field: StepField("country", label: "Country")) { text, _ in text },
        // Brought forward: yesterday it was the last.
        FlowStep("lastName", field: .lastName) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
        // Another version: a first name begins with a capital letter.
        FlowStep(
            "firstName", version: 2, field: .firstName,
            upgrade: { text, _ in text.prefix(1).uppercased() + text.dropFirst() }
        ) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
        // Renamed.
        FlowStep("handle", formerly: ["userName"], field: .userName) { text, _ throws(FieldMessage) in
            try UserName.normalized(text)
        },
        // A condition: only where it has to be known.
        FlowStep(
            "company", field: StepField("company", label: "Company"), applies: { $0["country"] == "SE" }
        ) { text, _ in text },
        FlowStep(secret: "password", field: .password) { entered, earlier throws(FieldMessage) in
            try Password.preparedNew(entered, personal: earlier.values)
        },
    ]
}
