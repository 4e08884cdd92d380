/// One call of the program: the command, its arguments and the flags, which may stand anywhere.
struct Invocation {
    let command: Command
    let arguments: [String]
    let options: Options

    init(_ words: [String]) throws(Failure) {
        var options = Options()
        var names: [String] = []
        var wantsHelp = false
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--": names += rest; rest = []
            case "--help", "-h": wantsHelp = true
            case "--version", "-V": names = ["version"] + names
            case _ where word.hasPrefix("-") && word != "-": try options.take(word, from: &rest)
            default: names.append(word)
            }
        }
        if wantsHelp { names.insert("help", at: 0) }
        let name = names.isEmpty ? "status" : names.removeFirst()
        guard let command = Command.all.first(where: { $0.name == name }) else {
            throw .usage("There is no command \"\(name)\". `foyer help` lists them.")
        }
        guard command.takes.contains(names.count) else {
            throw .usage("Usage: \(command.line). `foyer help \(command.name)` tells more.")
        }
        self.command = command
        self.arguments = names
        self.options = options
    }
}

extension Invocation {
    /// The argument of a sub-command; nil where none was given.
    func argument(after subcommand: String) throws(Failure) -> String? {
        if arguments.isEmpty { return nil }
        guard arguments.count == 2, arguments[0] == subcommand else {
            throw .usage("Usage: \(command.line).")
        }
        return arguments[1]
    }
}

extension Options {
    /// Takes `--flag`, `--flag value` or `--flag=value`.
    fileprivate mutating func take(_ word: String, from rest: inout ArraySlice<String>) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let flag = Self.flags.first(where: { $0.name == parts[0] }) else {
            throw .usage("There is no flag \(parts[0]). `foyer help` lists them.")
        }
        guard flag.value != nil else {
            guard parts.count == 1 else { throw .usage("The flag \(flag.name) takes no value.") }
            return try flag.set(&self, "")
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw .usage("The flag \(flag.name) needs a value: \(flag.name) \(flag.value ?? "").")
        }
        try flag.set(&self, value)
    }
}
