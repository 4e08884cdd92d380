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
        FlowStep("email", field: AccountField.email) { text, _ throws(FieldMessage) in
            try EmailAddress.normalized(text)
        },
        FlowStep("userName", field: AccountField.userName) { text, _ throws(FieldMessage) in
            try UserName.normalized(text)
        },
        FlowStep("referral", field: Question("referral", "Who told you")) { text, _ in text },
        FlowStep("company", field: Question("company", "Company")) { text, _ in text },
        FlowStep(secret: "password", field: AccountField.password) { entered, earlier throws(FieldMessage) in
            try Password.preparedNew(entered, personal: earlier.values)
        },
        FlowStep("firstName", field: AccountField.firstName) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
        FlowStep("lastName", field: AccountField.lastName) { text, _ throws(FieldMessage) in
            try PersonName.normalized(text)
        },
    ]
}
