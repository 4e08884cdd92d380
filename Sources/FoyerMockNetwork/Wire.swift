#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import FoyerModel

/// A submission as the server reads it from the wire.
struct WireRequest: Decodable {
    struct PlainSecret: Decodable {
        let mode: String
        let text: String
    }

    let schema: Int
    let fields: [String: String]
    let secrets: [String: PlainSecret]?

    /// Nil when the body is not what the contract says.
    init?(_ body: Secret) {
        let decoded = body.withBytes { try? JSONDecoder().decode(WireRequest.self, from: Data($0)) }
        guard let decoded, decoded.schema == 1 else { return nil }
        self = decoded
    }

    func secret(_ name: String) -> Secret? {
        guard let secret = secrets?[name], secret.mode == "plain" else { return nil }
        return Secret(secret.text)
    }
}

/// An answer of the server before it becomes bytes.
enum WireAnswer {
    case accepted(userID: String?)
    /// The submission was taken back before it had come.
    case cancelled
    case refused(status: Int, [FieldError])
    case problem(status: Int, type: String, detail: String)

    struct FieldError: Encodable {
        let field: String
        let code: String
        let message: String

        /// What the server's check of a field says; the code is the message's stable id.
        init(field: String, _ message: FieldMessage) {
            self.field = field
            self.code = message.id
            self.message = message.text
        }

        /// `user_name` or `email_field` belongs to another account.
        init(taken field: String, _ message: FieldMessage) {
            self.field = field
            self.code = "taken"
            self.message = message.text
        }
    }

    var status: Int {
        switch self {
        case .accepted: 201
        case .cancelled: 200
        case .refused(let status, _), .problem(let status, _, _): status
        }
    }

    private struct Verdict: Encodable {
        struct User: Encodable { let id: String }
        let schema = 1
        var verdict = "accepted"
        var user: User?
    }

    /// RFC 9457, with the fields that were refused.
    private struct Problem: Encodable {
        let type: String
        let title: String
        let status: Int
        let errors: [FieldError]?
    }

    func body() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data =
            switch self {
            case .accepted(let id):
                try encoder.encode(Verdict(user: id.map(Verdict.User.init(id:))))
            case .cancelled:
                try encoder.encode(Verdict(verdict: "cancelled"))
            case .refused(let status, let errors):
                try encoder.encode(
                    Problem(
                        type: "/problems/refused", title: "Some fields were refused", status: status, errors: errors))
            case .problem(let status, let type, let detail):
                try encoder.encode(Problem(type: "/problems/\(type)", title: detail, status: status, errors: nil))
            }
        return String(decoding: data, as: UTF8.self)
    }
}
