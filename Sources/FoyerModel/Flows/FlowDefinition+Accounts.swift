extension FlowDefinition {
    /// Registration: `email, userName, password, firstName, lastName`.
    public static let register = register(passwords: .project9)

    /// Registration under other rules than the usual ones; the account server has to take what they let through.
    ///
    /// - Parameters:
    ///   - passwords: how long a password has to be, and which ones are too common.
    ///   - userNames: which letters a user name can have.
    ///   - smtputf8: whether letters of all scripts pass before the @ of an e-mail address.
    public static func register(
        passwords: PasswordPolicy, userNames: UserName.Profile = .ascii, smtputf8: Bool = false
    ) -> FlowDefinition {
        FlowDefinition(
            checked: .register,
            steps: [
                .email(smtputf8: smtputf8), .newUserName(userNames), .newPassword(passwords), .firstName, .lastName,
            ])
    }

    /// Sign-in: `userName, password`.
    public static let login = FlowDefinition(checked: .login, steps: [.userName, .password])

    /// A forgotten password: `email`.
    public static let reset = FlowDefinition(checked: .reset, steps: [.email()])

    /// The definition that ships for a kind of flow.
    public static func standard(for kind: FlowKind) -> FlowDefinition {
        switch kind {
        case .register: register
        case .login: login
        case .reset: reset
        }
    }
}

extension FlowStep {
    static func email(smtputf8: Bool = false) -> FlowStep {
        FlowStep("email", field: .email, purpose: .email) { text, _ throws(FieldMessage) in
            try EmailAddress.normalized(text, smtputf8: smtputf8)
        }
    }

    static func newUserName(_ profile: UserName.Profile) -> FlowStep {
        FlowStep("userName", field: .userName, purpose: .userName, hint: UserName.hint(profile)) {
            text, _ throws(FieldMessage) in
            try UserName.normalized(text, profile: profile)
        }
    }

    /// An existing name is not held to today's rules for new ones: the network knows whether it exists.
    static let userName = FlowStep("userName", field: .userName, purpose: .identifier) {
        text, _ throws(FieldMessage) in
        try UserName.existing(text)
    }

    static func newPassword(_ policy: PasswordPolicy) -> FlowStep {
        FlowStep(secret: "password", field: .password, purpose: .newPassword, hint: policy.hint) {
            entered, earlier throws(FieldMessage) in
            try Password.preparedNew(entered, policy: policy, personal: earlier.values)
        }
    }

    static let password = FlowStep(secret: "password", field: .password, purpose: .currentPassword) {
        entered, _ throws(FieldMessage) in
        try Password.preparedExisting(entered)
    }

    static let firstName = FlowStep("firstName", field: .firstName, purpose: .firstName) {
        text, _ throws(FieldMessage) in
        try PersonName.normalized(text)
    }

    static let lastName = FlowStep("lastName", field: .lastName, purpose: .lastName) {
        text, _ throws(FieldMessage) in
        try PersonName.normalized(text)
    }
}
