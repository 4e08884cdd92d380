import Foyer
import FoyerPlatform

/// A value of the program's `--json` output, in which what is missing is written as null.
enum JSONValue: Encodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    init(_ number: Int) {
        self = .integer(Int64(number))
    }

    init(_ moment: Timestamp?) {
        self.init(moment?.description)
    }

    init(_ id: UUIDv7?) {
        self.init(id?.text)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// One line, keys sorted, with nothing in it that a terminal would act on.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "null" }
        return PrintableText.escapedJSON(String(decoding: data, as: UTF8.self))
    }
}

// Keys are named like the columns of the tables.

extension JSONValue {
    init(_ user: User) {
        self = .object([
            "id": JSONValue(user.id), "remote_id": JSONValue(user.remoteID), "email": JSONValue(user.email),
            "user_name": JSONValue(user.userName), "first_name": JSONValue(user.firstName),
            "last_name": JSONValue(user.lastName), "status": .string(user.status.rawValue),
            "created_at": JSONValue(user.createdAt), "updated_at": JSONValue(user.updatedAt),
        ])
    }

    init(_ flow: SavedFlow) {
        self = .object(Self.members(of: flow))
    }

    /// The flow together with its answers; what is secret is not among them.
    init(withAnswersOf flow: SavedFlow) {
        var members = Self.members(of: flow)
        members["steps"] = .array(
            flow.answers.map { answer in
                .object([
                    "step": .string(answer.step), "version": JSONValue(answer.version),
                    "kept": .string(answer.kept.rawValue), "value": JSONValue(answer.value),
                    "error": JSONValue(answer.error), "seq": JSONValue(answer.seq),
                    "answered_at": JSONValue(answer.answeredAt),
                ])
            })
        self = .object(members)
    }

    private static func members(of flow: SavedFlow) -> [String: JSONValue] {
        [
            "id": JSONValue(flow.id), "kind": .string(flow.kind.rawValue), "path": .string(flow.path),
            "status": .string(flow.status.rawValue), "fingerprint": .string(flow.fingerprint),
            "step": JSONValue(flow.step), "refused": JSONValue(flow.refusal?.id), "revision": JSONValue(flow.revision),
            "user_id": JSONValue(flow.userID),
            "endpoint": JSONValue(flow.endpoint), "submission_id": JSONValue(flow.submissionID),
            "created_at": JSONValue(flow.createdAt),
            "updated_at": JSONValue(flow.updatedAt), "expires_at": JSONValue(flow.expiresAt),
        ]
    }

    init(_ submission: Submission) {
        self = .object([
            "seq": .integer(submission.seq), "id": JSONValue(submission.id), "flow_id": JSONValue(submission.flowID),
            "user_id": JSONValue(submission.userID), "kind": .string(submission.kind.rawValue),
            "endpoint": .string(submission.endpoint), "lane": .string(submission.lane),
            "state": .string(submission.state.name.rawValue), "reason": JSONValue(submission.state.reason),
            "due_at": submission.state.due.map { .integer($0.milliseconds) } ?? .null,
            "expires_at": submission.expiresAt.map { .integer($0.milliseconds) } ?? .null,
            "claims": JSONValue(submission.claims), "failures": JSONValue(submission.failures),
            "worker_deaths": JSONValue(submission.workerDeaths), "maybe_sent": JSONValue(submission.maybeSent ? 1 : 0),
            "cancel_wanted": JSONValue(submission.isCancelWanted ? 1 : 0),
            "http_status": submission.httpStatus.map { JSONValue($0) } ?? .null,
            "last_error": JSONValue(submission.lastError), "created_at": JSONValue(submission.createdAt),
            "settled_at": JSONValue(submission.settledAt), "why": JSONValue(submission.why),
        ])
    }

    /// What became of each saved answer: one object each, with its fate and why.
    init(_ reconciliation: Reconciliation) {
        let answers = reconciliation.fates.sorted { $0.key < $1.key }.map { step, fate -> JSONValue in
            var members: [String: JSONValue] = ["step": .string(step), "fate": .string(fate.name)]
            if case .askedAgain(let reason) = fate { members["reason"] = .string(reason.rawValue) }
            if case .invalid(let message) = fate { members["error"] = .string(message.id) }
            if let name = reconciliation.renamed[step] { members["now"] = .string(name) }
            return .object(members)
        }
        self = .object([
            "answers": .array(answers), "inserted": .array(reconciliation.inserted.map(JSONValue.string)),
            "skipped": .array(reconciliation.skipped.map(JSONValue.string)), "step": JSONValue(reconciliation.cursor),
        ])
    }
}

extension Reconciliation.Fate {
    fileprivate var name: String {
        switch self {
        case .kept: "kept"
        case .upgraded: "upgraded"
        case .askedAgain: "asked_again"
        case .invalid: "invalid"
        case .aside: "aside"
        }
    }
}
