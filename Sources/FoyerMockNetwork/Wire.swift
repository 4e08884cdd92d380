import FoyerModel
import FoyerPlatform

/// A submission as the server reads it from the wire; members that it does not know are passed over.
struct WireRequest {
    /// A secret, as it stands in the body.
    enum Secret {
        case plain(FoyerModel.Secret)
        case sealed(keyID: String, box: String)
    }

    let fields: [String: String]
    let secrets: [String: Secret]

    /// Nil when the body is not what the contract says.
    init?(_ body: FoyerModel.Secret) {
        guard let read = body.withBytes(Self.init(bytes:)) else { return nil }
        self = read
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard let json = SecretJSON(bytes),
            let skeleton = try? JSONDecoder().decode(Skeleton.self, from: Data(json.skeleton)), skeleton.schema == 1
        else { return nil }
        var fields: [String: String] = [:], secrets: [String: Secret] = [:]
        for (name, number) in skeleton.fields { fields[name] = json.text(number) }
        for (name, members) in skeleton.secrets {
            guard let secret = members.secret(in: json) else { return nil }
            secrets[name] = secret
        }
        (self.fields, self.secrets) = (fields, secrets)
    }

    /// The body with numbers in the place of its strings.
    private struct Skeleton: Decodable {
        let schema: Int
        let fields: [String: String]
        let secrets: [String: Members]

        private enum CodingKeys: CodingKey {
            case schema, fields, secrets
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            schema = try members.decode(Int.self, forKey: .schema)
            fields = try members.decode([String: String].self, forKey: .fields)
            // It may be missing, but not be null.
            secrets =
                members.contains(.secrets) ? try members.decode([String: Members].self, forKey: .secrets) : [:]
        }
    }

    private struct Members: Decodable {
        let mode: String
        let text: String?
        let key_id: String?
        let box: String?

        func secret(in json: borrowing SecretJSON) -> Secret? {
            switch json.text(mode) {
            case "plain": text.flatMap { json.secret($0) }.map(Secret.plain)
            case "server":
                if let keyID = key_id.flatMap({ json.text($0) }), let box = box.flatMap({ json.text($0) }) {
                    .sealed(keyID: keyID, box: box)
                } else {
                    nil
                }
            default: nil
            }
        }
    }
}

/// An answer of the server before it becomes bytes.
enum WireAnswer {
    case accepted(userID: String?)
    /// The submission was taken back before it had come.
    case cancelled
    case refused(status: Int, [FieldError])
    case problem(status: Int, type: String, detail: String)

    static let keyExpired = problem(
        status: 410, type: "key-expired", detail: "The key is too old to tell whether its submission came before")
    static let unknownKey = problem(status: 404, type: "unknown-key", detail: "No submission has this key")

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

        /// A sealed secret that the server does not take.
        init(field: String, _ problem: BoxProblem) {
            self.field = field
            self.code = problem.rawValue
            self.message = problem.message
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
