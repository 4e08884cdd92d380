/// A flow as the store has it.
public struct SavedFlow: Sendable, Equatable, Identifiable {
    /// Where a flow stands.
    public enum Status: String, CaseIterable, Sendable {
        /// Answers are missing, or the network refused some.
        case open
        /// Every answer is given; the submission is on its way.
        case submitted
        /// The network has accepted it.
        case finished
        /// Somebody gave it up.
        case cancelled
        /// It was left alone for too long.
        case expired

        /// Whether the flow can still come to an end that it has not reached.
        public var isUnfinished: Bool { self == .open || self == .submitted }
    }

    /// The identifier.
    public let id: UUIDv7
    /// Which story it tells.
    public let kind: FlowKind
    /// The coordinator that runs it, such as `register`.
    public var path: String
    /// Where it stands.
    public let status: Status
    /// The steps of the program that saved it last.
    public let fingerprint: String
    /// The first step without a usable answer; nil when nothing is left to ask.
    public let step: String?
    /// The network's refusal that waits for the person, at the first refused step; nil once that step is answered.
    public let refusal: FieldMessage?
    /// Raised by every change: who decided on an older one is told that the flow has moved on.
    public let revision: Int
    /// The person it makes or signs in, once it was submitted.
    public let userID: UUIDv7?
    /// The network that it is made for (`AccountNetwork.endpoint`); nil before it is saved for the first time.
    public let endpoint: String?
    /// The identifier of the submission that finishing this flow makes, or has made: the idempotency key.
    public let submissionID: UUIDv7
    /// When it was begun.
    public let createdAt: Timestamp
    /// When it was last changed.
    public let updatedAt: Timestamp
    /// When it will be given up if nothing changes.
    public var expiresAt: Timestamp?
    /// The saved answers in the order of answering; empty where only an overview was asked for.
    public var answers: [SavedAnswer]
    /// What stood in the fields of steps and was not confirmed, by step; empty where only an overview was asked for.
    public var unsent: [String: String]

    /// Makes the value; used by whoever implements `FlowRepository`.
    public init(
        id: UUIDv7, kind: FlowKind, path: String, status: Status, fingerprint: String, step: String?,
        refusal: FieldMessage? = nil, revision: Int, userID: UUIDv7?, endpoint: String? = nil, submissionID: UUIDv7,
        createdAt: Timestamp, updatedAt: Timestamp, expiresAt: Timestamp?, answers: [SavedAnswer] = [],
        unsent: [String: String] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.path = path
        self.status = status
        self.fingerprint = fingerprint
        self.step = step
        self.refusal = refusal
        self.revision = revision
        self.userID = userID
        self.endpoint = endpoint
        self.submissionID = submissionID
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.expiresAt = expiresAt
        self.answers = answers
        self.unsent = unsent
    }

    /// Whether it was left alone for so long that it is not gone on with any more.
    public func isOverdue(at now: Timestamp) -> Bool {
        guard status == .open, let expiresAt else { return false }
        return expiresAt <= now
    }
}

/// One saved answer.
public struct SavedAnswer: Sendable, Equatable {
    /// How the answer lies in the store.
    public enum Kept: String, CaseIterable, Sendable {
        /// As readable text.
        case clear
        /// As a sealed secret.
        case sealed
        /// It was given, but not kept.
        case volatile
        /// It belongs to a step that the program of the last save did not have.
        case aside
    }

    /// The step that it answers.
    public let step: String
    /// The version of that step when it was answered.
    public let version: Int
    /// How it lies in the store.
    public let kept: Kept
    /// The text, where it is kept readable.
    public let value: String?
    /// The id of the message with which the network refused it.
    public let error: String?
    /// The order of answering, from 1.
    public let seq: Int
    /// When it was given, by the time of day.
    public let answeredAt: Timestamp
    /// How much time the store has counted since; nil where only `answeredAt` tells.
    public let age: Duration?
    /// Until when a sealed answer can be used; nil when its secret is gone.
    public let usableUntil: Timestamp?

    /// Makes the value; used by whoever implements `FlowRepository`.
    public init(
        step: String, version: Int, kept: Kept, value: String?, error: String?, seq: Int, answeredAt: Timestamp,
        age: Duration? = nil, usableUntil: Timestamp? = nil
    ) {
        self.step = step
        self.version = version
        self.kept = kept
        self.value = value
        self.error = error
        self.seq = seq
        self.answeredAt = answeredAt
        self.age = age
        self.usableUntil = usableUntil
    }
}
