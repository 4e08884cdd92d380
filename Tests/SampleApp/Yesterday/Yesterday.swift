import Foyer
import Glibc
import SampleApp

/// The sample app as it was released yesterday.
@main
enum Yesterday {
    static func main() async throws {
        exit(try await SampleApp.run(steps))
    }

    private static let steps = [
        FlowStep("email", field: .email) { text, _ throws(FieldMessage) in
            try EmailAddress.normalized(text)
        },
        FlowStep("userName", field: .userName) { text, _ throws(FieldMessage) in
            try UserName.normalized(text)
        },
        FlowStep("referral", field: StepField("referral", label: "Who told you")) { text, _ in text },
        FlowStep("company", field: StepField("company", label: "Company")) { text, _ in text },
        FlowStep(secret: "password", field: .password) { entered, earlier throws(FieldMessage) in
            try Password.preparedNew(entered, personal: earlier.values)
        },
        FlowStep("firstName", field: .firstName) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
        FlowStep("lastName", field: .lastName) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
    ]
}
