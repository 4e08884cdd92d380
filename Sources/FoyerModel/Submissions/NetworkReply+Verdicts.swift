import FoyerPlatform

/// The answers of the wire's contract, for a network of an app's own.
extension NetworkReply {
    /// The submission was taken.
    /// - Parameter userID: what the network calls the person; nil where it does not say.
    public static func accepted(userID: String? = nil) -> NetworkReply {
        reply(201, Verdict(verdict: "accepted", user: userID.map { Verdict.User(id: $0) }))
    }

    /// The submission was refused: the flow opens again at the first step that owns one of these fields.
    /// - Parameter fields: a stable code, such as `taken`, for each refused field by its name on the wire.
    public static func refused(_ fields: [String: String]) -> NetworkReply {
        let errors = fields.sorted { $0.key < $1.key }.map { Problem.FieldError(field: $0.key, code: $0.value) }
        return reply(422, Problem(type: "/problems/refused", status: 422, errors: errors))
    }

    /// The submission was taken back before it came, and is refused should it still come.
    public static let cancelled = reply(200, Verdict(verdict: "cancelled", user: nil))

    /// No submission has come under that key.
    public static let unknownKey = reply(404, Problem(type: "/problems/unknown-key", status: 404, errors: nil))

    private struct Verdict: Encodable {
        struct User: Encodable {
            let id: String
        }

        let schema = 1
        let verdict: String
        let user: User?
    }

    /// RFC 9457.
    private struct Problem: Encodable {
        struct FieldError: Encodable {
            let field: String
            let code: String
            let message = ""
        }

        let type: String
        let status: Int
        let errors: [FieldError]?
    }

    private static func reply(_ status: Int, _ body: some Encodable) -> NetworkReply {
        NetworkReply(
            status: status, body: (try? JSONEncoder().encode(body)).map(Array.init) ?? [],
            contentType: status < 400 ? "application/json" : "application/problem+json")
    }
}
