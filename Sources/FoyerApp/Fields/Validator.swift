public import Foyer

/// What is wrong with the text of one field.
public struct ValidationError: Error {
    /// The field.
    public let field: any FormTextField
    /// The sentence of the first rule that failed.
    public let errorMessage: String
}

/// Hears what a validation found.
public protocol ValidationDelegate: AnyObject {
    /// Every text meets its field's rules.
    func validationSuccessful()
    /// Some do not; the errors come in the fields' order, one of each field.
    func validationFailed(_ errors: [(field: any FormTextField, error: ValidationError)])
}

/// Holds the rules of a form's fields, and checks texts by them.
///
/// The library that the articles use goes through a dictionary, so its errors come in another order in every run;
/// here they come in the order of registration.
public struct Validator: Sendable {
    private var registered: [(field: any FormTextField, rules: [any Rule])] = []

    /// Makes a validator without any field.
    public init() {}

    /// Checks the field from now on; one that is registered already keeps its place and gets these rules.
    public mutating func registerField(_ field: any FormTextField, rules: [any Rule]) {
        if let place = place(of: field) {
            registered[place] = (field, rules)
        } else {
            registered.append((field, rules))
        }
    }

    /// Checks the field no more.
    public mutating func unregisterField(_ field: any FormTextField) {
        if let place = place(of: field) { registered.remove(at: place) }
    }

    /// What is wrong with the texts, by the fields' names on the wire; a text that is missing counts as empty.
    ///
    /// - Returns: the errors in the order of registration, the first rule that fails of each field.
    public func validate(_ values: [String: Secret]) -> [ValidationError] {
        registered.compactMap { field, rules in
            let value = values[field.apiKey] ?? Secret("")
            let broken = rules.first { !$0.validate(value) }
            return broken.map { ValidationError(field: field, errorMessage: $0.errorMessage()) }
        }
    }

    /// Checks the texts and tells the delegate, once.
    public func validate(_ delegate: any ValidationDelegate, _ values: [String: Secret]) {
        let errors = validate(values)
        guard !errors.isEmpty else { return delegate.validationSuccessful() }
        delegate.validationFailed(errors.map { ($0.field, $0) })
    }

    private func place(of field: any FormTextField) -> Int? {
        registered.firstIndex { $0.field.apiKey == field.apiKey }
    }
}
