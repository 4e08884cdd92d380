import Foyer

/// The fields of an account. Their types are private, as in the articles, so that nobody can alter or imitate one.
public enum AccountField {
    /// The e-mail address.
    public static let email: any FormTextField = EmailField()
    /// The name that a person chooses to be known by.
    public static let userName: any FormTextField = UserNameField()
    /// The password, at least nine characters.
    public static let password: any FormTextField = PasswordField()
    /// The first name.
    public static let firstName: any FormTextField = PersonNameField(field: .firstName)
    /// The last name.
    public static let lastName: any FormTextField = PersonNameField(field: .lastName)
}

private struct UserNameField: FormTextField {
    let placeholder = StepField.userName.label
    let apiKey = StepField.userName.wireName
}

private struct PasswordField: FormTextField {
    let placeholder = StepField.password.label
    let validationRules: [any Rule] = [
        MinLengthRule(length: 9, message: "Passwords need to be a minimum of 9 characters long")
    ]
    let apiKey = StepField.password.wireName
}

private struct EmailField: FormTextField {
    let placeholder = StepField.email.label
    let validationRules: [any Rule] = [EmailRule()]
    let apiKey = StepField.email.wireName
    let keyboardType = StepField.email.keyboard
}

private struct PersonNameField: FormTextField {
    let field: StepField
    var apiKey: String { field.wireName }
    var placeholder: String { field.label }
}
