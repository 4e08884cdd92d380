import Foyer

extension Command {
    static let doctor = Command(
        name: "doctor", summary: "check the file, the key and the queue; nothing is changed",
        examples: ["foyer doctor", "foyer doctor --json"], exitCodes: [.configuration]
    ) { invocation in
        let options = invocation.options, path = try options.databasePath()
        let key = try options.key.source(asking: !options.noInput)
        let findings: [Finding]
        do {
            findings = try await Progress.showing("Checking", options) { progress in
                try await AccountStore.examine(at: path, key: key, progress: progress.update)
            }
        } catch let error as StoreError where error.code == .noDatabase {
            findings = []
            Output.error("There is no database at \(path) yet.")
        }
        if options.json {
            Output.json(["findings": .array(findings.map { JSONValue($0) })])
        } else {
            tell(findings)
        }
        let problems = findings.count { !$0.isFine }
        guard problems > 0 else { return .done }
        Output.error("\(problems) of \(findings.count) checks found a problem.")
        return .configuration
    }

    static let db = Command(
        name: "db", summary: "where the database is; a backup, and back; its schema; what is over its time removed",
        commands: [dbPath, dbBackup, dbRestore, dbMigrate, dbPrune, dbTrustClock],
        examples: [
            "sqlite3 \"$(foyer db path)\" 'SELECT * FROM registrations_in_progress'", "foyer db backup monday.db",
            "foyer db prune --dry-run",
        ])

    private static let dbPath = Command(
        name: "path", summary: "where the database is, or would be", examples: ["foyer db path"]
    ) { invocation in
        let path = try invocation.options.databasePath()
        if invocation.options.json { Output.json(["path": .string(path)]) } else { Output.exact(path) }
        return .done
    }

    private static let dbBackup = Command(
        name: "backup", summary: "copy the database as it is at one moment, also while others use it",
        arguments: [Argument(name: "PATH", isFile: true)], examples: ["foyer db backup monday.db"],
        exitCodes: [.nothingThere, .cannotCreate, .ioError]
    ) { invocation in
        let copy = invocation.arguments[0]
        let path = try invocation.options.databasePath()
        try await Progress.showing("Copying", invocation.options) { progress in
            try await AccountStore.backUp(at: path, to: copy, progress: progress.update)
        }
        if invocation.options.json { Output.json(["path": .string(copy)]) } else { Output.exact(copy) }
        Output.error("The key is not in it; keep a copy of that elsewhere.")
        Output.next("`foyer doctor --database \(copy)` checks the copy.")
        return .done
    }

    private static let dbMigrate = Command(
        name: "migrate", summary: "bring the schema up to date, as every command does that opens the database",
        examples: ["foyer db migrate"], exitCodes: [.nothingThere, .configuration]
    ) { invocation in
        let path = try invocation.options.databasePath()
        let versions = try await Progress.showing("Migrating", invocation.options) { progress in
            try await AccountStore.migrate(at: path, progress: progress.update)
        }
        if invocation.options.json {
            Output.json(["version_before": JSONValue(versions.from), "version": JSONValue(versions.to)])
        } else {
            Output.line(
                versions.from == versions.to
                    ? "Schema version \(versions.to), up to date."
                    : "Schema version \(versions.from) is now \(versions.to).")
        }
        Output.next("`foyer` says where things stand.")
        return .done
    }

    private static let dbPrune = Command(
        name: "prune", summary: "remove what nobody goes on with, and write the file anew",
        flags: [Flag.dryRun, Flag.yes], examples: ["foyer db prune --dry-run", "foyer db prune --yes"],
        exitCodes: [.saved]
    ) { invocation in
        try await prune(invocation.options)
    }
}

extension Command {
    private static let dbTrustClock = Command(
        name: "trust-clock", summary: "count the time that this machine was off: its clock is right",
        details:
            "Time that passes while the machine is off for more than a day is not counted at once, because a wrong "
            + "clock looks the same. Whatever is older than that ages by it then, and may be over its time.",
        flags: [Flag.yes], examples: ["foyer db trust-clock"]
    ) { invocation in
        let options = invocation.options, foyer = try await options.openIfPresent()
        let off = try await foyer?.uncountedTime() ?? .zero
        if off > .zero, !options.yes, StandardInput.isTerminal, !options.noInput {
            Output.error("By its clock this machine was off for \(RelativeTime.length(off)).")
            guard isConfirmed("Is that true? What is over its time then goes. [y/N] ", options) else {
                throw Failure(
                    code: "not_confirmed", message: "Nothing was counted. `foyer db trust-clock --yes` does not ask.",
                    exit: .usage)
            }
        }
        let counted = try await foyer?.trustClock() ?? .zero
        if options.json {
            Output.json(["counted_seconds": .integer(counted.components.seconds)])
        } else {
            Output.line(counted > .zero ? "\(RelativeTime.length(counted)) counted." : "All time is counted already.")
        }
        Output.next("`foyer db prune --dry-run` tells what is over its time.")
        return .done
    }

    /// A table; on a terminal, what to do stands below it, where it is never cut.
    @MainActor
    private static func tell(_ findings: [Finding]) {
        var columns: [Table.Column] = ["CHECK", "RESULT", Table.Column("FOUND", shrinks: true)]
        var rows = findings.map {
            [Table.Cell($0.check.rawValue), Table.Cell($0.isFine ? "ok" : "problem"), Table.Cell($0.words)]
        }
        if !Output.isTerminal {
            columns.append("WHAT TO DO")
            rows = zip(rows, findings).map { $0 + [Table.Cell($1.advice ?? "-")] }
        }
        Output.table(columns, rows)
        guard Output.isTerminal else { return }
        for finding in findings where !finding.isFine {
            Output.line("")
            Output.line("\(finding.check.rawValue): \(finding.words)")
            if let repair = finding.advice { Output.line("What to do: \(repair)") }
        }
    }

    /// Removes what is over its time, or counts it.
    @MainActor
    private static func prune(_ options: Options) async throws -> ExitCode {
        let foyer = try await options.openIfPresent()
        if !options.dryRun, !options.yes, StandardInput.isTerminal, !options.noInput {
            try confirm(try await foyer?.prunable() ?? RetentionPolicy.Pruned(), options)
        }
        let pruned = try await Progress.showing("Removing", options) { _ in
            try await options.dryRun ? foyer?.prunable() : foyer?.prune()
        }
        let counts = pruned ?? RetentionPolicy.Pruned()
        if options.json {
            Output.json([
                "expired": JSONValue(counts.expired), "flows": JSONValue(counts.flows),
                "submissions": JSONValue(counts.submissions), "events": JSONValue(counts.events),
                "remnants": JSONValue(counts.remnants),
            ])
        } else {
            Output.line(
                "\(counts.flows) flows, \(counts.submissions) submissions and \(counts.events) entries of the journal "
                    + (options.dryRun ? "are over their time." : "were over their time, and are gone."))
        }
        guard let remnants = counts.remnants else {
            Output.next(
                options.dryRun ? "`foyer db prune` removes them." : "`foyer` says where things stand.")
            return .done
        }
        Output.error("\(remnants) The next `foyer` command tries again to clean the file.")
        return .saved
    }
}

extension Command {
    /// At a terminal somebody is asked before anything goes; elsewhere it goes, as a timer wants it.
    @MainActor
    private static func confirm(_ prunable: RetentionPolicy.Pruned, _ options: Options) throws(Failure) {
        guard prunable.flows + prunable.submissions + prunable.events > 0 else { return }
        Output.error(
            "\(prunable.flows) flows, \(prunable.submissions) submissions and \(prunable.events) entries of the "
                + "journal are over their time. Nothing brings them back.")
        guard isConfirmed("Remove them? [y/N] ", options) else {
            throw Failure(
                code: "not_confirmed", message: "Nothing was removed. `foyer db prune --yes` does not ask.",
                exit: .usage)
        }
    }
}

extension JSONValue {
    fileprivate init(_ finding: Finding) {
        self = .object([
            "check": .string(finding.check.rawValue), "ok": .bool(finding.isFine),
            "message": .string(finding.words), "repair": JSONValue(finding.advice),
        ])
    }
}
