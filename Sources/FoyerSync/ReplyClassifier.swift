package import FoyerModel
import FoyerPlatform

/// Gives every status and every network failure its one class; never "accepted" without a body that says so.
package enum ReplyClassifier {
    /// Longer bodies are not read at all: no answer of the contract comes near it.
    static let maximumBody = 256 * 1024

    /// - Parameters:
    ///   - task: what was asked; a question for the outcome is answered like the submission was.
    ///   - definition: the steps that refused fields belong to.
    package static func classify(
        _ result: Result<NetworkReply, NetworkFailure>, to task: ClaimedSubmission.Task = .submit,
        of definition: FlowDefinition? = nil
    ) -> ReplyClass {
        switch result {
        case .failure(.unreachable(let reason)): .unsent(reason: reason)
        case .failure(.untrusted(let reason)): .unsent(reason: "the network could not prove who it is: \(reason)")
        case .failure(.interrupted(let reason)): .maybeSent(reason: reason)
        case .failure(.malformed(let reason)): .outOfContract(reason: reason)
        case .success(let reply):
            switch (classify(reply, definition), task) {
            case (.parked, .askOutcome) where reply.status == 404: .neverSeen
            // A question is asked again: only what was to be sent can need somebody's help.
            case (.parked(let reason), .askOutcome), (.parked(let reason), .cancel): .outOfContract(reason: reason)
            case (let meaning, _): meaning
            }
        }
    }

    private static func classify(_ reply: NetworkReply, _ definition: FlowDefinition?) -> ReplyClass {
        switch reply.status {
        case 200, 201: verdict(reply).map { .verdict($0) } ?? garbage(reply)
        case 202: .wait(after: RetryAfter.wait(reply), reason: "the network is still at work")
        case 403, 409, 412, 422, 423, 428: refusal(reply, definition)
        case 410: isForeign(reply) ? garbage(reply) : .tooOld
        case 401, 407, 429, 502, 503, 504, 511, 520...529: unavailable(reply)
        case 501, 505: parked(reply)
        // What HTTP does not know is treated as the 500 of its class (RFC 9110, section 15).
        case 408, 425, 500...599: .maybeSent(reason: "the network answered \(reply.status)")
        case 100..<400: garbage(reply)
        default: isForeign(reply) ? garbage(reply) : parked(reply)
        }
    }

    private static func unavailable(_ reply: NetworkReply) -> ReplyClass {
        .unavailable(after: RetryAfter.wait(reply), reason: "the network answered \(reply.status)")
    }

    private static func parked(_ reply: NetworkReply) -> ReplyClass {
        .parked(reason: "the network answered \(reply.status), which another try would not change")
    }

    private static func garbage(_ reply: NetworkReply) -> ReplyClass {
        .outOfContract(reason: "the network answered \(reply.status) with something else than a verdict")
    }

    // MARK: Bodies

    private struct Answer: Decodable {
        struct User: Decodable { let id: String? }
        let schema: Int
        let verdict: String
        let user: User?
    }

    private struct Problem: Decodable {
        let type: String?
        let errors: [FieldRefusal.WireError]?
    }

    private static let takenBack = Verdict.cancelled(reason: "taken back")

    private static func verdict(_ reply: NetworkReply) -> Verdict? {
        guard !isForeign(reply), let body = decode(Answer.self, from: reply), body.schema == 1 else { return nil }
        switch body.verdict {
        case "accepted":
            // An empty name names nobody.
            guard let id = body.user?.id, !id.isEmpty else { return .accepted(remoteID: nil) }
            return isName(id) ? .accepted(remoteID: id) : nil
        case "cancelled": return takenBack
        default: return nil
        }
    }

    /// Whether an identifier is one that can be stored and shown: of 255 bytes at most, without control characters.
    private static func isName(_ id: String) -> Bool {
        id.utf8.count <= 255 && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func refusal(_ reply: NetworkReply, _ definition: FlowDefinition?) -> ReplyClass {
        guard !isForeign(reply) else { return garbage(reply) }
        let problem = decode(Problem.self, from: reply)
        if let errors = problem?.errors, !errors.isEmpty {
            return .verdict(.rejected(FieldRefusal.all(from: errors, in: definition)))
        }
        if reply.status == 409, problem?.type == "/problems/cancelled" { return .verdict(takenBack) }
        // Still being worked on where the network asks for patience, else a mistake of ours.
        if reply.status == 409, let wait = RetryAfter.wait(reply) {
            return .wait(after: wait, reason: "the network is still at work")
        }
        return .parked(reason: "the network answered \(reply.status) without saying which field it refuses")
    }

    /// Whether somebody else answered in the network's place: a body of another type than the contract's.
    private static func isForeign(_ reply: NetworkReply) -> Bool {
        guard let type = reply.contentType, !reply.body.isEmpty else { return false }
        let name = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return name != "application/json" && !(name.hasPrefix("application/") && name.hasSuffix("+json"))
    }

    private static func decode<Body: Decodable>(_ type: Body.Type, from reply: NetworkReply) -> Body? {
        guard reply.body.count <= maximumBody,
            reply.body.withUnsafeBufferPointer(JSONSyntax.isUnambiguous)
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(reply.body))
    }
}
