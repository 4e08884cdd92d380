public import Foyer
import Synchronization

/// A network that does what a test wants, and keeps count of what it has done.
///
/// As the contract of the wire says, the answer to a key is kept: who sends it again gets that answer, and causes nothing.
public final class ScriptedNetwork: AccountNetwork {
    /// What the network does with a submission that comes for the first time.
    public enum Answer: Sendable, Equatable {
        /// Takes it.
        case accept
        /// Refuses one of its fields, by its name on the wire such as `user_name`, with a stable code such as `taken`.
        case refuse(field: String, code: String)
        /// Cannot be reached: nothing of the submission comes.
        case unreachable
        /// Takes it, and its answer never comes back.
        case loseAnswer
        /// Answers with this HTTP status and an empty body, and does nothing; 503 is tried again, 501 is not.
        case status(Int)
    }

    /// A submission that was accepted.
    public struct Effect: Sendable, Equatable {
        /// What was asked for.
        public let kind: FlowKind
        /// The fields by their names on the wire; never a secret.
        public let fields: [String: String]

        /// Makes the value, to compare with.
        public init(kind: FlowKind, fields: [String: String]) {
            self.kind = kind
            self.fields = fields
        }
    }

    public let endpoint = "scripted"

    private struct State {
        var script: [Answer]
        var answers: [UUIDv7: NetworkReply] = [:]
        var effects: [Effect] = []
        var submissions = 0
    }

    private let state: Mutex<State>

    /// Makes a network that gives these answers, one for each submission that comes, and then accepts everything.
    public init(_ script: [Answer] = []) {
        state = Mutex(State(script: script))
    }

    /// Adds answers to those that are not used up yet.
    public func script(_ answers: Answer...) {
        state.withLock { $0.script += answers }
    }

    /// What was accepted, in that order: one for each finish, however often it was sent.
    public var effects: [Effect] { state.withLock { $0.effects } }

    /// How often something was sent, also in vain.
    public var submissions: Int { state.withLock { $0.submissions } }

    public func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply {
        let fields = SubmissionBody.fields(of: request.body) ?? [:]
        return try state.withLock { state throws(NetworkFailure) in
            state.submissions += 1
            let answer = state.script.isEmpty ? .accept : state.script.removeFirst()
            if answer == .unreachable { throw .unreachable("by the script") }
            if let reply = state.answers[request.key] { return reply }
            switch answer {
            case .status(let status): return NetworkReply(status: status, body: [])
            case .refuse(let field, let code):
                let reply = NetworkReply.refused([field: code])
                state.answers[request.key] = reply
                return reply
            case .accept, .loseAnswer, .unreachable:
                state.effects.append(Effect(kind: request.kind, fields: fields))
                let reply = NetworkReply.accepted()
                state.answers[request.key] = reply
                if answer == .loseAnswer { throw .interrupted("by the script") }
                return reply
            }
        }
    }

    public func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        state.withLock { $0.answers[key] } ?? .unknownKey
    }

    public func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply {
        state.withLock { state in
            let reply = state.answers[key] ?? .cancelled
            state.answers[key] = reply
            return reply
        }
    }
}
