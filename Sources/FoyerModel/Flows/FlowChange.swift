/// Everything that one input changes, to be written in one transaction.
public struct FlowChange: Sendable {
    /// What the input makes of the flow as a whole.
    package enum Outcome: Sendable {
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
    package struct Answer: Sendable {
        /// The step that it answers.
        package let step: String
        /// The version of that step.
        package let version: Int
        /// How it is to be kept: `.clear` as text, `.secret` sealed; nil is kept as `volatile`, without a value.
        package let content: FlowDraft.Answer?

        /// Makes the value.
        package init(step: String, version: Int, content: FlowDraft.Answer?) {
            self.step = step
            self.version = version
            self.content = content
        }
    }

    /// What the store has to know of a step whose answer is a secret.
    package struct SecretStep: Sendable, Equatable {
        /// The name of its field on the wire, to which a box for the server is bound.
        package let wireName: String
        /// How long the secret can be used while the flow is open.
        package let lifetime: Duration

        /// Makes the value.
        package init(wireName: String, lifetime: Duration) {
            self.wireName = wireName
            self.lifetime = lifetime
        }
    }

    /// The flow as it was when the input was decided on; revision 0 for one that is not in the store yet.
    package var flow: SavedFlow
    /// The steps of the program that made the change.
    package var fingerprint: String
    /// The names of all steps that the program knows, former ones too: the answers to others are set aside. Nil leaves
    /// every answer as it is.
    package var knownSteps: [String]?
    /// The steps whose answers are secrets; one that is missing has its own name on the wire, and a day.
    package var secretSteps: [String: SecretStep]
    /// The answers that the input gave.
    package var answers: [Answer]
    /// What stands in the fields of steps and was not confirmed, by step, never a secret; nil leaves it as it is.
    package var unsent: [String: String]?
    /// The first step without a usable answer after this change.
    package var step: String?
    /// What becomes of the flow.
    package var outcome: Outcome
    /// Under which name the tree is saved; nil for a tree that works on this flow alone.
    package var host: String?
    /// The coordinator tree after this change.
    package var tree: [CoordinatorNode]
    /// When the input was decided on.
    package var at: Timestamp

    /// Makes a change.
    package init(
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
