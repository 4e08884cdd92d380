/// Everything that a store has about one person, without their secrets.
public struct PersonalData: Sendable {
    /// The person.
    public let user: User
    /// Their flows with all answers; of what is secret, that it was given.
    public let flows: [SavedFlow]
    /// What was or will be sent for them.
    public let submissions: [SentData]
    /// What the journal says about them.
    public let events: [JournalEntry]

    /// Makes the value.
    public init(user: User, flows: [SavedFlow], submissions: [SentData], events: [JournalEntry]) {
        self.user = user
        self.flows = flows
        self.submissions = submissions
        self.events = events
    }

    /// A submission with what it says and how it was sent.
    public struct SentData: Sendable {
        /// The submission.
        public let submission: Submission
        /// The JSON body without its secrets.
        public let body: String
        /// Its sendings.
        public let attempts: [Submission.Attempt]

        /// Makes the value.
        public init(submission: Submission, body: String, attempts: [Submission.Attempt]) {
            self.submission = submission
            self.body = body
            self.attempts = attempts
        }
    }
}

/// One line of the journal.
public struct JournalEntry: Sendable, Hashable {
    /// Its place in the journal.
    public let seq: Int64
    /// When it happened.
    public let at: Timestamp
    /// What happened.
    public let what: String
    /// The flow that it happened to.
    public let flowID: UUIDv7?
    /// The submission that it happened to.
    public let submissionID: UUIDv7?
    /// The person that it happened to.
    public let userID: UUIDv7?
    /// More about it, such as the step or the reason.
    public let detail: String?

    /// Makes the value.
    public init(
        seq: Int64, at: Timestamp, what: String, flowID: UUIDv7?, submissionID: UUIDv7?, userID: UUIDv7?,
        detail: String?
    ) {
        self.seq = seq
        self.at = at
        self.what = what
        self.flowID = flowID
        self.submissionID = submissionID
        self.userID = userID
        self.detail = detail
    }
}
