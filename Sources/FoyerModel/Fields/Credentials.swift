/// What a finished form hands over: values by the fields' wire names, in the form's order, secrets kept apart.
public struct Credentials: Sendable {
    /// One value of a form.
    public enum Value: Sendable {
        /// A text that may be seen.
        case text(String)
        /// A text that must not be seen.
        case secret(Secret)

        /// The value as a secret, whether it has to be one or not.
        public var secret: Secret {
            switch self {
            case .text(let text): Secret(text)
            case .secret(let secret): secret
            }
        }
    }

    /// The fields in the form's order: wire name and value.
    public private(set) var fields: [(key: String, value: Value)] = []

    /// Makes credentials without any field.
    public init() {}

    /// The value under a wire name such as `email_field`; assigning nil takes the field out.
    public subscript(key: String) -> Value? {
        get { fields.first { $0.key == key }?.value }
        set {
            let position = fields.firstIndex { $0.key == key }
            switch (position, newValue) {
            case (let position?, let value?): fields[position].value = value
            case (let position?, nil): fields.remove(at: position)
            case (nil, let value?): fields.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// The values that may be seen, by wire name.
    public var texts: [String: String] {
        fields.reduce(into: [:]) { texts, field in
            if case .text(let text) = field.value { texts[field.key] = text }
        }
    }

    /// The values that must not be seen, by wire name.
    public var secrets: [String: Secret] {
        fields.reduce(into: [:]) { secrets, field in
            if case .secret(let secret) = field.value { secrets[field.key] = secret }
        }
    }
}
