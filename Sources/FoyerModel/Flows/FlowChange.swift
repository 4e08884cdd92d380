/// Everything that one input changes, to be written in one transaction.
public struct FlowChange: Sendable {
    /// What the input makes of the flow as a whole.
    public enum Outcome: Sendable {
        /// The flow goes on.
        case open
        /// Every answer is given: the person and the submission are made in the same transaction.
        case submitted(Finish)
        /// The flow is given up.
        case cancelled
    }

    /// The person and the submission that a finished flow makes.
    public struct Finish: Sendable {
        /// The person, with status `pending`; nil for flows that make none.
        public var user: User?
        /// The submission; its identifier is the flow's `submissionID`, so that finishing twice queues once.
        public var submission: NewSubmission
        /// Secrets, by step, that were not kept while the flow was open: sealed now, so that they can be delivered.
        public var secrets: [String: Secret]

        /// Makes the value.
        public init(user: User?, submission: NewSubmission, secrets: [String: Secret] = [:]) {
            self.user = user
            self.submission = submission
            self.secrets = secrets
        }
    }

    /// One answer to write.
    public struct Answer: Sendable {
        /// The step that it answers.
        public let step: String
        /// The version of that step.
        public let version: Int
        /// How it is to be kept: `.clear` as text, `.secret` sealed; nil is kept as `volatile`, without a value.
        public let content: FlowDraft.Answer?

        /// Makes the value.
        public init(step: String, version: Int, content: FlowDraft.Answer?) {
            self.step = step
            self.version = version
            self.content = content
        }
    }

    /// What the store has to know of a step whose answer is a secret.
    public struct SecretStep: Sendable, Equatable {
        /// The name of its field on the wire, to which a box for the server is bound.
        public let wireName: String
        /// How long the secret can be used while the flow is open.
        public let lifetime: Duration

        /// Makes the value.
        public init(wireName: String, lifetime: Duration) {
            self.wireName = wireName
            self.lifetime = lifetime
        }
    }

    /// The flow as it was when the input was decided on; revision 0 for one that is not in the store yet.
    public var flow: SavedFlow
    /// The steps of the program that made the change.
    public var fingerprint: String
    /// The names of all steps that the program knows, former ones too: the answers to others are set aside. Nil leaves
    /// every answer as it is.
    public var knownSteps: [String]?
    /// The steps whose answers are secrets; one that is missing has its own name on the wire, and a day.
    public var secretSteps: [String: SecretStep]
    /// The answers that the input gave.
    public var answers: [Answer]
    /// What stands in the fields of steps and was not confirmed, by step, never a secret; nil leaves it as it is.
    public var unsent: [String: String]?
    /// The first step without a usable answer after this change.
    public var step: String?
    /// What becomes of the flow.
    public var outcome: Outcome
    /// Under which name the tree is saved; nil for a tree that works on this flow alone.
    public var host: String?
    /// The coordinator tree after this change.
    public var tree: [CoordinatorNode]
    /// When the input was decided on.
    public var at: Timestamp

    /// Makes a change.
    public init(
        flow: SavedFlow, fingerprint: String, knownSteps: [String]? = nil, secretSteps: [String: SecretStep] = [:],
        answers: [Answer] = [], unsent: [String: String]? = nil, step: String?, outcome: Outcome = .open,
        host: String? = nil, tree: [CoordinatorNode] = [], at: Timestamp
    ) {
        self.flow = flow
        self.fingerprint = fingerprint
        self.knownSteps = knownSteps
        self.secretSteps = secretSteps
        self.answers = answers
        self.unsent = unsent
        self.step = step
        self.outcome = outcome
        self.host = host
        self.tree = tree
        self.at = at
    }
}
