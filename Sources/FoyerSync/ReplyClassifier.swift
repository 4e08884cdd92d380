#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import FoyerModel

/// What an answer of the network means for the submission.
enum ReplyClass: Equatable {
    /// The account is there.
    case accepted(remoteID: String?)
    /// These fields were refused: wire name and code.
    case rejected([RefusedField])
    /// It is worth another try.
    case transient(reason: String, isStrike: Bool, isUnsent: Bool, retryAfter: Duration?)
    /// Another try would end the same way.
    case parked(reason: String)

    struct RefusedField: Equatable, Decodable {
        let field: String
        let code: String
    }
}

/// Gives every status and every network failure its one class; never "accepted" without a body that says so.
enum ReplyClassifier {
    /// Longer bodies are not read at all: no answer of the contract comes near it.
    static let maximumBody = 256 * 1024

    static func classify(_ result: Result<NetworkReply, NetworkFailure>) -> ReplyClass {
        switch result {
        case .failure(.unreachable(let reason)), .failure(.untrusted(let reason)):
            .transient(reason: reason, isStrike: false, isUnsent: true, retryAfter: nil)
        case .failure(.interrupted(let reason)), .failure(.malformed(let reason)):
            .transient(reason: reason, isStrike: true, isUnsent: false, retryAfter: nil)
        case .success(let reply): classify(reply)
        }
    }

    private static func classify(_ reply: NetworkReply) -> ReplyClass {
        switch reply.status {
        case 200, 201: accepted(reply) ?? garbage(reply)
        case 403, 409, 412, 422, 423, 428: rejected(reply) ?? unexplained(reply)
        case 429, 502, 503, 504, 520...529: transient(reply, isStrike: false)
        case 401, 407, 511: transient(reply, isStrike: false)
        case 501, 505: parked(reply)
        // What HTTP does not know is treated as the 500 of its class (RFC 9110, section 15).
        case 408, 425, 500...599: transient(reply, isStrike: true)
        case 100..<400: garbage(reply)
        default: parked(reply)
        }
    }

    private static func parked(_ reply: NetworkReply) -> ReplyClass {
        .parked(reason: "the network answered \(reply.status), which another try would not change")
    }

    private struct Acceptance: Decodable {
        struct User: Decodable { let id: String? }
        let schema: Int
        let verdict: String
        let user: User?
    }

    private struct Problem: Decodable {
        let errors: [ReplyClass.RefusedField]
    }

    private static func accepted(_ reply: NetworkReply) -> ReplyClass? {
        guard let body = decode(Acceptance.self, from: reply), body.schema == 1, body.verdict == "accepted" else {
            return nil
        }
        // An empty name names nobody.
        return .accepted(remoteID: body.user?.id.flatMap { $0.isEmpty ? nil : $0 })
    }

    private static func rejected(_ reply: NetworkReply) -> ReplyClass? {
        guard let body = decode(Problem.self, from: reply), !body.errors.isEmpty else { return nil }
        return .rejected(body.errors)
    }

    /// A refusal that names no field: still being worked on where the network asks for patience, else a mistake of ours.
    private static func unexplained(_ reply: NetworkReply) -> ReplyClass {
        if reply.status == 409, reply.retryAfter != nil { return transient(reply, isStrike: false) }
        return .parked(reason: "the network answered \(reply.status) without saying which field it refuses")
    }

    private static func garbage(_ reply: NetworkReply) -> ReplyClass {
        .transient(
            reason: "the network answered \(reply.status) with something else than a verdict", isStrike: true,
            isUnsent: false, retryAfter: nil)
    }

    private static func transient(_ reply: NetworkReply, isStrike: Bool) -> ReplyClass {
        let seconds = reply.retryAfter.flatMap { Int($0) }.map { min(max(0, $0), 86400) }
        return .transient(
            reason: "the network answered \(reply.status)", isStrike: isStrike, isUnsent: false,
            retryAfter: seconds.map { .seconds($0) })
    }

    private static func decode<Body: Decodable>(_ type: Body.Type, from reply: NetworkReply) -> Body? {
        guard reply.body.count <= maximumBody else { return nil }
        return try? JSONDecoder().decode(type, from: Data(reply.body))
    }
}
