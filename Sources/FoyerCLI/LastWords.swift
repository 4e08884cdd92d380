import Foyer

/// What a command about one flow says at its end, and how it ends: decided by what the store then holds and by nothing
/// that the command remembers, because others may have delivered, given up or erased the flow meanwhile.
enum LastWords: Equatable {
    /// The flow is as it should be: what is data, what a person should know, and the exit code.
    case told(ExitCode, data: String? = nil, [String])
    /// There is nothing to go on with.
    case failed(Failure)

    /// How the questions came to their end.
    enum Ending: Equatable, CaseIterable {
        /// The input has ended before the last answer.
        case inputEnded
        /// The input has ended at the last look.
        case reviewed
        /// The person gave the flow up.
        case givenUp
        /// Nothing is asked any more.
        case answered
    }

    /// - Parameters:
    ///   - ending: how the questions came to their end.
    ///   - found: what the store holds by now.
    ///   - wasSaved: whether the store has held the flow before.
    ///   - options: how the command was called.
    @MainActor
    init(_ ending: Ending, _ found: SavedRecord, wasSaved: Bool, _ options: Options) {
        switch (found.flow?.status, found.submission) {
        case (nil, _) where ending == .givenUp: self = Self.givenUp
        case (nil, _) where !wasSaved: self = .told(.saved, ["Nothing was entered, and nothing was saved."])
        case (nil, _), (.submitted, nil): self = .failed(.gone)
        case (.open, _) where ending == .reviewed:
            self = .told(.saved, ["Everything is answered. `foyer resume --yes` sends it."])
        case (.open, _): self = .told(.saved, ["Saved. `foyer resume` continues."])
        case (.submitted, let submission?):
            let (exit, words) = submission.waitingWords(
                after: found.lastAttempt, delivering: found.syncCommand, options)
            self = .told(exit, [words])
        case (.finished, _): self = .told(.done, data: found.verdict, ["Next: \(found.next)"])
        case (.cancelled, _) where ending == .givenUp: self = Self.givenUp
        case (.cancelled, _): self = .failed(.closed("was given up elsewhere meanwhile"))
        case (.expired, _): self = .failed(.closed("was left alone for too long, and has expired"))
        }
    }

    private static let givenUp = Self.told(.done, ["Given up. `foyer help` lists how to begin again."])
}

extension Submission {
    /// What becomes of a submission without a verdict, and what to do about it.
    /// - Parameters:
    ///   - attempt: how it was sent last.
    ///   - sync: the command that delivers it.
    @MainActor
    func waitingWords(
        after attempt: Submission.Attempt?, delivering sync: String, _ options: Options
    ) -> (ExitCode, String) {
        if isCancelWanted { return (.saved, Command.willAskNetwork) }
        guard case .parked(let reason) = state else {
            let why = why.flatMap { state.due != nil && $0 != "due now" ? " (\($0))" : nil } ?? ""
            return (.saved, "Saved. The network has not decided yet\(why); `\(sync)` delivers.")
        }
        return (
            attempt?.httpStatus == nil ? .saved : .brokenContract,
            "Saved, but parked: \(reason). No sync sends it by itself. "
                + "`foyer outbox show \(id.ending)` tells more, `foyer outbox retry \(id.ending)` sends it again, "
                + "`foyer outbox cancel \(options.nameToDestroy(id))` takes it back."
        )
    }
}

extension Failure {
    /// The flow was in the store and is not any more.
    static let gone = Failure(StoreError.flowGone)

    fileprivate static func closed(_ fate: String) -> Failure {
        Failure(StoreError(.flowClosed, "This flow \(fate). Nothing of it is sent any more."))
    }
}

/// What the store holds of one flow at one moment.
struct SavedRecord {
    var flow: SavedFlow?
    /// What the flow has submitted last.
    var submission: Submission?
    /// How that was sent last.
    var lastAttempt: Submission.Attempt?
    var user: User?
    /// The command that delivers the submission.
    var syncCommand = "foyer sync"

    init(
        flow: SavedFlow? = nil, submission: Submission? = nil, lastAttempt: Submission.Attempt? = nil, user: User? = nil
    ) {
        (self.flow, self.submission, self.lastAttempt, self.user) = (flow, submission, lastAttempt, user)
    }

    /// Reads it.
    init(of id: UUIDv7?, in foyer: AccountStore, _ options: Options) async throws(StoreError) {
        guard let id, let flow = try await foyer.flows.flow(id) else { return }
        self.flow = flow
        submission = try await foyer.outbox.submission(flow.submissionID)
        if let submission { syncCommand = try options.syncCommand(for: submission.endpoint, in: foyer) }
        if submission != nil { lastAttempt = try await foyer.outbox.attempts(of: flow.submissionID).last }
        if let id = flow.userID { user = try await foyer.users.user(id) }
    }

    /// What the network has decided, in words.
    fileprivate var verdict: String {
        let name = user.map { $0.userName ?? $0.id.text } ?? "somebody"
        return switch flow?.kind {
        case .login: "Signed in as \(name)"
        case .reset: "If that address has an account, a mail with a new password is on its way."
        case .register, nil: "Registered \(name)"
        }
    }

    fileprivate var next: String {
        flow?.kind == .reset
            ? "`foyer login` signs in with the password of that mail." : "`foyer users` shows who is in the store."
    }

    /// The members of the object that `--json` gives.
    var members: [String: JSONValue] {
        [
            "flow": flow.map { JSONValue($0) } ?? .null, "submission": submission.map { JSONValue($0) } ?? .null,
            "user": user.map { JSONValue($0) } ?? .null,
        ]
    }
}
