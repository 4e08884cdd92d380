extension FlowDefinition {
    /// Registration: `email, userName, password, firstName, lastName`.
    public static let setup = FlowDefinition(
        checked: .setup, steps: [.email, .newUserName, .newPassword, .firstName, .lastName])

    /// Sign-in: `userName, password`.
    public static let login = FlowDefinition(checked: .login, steps: [.userName, .password])

    /// A forgotten password: `email`.
    public static let forgotPassword = FlowDefinition(checked: .forgotPassword, steps: [.email])

    /// The definition that ships for a kind of flow.
    public static func standard(for kind: AccountType) -> FlowDefinition {
        switch kind {
        case .setup: setup
        case .login: login
        case .forgotPassword: forgotPassword
        }
    }
}

extension FlowStep {
    static let email = FlowStep("email", field: AccountField.email) { text, _ throws(FieldMessage) in
        try EmailAddress.normalized(text)
    }

    static let newUserName = FlowStep(
        "userName", field: AccountField.userName, hint: "3 to 32 letters, digits, dots, hyphens or underscores."
    ) { text, _ throws(FieldMessage) in
        try UserName.normalized(text)
    }

    /// An existing name is not held to today's rules for new ones: the network knows whether it exists.
    static let userName = FlowStep("userName", field: AccountField.userName) { text, _ throws(FieldMessage) in
        try UserName.existing(text)
    }

    static let newPassword = FlowStep(
        "password", field: AccountField.password, keep: .sealed, hint: PasswordPolicy.project9.hint
    ) { text, earlier throws(FieldMessage) in
        try Password.preparedNew(text, personal: earlier.values)
    }

    static let password = FlowStep("password", field: AccountField.password, keep: .sealed) {
        text, _ throws(FieldMessage) in
        try Password.preparedExisting(text)
    }

    static let firstName = FlowStep("firstName", field: AccountField.firstName) { text, _ throws(FieldMessage) in
        try PersonName.normalized(text)
    }

    static let lastName = FlowStep("lastName", field: AccountField.lastName) { text, _ throws(FieldMessage) in
        try PersonName.normalized(text)
    }
}
