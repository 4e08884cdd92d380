/// The help for people at a terminal, in at most 80 columns.
struct HelpText {
    /// Whether headings are bold.
    let isBold: Bool

    private static let width = 80

    var overview: String {
        sections([
            ("", "Foyer remembers everyone who is half-way through a registration."),
            (
                "Examples",
                Self.columns([
                    ("foyer", "where things stand, and what to do next"),
                    ("foyer register", "begin; stop whenever you like"),
                    ("foyer resume", "continue where you stopped"),
                    ("foyer sync", "deliver what waits for the network"),
                ])
            ),
            ("Commands", Self.columns(Command.all.map { ($0.name == "status" ? "foyer" : $0.name, $0.summary) })),
            ("Flags of all commands", Self.flags(Flag.global)),
            (
                "More",
                Self.columns([
                    ("foyer help COMMAND", "examples, flags and exit codes of a command"),
                    ("foyer help exit-codes", "what the program's exit codes tell a script"),
                    ("foyer help environment", "the variables that it reads"),
                    ("foyer help config-files", "its settings, and where they are kept"),
                ])
            ),
        ])
    }

    /// One command: what it does, examples, and what can stand on its line.
    func about(_ placed: PlacedCommand) -> String {
        let command = placed.command
        let inner = PlacedCommand.all.filter { $0.path.dropLast() == placed.path[...] && !placed.path.isEmpty }
        return sections([
            ("", Self.wrapped("\(placed.name): \(command.summary).")),
            ("", Self.wrapped(command.details)),
            ("Examples", command.examples.map { "  \($0)" }.joined(separator: "\n")),
            ("Usage", "  \(placed.usage)"),
            ("Commands", Self.columns(inner.map { ($0.usage, $0.command.summary) })),
            ("Flags", Self.flags(command.flags)),
            ("Flags of all commands", Self.flags(Flag.global)),
            ("Exit codes", Self.columns(placed.exitCodes.map { ("\($0.rawValue)", $0.meaning) })),
        ])
    }

    func about(_ topic: HelpTopic) -> String {
        sections([("", Self.wrapped(topic.introduction)), (topic.title, Self.columns(topic.rows))])
    }

    // MARK: Layout

    private func sections(_ parts: [(title: String, text: String)]) -> String {
        parts.filter { !$0.text.isEmpty }
            .map { $0.title.isEmpty ? $0.text : "\(isBold ? "\u{1B}[1m\($0.title)\u{1B}[0m" : $0.title)\n\($0.text)" }
            .joined(separator: "\n\n")
    }

    private static func flags(_ flags: [Flag]) -> String {
        columns(
            flags.map { ($0.letter.map { "-\($0), " } ?? "") + $0.usage }.enumerated().map {
                ($0.element, flags[$0.offset].summary)
            })
    }

    /// Names in a column of their own, and beside them what each is; a long name has its line for itself.
    private static func columns(_ rows: [(String, String)]) -> String {
        let indent = min(rows.map(\.0.count).max() ?? 0, 26) + 4
        return rows.map { name, text in
            let lines = lines(of: text, width: width - indent)
            let first = "  \(name)" + String(repeating: " ", count: max(0, indent - 2 - name.count))
            let margin = "\n" + String(repeating: " ", count: indent)
            return (name.count > indent - 4 ? "  \(name)\(margin)" : first) + lines.joined(separator: margin)
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String) -> String { lines(of: text, width: width).joined(separator: "\n") }

    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension PlacedCommand {
    /// How it can end, beside by a signal.
    var exitCodes: [ExitCode] {
        ([.done, .failed, .usage] + command.exitCodes).sorted { $0.rawValue < $1.rawValue }
    }
}
