import Foyer

extension Command {
    static let doctor = Command(
        name: "doctor", takes: 0...0, usage: "doctor", summary: "checks the file, the key and the queue",
        examples: ["foyer doctor", "foyer doctor --json"]
    ) { invocation in
        let options = invocation.options, path = try options.databasePath()
        let findings: [Finding]
        do throws(StoreError) {
            findings = try await Foyer.examine(at: path, keyFile: options.keyFile)
        } catch {
            guard error.code == .noDatabase else { throw error }
            findings = []
            Output.error("There is no database at \(path) yet.")
        }
        if options.json {
            Output.json(["findings": .array(findings.map { JSONValue($0) })])
        } else {
            Output.table(
                ["CHECK", "RESULT", "FOUND", "WHAT TO DO"],
                findings.map { [$0.check.rawValue, $0.isFine ? "ok" : "problem", $0.message, $0.repair ?? "-"] })
        }
        return findings.allSatisfy(\.isFine) ? .done : .configuration
    }

    static let db = Command(
        name: "db", takes: 1...2, usage: "db path | backup PATH | migrate",
        summary: "where the database is; a copy of it; its schema brought up to date",
        examples: [
            "sqlite3 \"$(foyer db path)\" 'SELECT * FROM registrations_in_progress'", "foyer db backup monday.db",
        ]
    ) { invocation in
        let path = try invocation.options.databasePath()
        let isJSON = invocation.options.json
        switch (invocation.arguments[0], invocation.arguments.dropFirst().first) {
        case ("path", nil):
            if isJSON { Output.json(["path": .string(path)]) } else { Output.line(path) }
        case ("backup", let copy?):
            try await Foyer.backUp(at: path, to: copy)
            if isJSON { Output.json(["path": .string(copy)]) } else { Output.line(copy) }
            Output.error("The key is not in it; keep a copy of that elsewhere.")
        case ("migrate", nil):
            let versions = try await Foyer.migrate(at: path)
            if isJSON {
                Output.json(["version_before": JSONValue(versions.from), "version": JSONValue(versions.to)])
            } else {
                Output.line(
                    versions.from == versions.to
                        ? "Schema version \(versions.to), up to date."
                        : "Schema version \(versions.from) is now \(versions.to).")
            }
        default: throw Failure.usage("Usage: \(invocation.command.line).")
        }
        return .done
    }
}

extension JSONValue {
    fileprivate init(_ finding: Finding) {
        self = .object([
            "check": .string(finding.check.rawValue), "ok": .bool(finding.isFine),
            "message": .string(finding.message), "repair": JSONValue(finding.repair),
        ])
    }
}
