/// The fields of an account. Their types are private, as in the articles, so that nobody can alter or imitate one.
public enum AccountField {
    /// The e-mail address.
    public static let email: any FormTextField = EmailField()
    /// The name that a person chooses to be known by.
    public static let userName: any FormTextField = UserNameField()
    /// The password, at least nine characters.
    public static let password: any FormTextField = PasswordField()
    /// The first name.
    public static let firstName: any FormTextField = PersonNameField(apiKey: "first_name", placeholder: "First Name")
    /// The last name.
    public static let lastName: any FormTextField = PersonNameField(apiKey: "last_name", placeholder: "Last Name")
}

private struct UserNameField: FormTextField {
    let placeholder = "User Name"
    let apiKey = "user_name"
}

private struct PasswordField: FormTextField {
    let placeholder = "Password"
    let validationRules: [any Rule] = [
        MinLengthRule(length: 9, message: "Passwords need to be a minimum of 9 characters long")
    ]
    let apiKey = "password"
}

private struct EmailField: FormTextField {
    let placeholder = "Email Address"
    let validationRules: [any Rule] = [EmailRule()]
    let apiKey = "email_field"
    let keyboardType = KeyboardType.emailAddress
}

private struct PersonNameField: FormTextField {
    let apiKey: String
    let placeholder: String
}
