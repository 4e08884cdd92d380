public import Foyer

/// Whether a form is valid, and the messages if it is not.
public typealias ValidationCallback = (Bool, [String]?)

/// The same as ``ValidationCallback``, with nothing that contradicts itself, and with the fields.
public enum FormOutcome: Sendable {
    /// Every field meets its rules.
    case valid
    /// Some do not; in the order of the fields.
    case invalid([ValidationError])
}

/// Hears whether a form was valid.
@FlowActor
public protocol FormViewModelDelegate: AnyObject {
    /// `(true, nil)`, or `(false, messages)` with the messages in the order of the fields.
    func formWasValidated(_ successfully: ValidationCallback)
}

/// The form of each of the three stories: its fields, what was entered, and whether that meets the rules.
@FlowActor
public final class FormViewModel {
    /// Which story the form belongs to.
    public let type: AccountType
    /// Hears about every validation; weak, because a screen owns its form and is the delegate.
    public weak var delegate: (any FormViewModelDelegate)?
    /// What the last validation found; nil before the first.
    @Unsaved public private(set) var outcome: FormOutcome? = nil
    /// What was entered, by the fields' wire names.
    @Unsaved private(set) var values: [String: Secret] = [:]

    private let rows = RowPool()

    /// All fields are registered at once, not each when its row is first shown as in the articles: a field that no
    /// presenter has drawn yet is checked all the same.
    private lazy var validator = fields.reduce(into: Validator()) { validator, field in
        validator.registerField(field, rules: field.validationRules)
    }

    /// Makes an empty form.
    public init(type: AccountType) {
        self.type = type
    }

    /// The fields in their order.
    public var fields: FormFields {
        switch type {
        case .login: [AccountField.userName, AccountField.password]
        case .setup: [AccountField.email, AccountField.userName, AccountField.password]
        case .forgotPassword: [AccountField.email]
        }
    }

    /// Takes what an input carries, in place of what was entered before.
    ///
    /// The articles read the visible cells instead, and lose a submit whose fields have been scrolled away.
    public func take(_ values: [String: Secret]) {
        self.values = values.filter { value in fields.contains { $0.apiKey == value.key } }
    }

    /// Forgets the secrets of what was entered; the rest stays, to be shown again.
    public func forgetSecrets() {
        values = values.filter { !isSecret($0.key) }
    }

    /// What was entered, in the order of the fields.
    public var credentials: Credentials {
        fields.reduce(into: Credentials()) { credentials, field in
            guard let value = values[field.apiKey] else { return }
            credentials[field.apiKey] = isSecret(field.apiKey) ? .secret(value) : .text(String(revealing: value))
        }
    }

    /// Checks what the last input carried, and tells the delegate.
    public func validateForm() {
        validator.validate(self, values)
    }

    /// The steps decide what is a secret; what they do not know is taken for one.
    private func isSecret(_ apiKey: String) -> Bool { step(apiKey)?.isSecret ?? true }

    private func step(_ apiKey: String) -> FlowStep? { FlowDefinition.standard(for: type.kind).step(forField: apiKey) }
}

extension FormViewModel: FormDataSource {
    public var numberOfRows: Int { fields.count }

    public func row(at index: Int) -> FieldView? {
        guard fields.indices.contains(index) else { return nil }
        let field = fields[index], row = rows.dequeue(FormRow.self)
        defer { rows.recycle(row) }
        row.isSecret = isSecret(field.apiKey)
        row.purpose = step(field.apiKey)?.purpose
        if !row.isSecret { row.text = values[field.apiKey].map { String(revealing: $0) } }
        return row.setView(for: field)
    }
}

extension FormViewModel: ValidationDelegate {
    public func validationSuccessful() {
        outcome = .valid
        delegate?.formWasValidated((true, nil))
    }

    public func validationFailed(_ errors: [(field: any FormTextField, error: ValidationError)]) {
        outcome = .invalid(errors.map(\.error))
        delegate?.formWasValidated((false, errors.map(\.error.errorMessage)))
    }
}
