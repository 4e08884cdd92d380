/// The version of the program.
let programVersion = "0.1.0"

extension Command {
    static let help = Command(
        name: "help", takes: 0...2, usage: "help [COMMAND]", summary: "what the commands do",
        examples: ["foyer help resume"]
    ) { invocation in
        let text: String
        if let name = invocation.arguments.first {
            guard let command = all.first(where: { $0.name == name }) else {
                throw Failure.usage("There is no command \"\(name)\". `foyer help` lists them.")
            }
            text = help(for: command)
        } else {
            text = overview
        }
        if invocation.options.json {
            Output.json(["help": .string(text)])
        } else {
            Output.line(text)
        }
        return .done
    }

    static let version = Command(
        name: "version", takes: 0...0, usage: "version", summary: "the version of this program",
        examples: ["foyer --version"]
    ) { invocation in
        if invocation.options.json {
            Output.json(["version": .string(programVersion)])
        } else {
            Output.line("foyer \(programVersion)")
        }
        return .done
    }

    private static var overview: String {
        """
        Foyer remembers everyone who is half-way through a registration.

        Examples
          foyer register         begin; stop whenever you like
          foyer resume           continue where you stopped
          foyer sync             deliver what waits for the network

        Commands
        \(columns(all.map { ($0.usage.isEmpty ? "foyer" : $0.usage, $0.summary) }))

        Flags
        \(flags)

        Exit codes
        \(columns(exitCodes))
        """
    }

    private static func help(for command: Command) -> String {
        """
        \(command.line): \(command.summary)

        Examples
        \(command.examples.map { "  \($0)" }.joined(separator: "\n"))

        Flags
        \(flags)
        """
    }

    private static var flags: String {
        columns(
            Options.flags.map { ([$0.name] + ($0.value.map { [$0] } ?? [])).joined(separator: " ") }
                .enumerated().map { ($0.element, Options.flags[$0.offset].summary) })
    }

    private static let exitCodes: [(String, String)] = [
        ("0", "done"), ("1", "failed"), ("64", "the arguments cannot be understood"),
        ("65", "an answer was refused, and nobody was there to correct it"), ("66", "nothing to resume"),
        ("69", "the network was never reached"), ("73, 74", "a file cannot be made, read or written"),
        ("75", "stopped and saved: `foyer resume` or `foyer sync` continues"),
        ("78", "wrong configuration; or a damaged, foreign or newer database"),
    ]

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)" }
            .joined(separator: "\n")
    }
}
