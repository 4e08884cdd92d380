import FoyerModel

extension FieldRefusal {
    /// The message for a code that neither the definition nor the catalogue knows.
    static let generalMessage = "server.rejected"

    /// A refused field as the network names it, with its stable code.
    struct WireError: Decodable {
        let field: String
        let code: String
    }

    /// What a refusal means for the steps of a definition, in the order of asking; the first code of a field counts.
    /// After them, without a step, the errors that belong to no step or that another one goes before.
    static func all(from errors: [WireError], in definition: FlowDefinition?) -> [FieldRefusal] {
        var rest = errors
        let owned = (definition?.steps ?? []).compactMap { step -> FieldRefusal? in
            guard let index = rest.firstIndex(where: { $0.field == step.field.wireName }) else { return nil }
            return FieldRefusal(step: step.id, message: message(for: rest.remove(at: index), in: definition))
        }
        return owned + rest.map { FieldRefusal(step: nil, message: message(for: $0, in: definition)) }
    }

    /// The network's names of a field and a code for which this program has no message; nil where it has one.
    var unknownCode: (field: String, code: String)? {
        guard let field = message.parameters["field"], let code = message.parameters["code"] else { return nil }
        return (field, code)
    }

    /// The message of the definition or the catalogue for a network's code; what neither knows is never shown as it came.
    static func message(for error: WireError, in definition: FlowDefinition?) -> FieldMessage {
        // A box that the network cannot use holds nothing any more that this device could seal again.
        if error.code == "key_unknown" || error.code.hasPrefix("box_") {
            return FieldMessage("flow.secret_unavailable")
        }
        let area =
            switch error.field {
            case "email_field": "email"
            case "user_name": "username"
            case "first_name", "last_name": "name"
            default: error.field
            }
        let known = ["\(area).\(error.code)", error.code].first {
            MessageCatalog.english[$0] != nil || definition?.messages[$0] != nil
        }
        return known.map { FieldMessage($0) }
            ?? FieldMessage(generalMessage, ["field": name(error.field), "code": name(error.code)])
    }

    /// A text that looks like no name may hold anything, and is `other`.
    private static func name(_ text: String) -> String {
        let isName = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { nameBytes.contains($0) }
        return isName ? text : "other"
    }

    private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789._-".utf8)
}
