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

    /// The flow as it was when the input was decided on; revision 0 for one that is not in the store yet.
    public var flow: SavedFlow
    /// The steps of the program that made the change.
    public var fingerprint: String
    /// The names of all steps that the program knows, former ones too: the answers to others are set aside. Nil leaves
    /// every answer as it is.
    public var knownSteps: [String]?
    /// The answers that the input gave.
    public var answers: [Answer]
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
        flow: SavedFlow, fingerprint: String, knownSteps: [String]? = nil, answers: [Answer] = [], step: String?,
        outcome: Outcome = .open,
        host: String? = nil, tree: [CoordinatorNode] = [], at: Timestamp
    ) {
        self.flow = flow
        self.fingerprint = fingerprint
        self.knownSteps = knownSteps
        self.answers = answers
        self.step = step
        self.outcome = outcome
        self.host = host
        self.tree = tree
        self.at = at
    }
}

/// One coordinator of a saved tree.
public struct CoordinatorNode: Sendable, Equatable {
    /// The slots from the root down, joined by `/`.
    public let path: String
    /// The parent's name for this child.
    public let slot: String
    /// The place among the parent's children, from 0.
    public let position: Int
    /// The JSON text from which the coordinator is made again.
    public let config: String
    /// The JSON text of what else it has to know.
    public let state: String

    /// Makes the value.
    public init(path: String, slot: String, position: Int, config: String, state: String) {
        self.path = path
        self.slot = slot
        self.position = position
        self.config = config
        self.state = state
    }
}
