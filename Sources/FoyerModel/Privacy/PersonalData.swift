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
