public import Foyer

/// One field of a form: what it is called on the wire and on the screen, and what its text must meet.
public protocol FormTextField: Sendable {
    /// The field's name on the wire, such as `email_field`.
    var apiKey: String { get }
    /// The field's name on the screen.
    var placeholder: String { get }
    /// The colour of its text.
    var textColor: TextColor { get }
    /// What the text must meet; the first rule that fails speaks.
    var validationRules: [any Rule] { get }
    /// Which keyboard helps.
    var keyboardType: KeyboardType { get }
}

extension FormTextField {
    public var textColor: TextColor { .lightGray }
    public var validationRules: [any Rule] { [RequiredRule()] }
    public var keyboardType: KeyboardType { .default }
}

/// The fields of a form, in their order.
public typealias FormFields = [any FormTextField]

extension StepField {
    /// The field of a step that shows a form's field.
    public init(_ field: any FormTextField) {
        self.init(field.apiKey, label: field.placeholder, keyboard: field.keyboardType, color: field.textColor)
    }
}

/// The field of a step can stand in a form.
extension StepField: FormTextField {
    public var apiKey: String { wireName }
    public var placeholder: String { label }
    public var textColor: TextColor { color }
    public var keyboardType: KeyboardType { keyboard }
}

extension FieldView {
    /// Makes the view of a form's field.
    public init(
        key: String, field: any FormTextField, purpose: FieldPurpose? = nil, value: String? = nil, isSecret: Bool,
        hint: String? = nil, error: FieldMessage? = nil
    ) {
        self.init(
            key: key, field: StepField(field), purpose: purpose, value: value, isSecret: isSecret, hint: hint,
            error: error)
    }
}
