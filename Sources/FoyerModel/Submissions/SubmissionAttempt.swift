extension Submission {
    /// One sending of a submission.
    public struct Attempt: Sendable, Equatable {
        /// Which claim it was.
        public let fence: Int64
        /// Who sent.
        public let worker: String
        /// What was asked of the network: `submit`, `cancel` or `ask outcome`.
        public let task: String
        /// When it began.
        public let startedAt: Timestamp
        /// When it was over; nil while it lasts.
        public let endedAt: Timestamp?
        /// What came of it: such as `accepted`, `unsent`, `retry`, `worker died`.
        public let outcome: String?
        /// The status of the answer.
        public let httpStatus: Int?
        /// What went wrong.
        public let error: String?

        /// Makes the value; used by whoever implements `SubmissionRepository`.
        public init(
            fence: Int64, worker: String, task: String, startedAt: Timestamp, endedAt: Timestamp?, outcome: String?,
            httpStatus: Int?, error: String?
        ) {
            self.fence = fence
            self.worker = worker
            self.task = task
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.outcome = outcome
            self.httpStatus = httpStatus
            self.error = error
        }
    }
}
