/// The manual page foyer(1), in mdoc.
struct ManualPage {
    var text: String {
        let lines =
            [
                ".Dd \(programDate)", ".Dt FOYER 1", ".Os", ".Sh NAME", ".Nm foyer",
                ".Nd account flows that survive whatever interrupts them", ".Sh SYNOPSIS", ".Nm foyer",
                ".Op Ar command", ".Op Ar argument ...", ".Op Ar flag ...", ".Sh DESCRIPTION",
                ".Nm", "remembers everyone who is half-way through a registration, a sign-in or a",
                "password reset.", "Every answer is saved as it is given, and what is finished reaches the server",
                "exactly once in effect.",
                ".Pp", "Data goes to standard output; prompts, progress and errors go to standard error.",
            ]
            + Self.sentences(
                "Flags can stand anywhere on the line, as --flag value or --flag=value; -- ends them. "
                    + "Given twice, the last one counts.") + [".Ss Flags of all commands"]
            + Self.list(Flag.global.map(Self.row)) + [".Sh COMMANDS"] + PlacedCommand.all.flatMap(Self.section)
            + [".Sh KEYS"] + Self.topic(.keys) + [".Sh ENVIRONMENT"] + Self.topic(.environment) + [".Sh FILES"]
            + Self.topic(.configFiles)
            + [".Sh EXIT STATUS"] + Self.topic(.exitCodes)
            + [
                ".Sh EXAMPLES", "Begin a registration from a script, with the password in a file of its own:",
                ".Dl \(Self.escaped("printf '%s\\n' ada@example.org ada Ada Lovelace | foyer register --password-file pw"))",
                ".Sh SEE ALSO", ".Xr sqlite3 1",
            ]
        return lines.joined(separator: "\n")
    }

    private static func section(_ placed: PlacedCommand) -> [String] {
        let command = placed.command
        return [".Ss \(escaped(placed.usage))\\&"] + sentences("\(command.summary).") + sentences(command.details)
            + list(command.flags.map(row)) + [".Pp", "Examples:"] + command.examples.map { ".Dl \(escaped($0))" }
    }

    private static func topic(_ topic: HelpTopic) -> [String] { sentences(topic.introduction) + list(topic.rows) }

    private static func row(_ flag: Flag) -> (String, String) {
        ((flag.letter.map { "-\($0), " } ?? "") + flag.usage, flag.summary)
    }

    private static func list(_ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return [".Bl -tag -width Ds"] + rows.flatMap { [".It \(escaped($0))"] + sentences($1) } + [".El"]
    }

    /// A new sentence begins a new line, by the rules of mdoc, and no line is longer than a terminal is wide.
    private static func sentences(_ text: String) -> [String] {
        text.replacing(". ", with: ".\n").split(separator: "\n")
            .flatMap { HelpText.lines(of: escaped(String($0)), width: 78) }
            .map { $0.hasPrefix(".") ? "\\&\($0)" : $0 }
    }

    /// A text in which nothing is an instruction for the formatter.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("\"", with: "\\(dq").replacing("`", with: "\\(ga")
        let needsGuard = plain.hasPrefix(".")
        // A word of two or three letters may be the name of a macro on the line of another one.
        return (needsGuard ? "\\&" : "")
            + plain.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.count <= 3 && !$0.isEmpty ? "\\&\($0)" : String($0) }.joined(separator: " ")
    }
}
