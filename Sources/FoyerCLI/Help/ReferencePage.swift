/// The reference of all commands as a page of Markdown.
struct ReferencePage {
    var text: String {
        var parts = [
            "# The commands of foyer",
            "Written by `foyer help --markdown` from the same description as the program's parser, help, completions and "
                + "manual page.",
            "Data goes to standard output; prompts, progress and errors go to standard error. With `--json`, standard "
                + "output carries exactly one object with `\"schema\": 1`: the result, or `error` with `code` and "
                + "`message`. Flags can stand anywhere on the line, as `--flag value` or `--flag=value`; `--` ends them. "
                + "Given twice, the last one counts.",
            "## Flags of all commands", Self.flags(Flag.global),
        ]
        for placed in PlacedCommand.all { parts += Self.section(placed) }
        for topic in HelpTopic.allCases {
            parts += ["## \(topic.title)", topic.introduction, Self.table(topic.rows.map { ("`\($0)`", $1) })]
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func section(_ placed: PlacedCommand) -> [String] {
        let command = placed.command
        return [
            "\(placed.path.count > 1 ? "###" : "##") \(placed.name)",
            command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".", command.details,
            "Usage: `\(placed.usage)`", "```\n\(command.examples.joined(separator: "\n"))\n```", flags(command.flags),
            "Exit codes: \(placed.exitCodes.map { "\($0.rawValue)" }.joined(separator: ", ")).",
        ]
    }

    private static func flags(_ flags: [Flag]) -> String {
        table(flags.map { ("`\(($0.letter.map { "-\($0), " } ?? "") + $0.usage)`", $0.summary) })
    }

    private static func table(_ rows: [(String, String)]) -> String {
        if rows.isEmpty { return "" }
        func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
        return (["| | |", "|---|---|"] + rows.map { "| \(cell($0)) | \(cell($1)) |" }).joined(separator: "\n")
    }
}
