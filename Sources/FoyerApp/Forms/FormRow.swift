public import Foyer

/// A row that can be used again for another field.
@FlowActor
public protocol ReusableRow: AnyObject {
    /// The name under which rows of one kind are kept.
    static var reuseID: String { get }
    /// Makes an empty row.
    init()
    /// Forgets what the row showed before.
    func prepareForReuse()
}

extension ReusableRow {
    public static var reuseID: String { String(describing: self) }
}

/// Projects a field to what is seen of it: the articles' `FormTableViewCell`.
@FlowActor
public final class FormRow: ReusableRow {
    /// What the field shows already.
    public var text: String?
    /// What the field is for; nil where it is none of the usual ones.
    public var purpose: FieldPurpose?
    /// Whether what is typed must not be seen.
    public var isSecret = false

    public init() {}

    public func prepareForReuse() {
        text = nil
        purpose = nil
        isSecret = false
    }

    /// The field as it is shown; never the text of a secret.
    public func setView(for field: any FormTextField) -> FieldView {
        FieldView(
            key: field.apiKey, field: field, purpose: purpose, value: isSecret ? nil : text, isSecret: isSecret)
    }
}
