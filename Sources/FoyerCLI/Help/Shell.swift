/// A shell whose words can be completed.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// What that shell reads to complete the words after `foyer`; the program is not asked again.
    var script: String {
        switch self {
        case .bash: BashCompletions().script
        case .zsh: ZshCompletions().script
        case .fish: FishCompletions().script
        }
    }
}

/// What the scripts for all shells are made of.
enum Completions {
    /// The names of all commands, as a pattern of bash and zsh.
    static var pathPattern: String {
        places.filter { !$0.path.isEmpty }.map { "\" \($0.path.joined(separator: " "))\"" }.joined(separator: "|")
    }

    /// The flags whose value is a file, in the same way.
    static var filePattern: String { files.map(\.name).joined(separator: "|") }

    /// The flags whose value can be anything.
    static var textPattern: String {
        valued.map(\.name).filter { name in
            !choices.contains { $0.flag.name == name } && !files.contains { $0.name == name }
        }.joined(separator: "|")
    }

    /// Every command together with the names that lead to it; `foyer` alone has none.
    static let places = PlacedCommand.all

    /// The flags with a value, whose next word is no name of a command.
    static let valued = Flag.everywhere.filter { $0.value != nil }

    static let files = valued.filter { if case .file = $0.value { true } else { false } }

    static let choices: [(flag: Flag, words: [String])] = valued.compactMap { flag in
        if case .oneOf(let words) = flag.value { (flag, words) } else { nil }
    }

    /// The names that can follow: sub-commands, or the words of the first argument.
    static func words(after placed: PlacedCommand) -> [(name: String, summary: String)] {
        if placed.path.isEmpty { return Command.all.dropFirst().map { ($0.name, $0.summary) } }
        let words = placed.command.arguments.flatMap(\.words).map { ($0, "") }
        let topics = HelpTopic.allCases.map { ($0.rawValue, $0.title.lowercased()) }
        let asked = placed.path == ["help"] ? Command.all.map { ($0.name, $0.summary) } + topics : []
        return placed.command.commands.map { ($0.name, $0.summary) } + words + asked
    }

    static func takesFile(_ placed: PlacedCommand) -> Bool { placed.command.arguments.contains(where: \.isFile) }

    /// A flag's names: the long one, and the letter.
    static func names(_ flag: Flag) -> [String] { [flag.name] + (flag.letter.map { ["-\($0)"] } ?? []) }

    /// A text inside single quotes of a shell.
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
