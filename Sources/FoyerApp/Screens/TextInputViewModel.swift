public import Foyer

/// What a ``TextInputScreen`` shows: one field with its text, its rules and what is wrong with it.
public struct TextInputViewModel: Sendable {
    /// The heading of the screen.
    public let title: String
    /// The name of the field's value in a `ScreenInput`.
    public let key: String
    /// The field that is asked for.
    public let field: any FormTextField
    /// What the field is for; nil where it is none of the usual ones.
    public let purpose: FieldPurpose?
    /// Whether what is typed must not be seen.
    public let isSecret: Bool
    /// One line about the field's rules.
    public let hint: String?
    /// What the field shows already; never a secret.
    public let text: String?
    /// What is wrong with what was entered before.
    public let error: FieldMessage?

    /// Makes the view model of a field.
    public init(
        title: String, key: String, field: any FormTextField, purpose: FieldPurpose? = nil, isSecret: Bool = false,
        hint: String? = nil, text: String? = nil, error: FieldMessage? = nil
    ) {
        self.title = title
        self.key = key
        self.field = field
        self.purpose = purpose
        self.isSecret = isSecret
        self.hint = hint
        self.text = isSecret ? nil : text
        self.error = error
    }

    /// What the field is called on the screen.
    public var placeholder: String { field.placeholder }
    /// Which keyboard helps.
    public var keyboard: KeyboardType { field.keyboardType }
    /// The form-level rules of the field.
    public var rules: [any Rule] { field.validationRules }

    /// The field as it is shown.
    var fieldView: FieldView {
        FieldView(
            key: key, field: field, purpose: purpose, value: text, isSecret: isSecret, hint: hint, error: error)
    }
}
