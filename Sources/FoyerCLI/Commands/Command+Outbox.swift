import Foyer

extension Command {
    static let outbox = Command(
        name: "outbox", summary: "the submissions, and why each waits", flags: [Flag.show],
        commands: [outboxShow, outboxRetry, outboxCancel, outboxRedirect],
        examples: ["foyer outbox", "foyer outbox show 4c21f0a9", "foyer outbox retry 4c21f0a9"]
    ) { invocation in
        let submissions = try await invocation.options.openIfPresent()?.outbox.submissions() ?? []
        list(submissions.elements, invocation.options)
        Output.mention(submissions.damaged)
        return .done
    }

    private static let outboxShow = Command(
        name: "show", summary: "one submission with each of its sendings", arguments: [.id()], flags: [Flag.show],
        examples: ["foyer outbox show 4c21f0a9"], exitCodes: [.nothingThere]
    ) { invocation in
        let (foyer, submission) = try await submission(invocation, matching: .anyEnding)
        return try await show(submission, foyer, invocation.options)
    }

    private static let outboxRetry = Command(
        name: "retry", summary: "make it due now, a parked one too", arguments: [.id()],
        examples: ["foyer outbox retry 4c21f0a9"], exitCodes: [.nothingThere, .saved]
    ) { invocation in
        let (foyer, submission) = try await submission(invocation, matching: .anyEnding)
        return try await retry(submission, foyer, invocation.options)
    }

    private static let outboxCancel = Command(
        name: "cancel", summary: "take it back; where the network may have it, the next sync asks it to refuse it",
        details: "Takes the whole identifier; at a terminal its last 8 characters are enough.", arguments: [.id()],
        flags: [Flag.yes], examples: ["foyer outbox cancel 4c21f0a9"],
        exitCodes: [.nothingThere, .saved]
    ) { invocation in
        let (foyer, submission) = try await submission(invocation, matching: invocation.options.matchToDestroy)
        return try await cancel(submission, foyer, invocation.options)
    }

    private static let outboxRedirect = Command(
        name: "redirect", summary: "send it to another network than the one that it was made for",
        details: "--network names the network. Where the first one may have made the account already, there may be two "
            + "of them afterwards. Takes the whole identifier; at a terminal its last 8 characters are enough.",
        arguments: [.id()], flags: [Flag.yes],
        examples: ["foyer outbox redirect 4c21f0a9 --network https://accounts.example.org"],
        exitCodes: [.nothingThere, .saved]
    ) { invocation in
        let choice = try invocation.options.networkChoice()
        guard let network = choice.named, !choice.isOffline else {
            throw Failure.usage("Name the network that it is to be sent to with --network: mock, or a URL.")
        }
        let (foyer, submission) = try await submission(invocation, matching: invocation.options.matchToDestroy)
        return try await redirect(submission, to: network.endpoint, foyer, invocation.options)
    }

    @MainActor
    private static func redirect(
        _ submission: Submission, to endpoint: String, _ foyer: AccountStore, _ options: Options
    ) async throws -> ExitCode {
        if !options.yes {
            if submission.maybeSent {
                Output.error("\(submission.endpoint) may have it already: then there may be an account at both.")
            }
            let question = "Send \(submission.id.ending) to \(endpoint) in place of \(submission.endpoint)? [y/N] "
            guard isConfirmed(question, options) else {
                throw Failure(
                    code: "not_confirmed",
                    message:
                        "Nothing was changed. `foyer outbox redirect ID --network \(endpoint) --yes` does not ask.",
                    exit: .usage)
            }
        }
        let moved = try await foyer.outbox.redirect(submission.id, to: endpoint)
        if options.json {
            Output.json(["submissions": .array([JSONValue(moved)])])
        } else {
            Output.line("Due now at \(endpoint): \(moved.id)")
        }
        Output.next("`\(try options.syncCommand(for: endpoint, in: foyer))` delivers it.")
        return .done
    }

    @MainActor
    private static func submission(
        _ invocation: Invocation, matching match: IdentifierMatch
    ) async throws -> (AccountStore, Submission) {
        guard let foyer = try await invocation.options.openIfPresent() else {
            throw Failure.nothingNamed("submission")
        }
        return (foyer, try await foyer.storage.submission(named: invocation.arguments[0], matching: match))
    }

    @MainActor
    private static func list(_ submissions: [Submission], _ options: Options) {
        if options.json { return Output.json(["submissions": .array(submissions.map { JSONValue($0) })]) }
        Output.table(
            [
                "ID", "KIND", "STATE", Table.Column("ENDPOINT", shrinks: true),
                Table.Column("TRIES", isNumber: true), Table.Column("WHY", shrinks: true),
            ],
            submissions.map {
                [
                    Table.Cell($0.id.ending), Table.Cell($0.kind.rawValue), Table.Cell($0.state.name.rawValue),
                    Table.Cell($0.endpoint), Table.Cell($0.claims), Table.Cell($0.why ?? $0.state.reason ?? ""),
                ]
            })
    }

    @MainActor
    private static func show(_ submission: Submission, _ foyer: AccountStore, _ options: Options) async throws
        -> ExitCode
    {
        let attempts = try await foyer.outbox.attempts(of: submission.id)
        if options.json {
            Output.json(["submissions": .array([JSONValue(submission, attempts)])])
            return .done
        }
        let state = submission.state.name.rawValue, why = submission.why ?? submission.state.reason
        let told = why.map { $0.hasPrefix(state) ? $0 : "\(state), \($0)" } ?? state
        Output.line("\(submission.kind.rawValue) \(submission.id), for \(submission.endpoint): \(told)")
        let now = FoyerEnvironment.system.now()
        Output.table(
            ["BEGUN", "ENDED", "ASKED", "OUTCOME", "STATUS", Table.Column("PROBLEM", shrinks: true)],
            attempts.map {
                [
                    Table.Cell($0.startedAt, from: now), $0.endedAt.map { Table.Cell($0, from: now) } ?? "-",
                    Table.Cell($0.task), Table.Cell($0.outcome ?? "-"),
                    Table.Cell($0.httpStatus.map { "\($0)" } ?? "-"), Table.Cell($0.error ?? ""),
                ]
            })
        if submission.state.name == .parked {
            Output.next(
                "once the network is mended, `foyer outbox retry \(submission.id.ending)` and `foyer sync` send it "
                    + "again; `foyer outbox cancel \(options.nameToDestroy(submission.id))` takes it back.")
        }
        return .done
    }

    @MainActor
    private static func retry(_ submission: Submission, _ foyer: AccountStore, _ options: Options) async throws
        -> ExitCode
    {
        let due = try await foyer.outbox.retry(submission.id)
        if options.json {
            Output.json(["submissions": .array([JSONValue(due)])])
        } else {
            Output.line("Due now: \(due.id)")
        }
        Output.next("`foyer sync` delivers it.")
        return .done
    }

    @MainActor
    private static func cancel(_ submission: Submission, _ foyer: AccountStore, _ options: Options) async throws
        -> ExitCode
    {
        let changed = try await foyer.outbox.cancel(submission.id)
        if options.json { Output.json(["submissions": .array([JSONValue(changed)])]) }
        guard changed.state.isLive else {
            if !options.json { Output.line("Cancelled \(changed.id)") }
            Output.next("`foyer outbox` lists what still waits.")
            return .done
        }
        Output.error(willAskNetwork)
        return .saved
    }

    /// What is said where the network may have what is to be taken back.
    static let willAskNetwork =
        "The network may have it already. `foyer sync` asks it to refuse it; what it answers decides."
}

extension JSONValue {
    /// The submission together with its sendings.
    init(_ submission: Submission, _ attempts: [Submission.Attempt]) {
        guard case .object(var members) = JSONValue(submission) else {
            self = .null
            return
        }
        members["submission_attempts"] = .array(attempts.map { JSONValue($0) })
        self = .object(members)
    }

    fileprivate init(_ attempt: Submission.Attempt) {
        self = .object([
            "fence": .integer(attempt.fence), "worker": .string(attempt.worker), "task": .string(attempt.task),
            "started_at": JSONValue(attempt.startedAt), "ended_at": JSONValue(attempt.endedAt),
            "outcome": JSONValue(attempt.outcome),
            "http_status": attempt.httpStatus.map { JSONValue($0) } ?? .null, "error": JSONValue(attempt.error),
        ])
    }
}
