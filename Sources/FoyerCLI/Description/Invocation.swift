/// One call of the program: the command, its arguments and the flags, which may stand anywhere.
struct Invocation {
    let command: Command
    let arguments: [String]
    let options: Options

    init(_ words: [String]) throws(Failure) {
        let line = try Line(words)
        var names = line.names
        if line.flags.contains(where: { $0.flag.name == Flag.version.name }) { names.insert("version", at: 0) }
        let wantsHelp = line.flags.contains { $0.flag.name == Flag.help.name }
        let (placed, rest) = try line.find(names)
        try line.check(placed)
        if wantsHelp {
            command = .help
            // What was meant as an argument of the command is none of the help.
            let isAboutOther = names.isEmpty || (placed.command.name == "help" && !rest.isEmpty)
            arguments = isAboutOther ? rest : placed.path
        } else {
            try placed.check(rest)
            command = placed.command
            arguments = rest
        }
        options = try Options(command.readsSettings ? Settings.ofThisUser() : Settings.ofLooks(), line.flags)
    }

    /// Does it.
    @MainActor
    func run() async throws -> ExitCode {
        // A command without anything of its own to do takes no arguments but its sub-commands.
        guard let run = command.run else { throw Failure.usage("`foyer help \(command.name)` tells more.") }
        return try await run(self)
    }
}

/// The words of a command line, told apart by the rules that all commands share.
private struct Line {
    /// What is no flag, in order.
    private(set) var names: [String] = []
    /// What was given as flags, in order.
    private(set) var flags: [(flag: Flag, text: String)] = []
    private var unknown: [String] = []

    init(_ words: [String]) throws(Failure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                names += rest
                return
            }
            if word.hasPrefix("--") {
                try take(word, from: &rest)
            } else if word.hasPrefix("-"), word != "-" {
                takeLetters(of: word)
            } else {
                names.append(word)
            }
        }
    }

    /// Takes `--flag`, `--flag value` or `--flag=value`.
    private mutating func take(_ word: String, from rest: inout ArraySlice<String>) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let flag = Flag.everywhere.first(where: { $0.name == parts[0] }) else { return unknown.append(parts[0]) }
        guard flag.value != nil else {
            guard parts.count == 1 else { throw .usage("The flag \(flag.name) takes no value.") }
            return flags.append((flag, "true"))
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw .usage("The flag \(flag.name) needs a value: \(flag.usage).")
        }
        try flag.check(value)
        flags.append((flag, value))
    }

    /// Takes `-y`, or several letters at once.
    private mutating func takeLetters(of word: String) {
        let known = word.dropFirst().map { letter in Flag.everywhere.first { $0.letter == letter } }
        guard known.allSatisfy({ $0 != nil }) else { return unknown.append(word) }
        flags += known.compactMap { $0 }.map { ($0, "true") }
    }

    /// The command that the names lead to. A misspelt flag leaves its value among them, so that it is told first.
    func find(_ names: [String]) throws(Failure) -> (PlacedCommand, rest: [String]) {
        do throws(Failure) {
            return try PlacedCommand.find(names)
        } catch {
            guard let first = unknown.first else { throw error }
            throw .usage("There is no flag \(first).\(suggestion(for: first, among: Flag.everywhere.map(\.name)))")
        }
    }

    /// Refuses what the command does not read: whoever gave it would believe that it counts.
    func check(_ placed: PlacedCommand) throws(Failure) {
        let names = placed.flags.map(\.name)
        let foreign = unknown + flags.map(\.flag.name).filter { !names.contains($0) }
        guard let first = foreign.first else { return }
        let near = suggestion(for: first, among: names)
        let own = placed.command.flags.map(\.name) + Flag.global.map(\.name)
        throw .usage(
            "`\(placed.name)` has no flag \(first).\(near.isEmpty ? " It takes: \(own.joined(separator: ", "))." : near)"
        )
    }
}

extension Flag {
    /// Every flag of the program, each once.
    static let everywhere: [Flag] = {
        var flags = global
        for flag in PlacedCommand.all.flatMap(\.command.flags) where !flags.contains(where: { $0.name == flag.name }) {
            flags.append(flag)
        }
        return flags
    }()
}
