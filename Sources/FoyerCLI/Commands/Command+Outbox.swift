import Foyer

extension Command {
    static let outbox = Command(
        name: "outbox", takes: 0...2, usage: "outbox [show ID | retry ID | cancel ID]",
        summary: "the submissions, and why each waits",
        examples: ["foyer outbox", "foyer outbox show 4c21f0a9", "foyer outbox retry 4c21f0a9"]
    ) { invocation in
        let foyer = try await invocation.options.open(creating: false)
        guard let verb = invocation.arguments.first else {
            list(try await foyer?.outbox.submissions() ?? [], invocation.options)
            return .done
        }
        guard invocation.arguments.count == 2, ["show", "retry", "cancel"].contains(verb) else {
            throw Failure.usage("Usage: \(invocation.command.line).")
        }
        let ending = invocation.arguments[1]
        guard let foyer else { throw Failure(StoreError(.notFound, "There is no submission \"\(ending)\".")) }
        let submission = try await foyer.outbox.submission(endingIn: ending)
        switch verb {
        case "retry": return try await retry(submission, foyer, invocation.options)
        case "cancel": return try await cancel(submission, foyer, invocation.options)
        default: return try await show(submission, foyer, invocation.options)
        }
    }

    @MainActor
    private static func list(_ submissions: [Submission], _ options: Options) {
        if options.json { return Output.json(["submissions": .array(submissions.map { JSONValue($0) })]) }
        Output.table(
            ["ID", "KIND", "STATE", "TRIES", "WHY"],
            submissions.map {
                [$0.id.ending, $0.kind.rawValue, $0.state.rawValue, "\($0.claims)", $0.why ?? $0.reason ?? ""]
            })
    }

    @MainActor
    private static func show(_ submission: Submission, _ foyer: Foyer, _ options: Options) async throws -> ExitCode {
        let attempts = try await foyer.outbox.attempts(of: submission.id)
        if options.json {
            Output.json(["submissions": .array([JSONValue(submission, attempts)])])
            return .done
        }
        let why = submission.why ?? submission.reason
        Output.line(
            "\(submission.kind.rawValue) \(submission.id): \(submission.state.rawValue)\(why.map { ", \($0)" } ?? "")")
        Output.table(
            ["BEGUN", "ENDED", "ASKED", "OUTCOME", "STATUS", "PROBLEM"],
            attempts.map {
                [
                    "\($0.startedAt)", $0.endedAt.map { "\($0)" } ?? "-", $0.task, $0.outcome ?? "-",
                    $0.httpStatus.map { "\($0)" } ?? "-", $0.error ?? "",
                ]
            })
        return .done
    }

    @MainActor
    private static func retry(_ submission: Submission, _ foyer: Foyer, _ options: Options) async throws -> ExitCode {
        let due = try await foyer.outbox.retry(submission.id)
        if options.json {
            Output.json(["submissions": .array([JSONValue(due)])])
        } else {
            Output.line("Due now: \(due.id)")
        }
        return .done
    }

    @MainActor
    private static func cancel(_ submission: Submission, _ foyer: Foyer, _ options: Options) async throws -> ExitCode {
        let changed = try await foyer.outbox.cancel(submission.id)
        if options.json { Output.json(["submissions": .array([JSONValue(changed)])]) }
        guard changed.state.isLive else {
            if !options.json { Output.line("Cancelled \(changed.id)") }
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
    fileprivate init(_ submission: Submission, _ attempts: [SubmissionAttempt]) {
        guard case .object(var members) = JSONValue(submission) else {
            self = .null
            return
        }
        members["submission_attempts"] = .array(attempts.map { JSONValue($0) })
        self = .object(members)
    }

    fileprivate init(_ attempt: SubmissionAttempt) {
        self = .object([
            "fence": .integer(attempt.fence), "worker": .string(attempt.worker), "task": .string(attempt.task),
            "started_at": JSONValue(attempt.startedAt), "ended_at": JSONValue(attempt.endedAt),
            "outcome": JSONValue(attempt.outcome),
            "http_status": attempt.httpStatus.map { JSONValue($0) } ?? .null, "error": JSONValue(attempt.error),
        ])
    }
}
