import Foyer

/// One command of the program: parsing, help, completions, the manual and the reference follow from this description.
struct Command: Sendable {
    let name: String
    let summary: String
    /// More than the summary has room for, in sentences.
    var details = ""
    var arguments: [Argument] = []
    /// The flags that it reads, beside those of all commands.
    var flags: [Flag] = []
    /// What can follow its name to make another command.
    var commands: [Command] = []
    let examples: [String]
    /// The exit codes worth knowing beside 0, 1 and 64.
    var exitCodes: [ExitCode] = []
    /// Whether it reads the environment and the config files.
    var readsSettings = true
    /// What it does; nil where only its sub-commands do something.
    var run: (@MainActor @Sendable (Invocation) async throws -> ExitCode)?

    /// What stands behind a command's name.
    struct Argument: Sendable {
        let name: String
        var isOptional = false
        var isFile = false
        /// The words that it can be; empty where it can be any.
        var words: [String] = []
    }

    static let all: [Command] = [
        .status, .register, .resume, .login, .forgotPassword, .app, .open, .flows, .show, .cancel, .tree, .users,
        .outbox, .sync, .stats, .doctor, .db, .key, .mockServer, .config, .completions, .help, .version,
    ]
}

/// A command with the names that lead to it.
struct PlacedCommand {
    let command: Command
    /// The names as they are typed: none for `foyer` alone.
    let path: [String]

    /// Every command that does something, each one after its parent.
    static let all: [PlacedCommand] = Command.all.flatMap { placed($0, in: []) }

    private static func placed(_ command: Command, in path: [String]) -> [PlacedCommand] {
        let here = PlacedCommand(command, in: path)
        return [here] + command.commands.flatMap { placed($0, in: here.path) }
    }

    private init(_ command: Command, in parent: [String]) {
        self.command = command
        path = command.name == Command.status.name ? [] : parent + [command.name]
    }

    /// The deepest command that the names lead to, and the names behind it; `foyer` alone without any name.
    static func find(_ names: [String]) throws(Failure) -> (PlacedCommand, rest: [String]) {
        guard let first = names.first else { return (PlacedCommand(.status, in: []), []) }
        guard let command = Command.all.first(where: { $0.name == first }) else {
            let near = suggestion(for: first, among: Command.all.map(\.name))
            throw .usage("There is no command \"\(first)\".\(near) `foyer help` lists them.")
        }
        var found = PlacedCommand(command, in: []), rest = names.dropFirst()
        while let next = rest.first, let inner = found.command.commands.first(where: { $0.name == next }) {
            found = PlacedCommand(inner, in: found.path)
            rest.removeFirst()
        }
        return (found, Array(rest))
    }

    /// What is typed, without arguments.
    var name: String { (["foyer"] + path).joined(separator: " ") }

    /// What is typed, with arguments: `foyer users [show ID | erase ID]`.
    var usage: String {
        var words = [name] + command.arguments.map(\.usage)
        if !command.commands.isEmpty {
            let choice = command.commands.map { ([$0.name] + $0.arguments.map(\.usage)).joined(separator: " ") }
                .joined(separator: " | ")
            words.append(command.run == nil ? choice : "[\(choice)]")
        }
        return words.joined(separator: " ")
    }

    /// The flags that can stand on its line.
    var flags: [Flag] { command.flags + Flag.global }

    /// Checks what stands behind the name.
    func check(_ arguments: [String]) throws(Failure) {
        let wanted = command.arguments
        if wanted.isEmpty, !command.commands.isEmpty, command.run == nil || !arguments.isEmpty {
            guard let word = arguments.first else { throw .usage("Usage: \(usage).\(more)") }
            let near = suggestion(for: word, among: command.commands.map(\.name))
            throw .usage("There is no \"\(name.dropFirst(6)) \(word)\".\(near) Usage: \(usage).")
        }
        guard (wanted.count { !$0.isOptional }...wanted.count).contains(arguments.count) else {
            throw .usage("Usage: \(usage).\(more)")
        }
        for (argument, text) in zip(wanted, arguments) where !argument.words.isEmpty && !argument.words.contains(text) {
            let words = argument.words.joined(separator: ", ")
            throw .usage(
                "\(argument.name) is one of: \(words).\(suggestion(for: text, among: argument.words)) Usage: \(usage).")
        }
    }

    private var more: String { " `foyer help \(path.isEmpty ? "status" : path.joined(separator: " "))` tells more." }
}

extension Command.Argument {
    var usage: String {
        let text = words.isEmpty ? name : words.joined(separator: "|")
        return isOptional ? "[\(text)]" : text
    }

    /// The end, whole or not, of what is named by an identifier.
    static func id(isOptional: Bool = false) -> Self { Self(name: "ID", isOptional: isOptional) }

    /// A user name, an e-mail address or an identifier.
    static let person = Self(name: "PERSON")
}

extension Command {
    /// Asks at the terminal; without one nobody can say yes.
    @MainActor
    static func isConfirmed(_ question: String, _ options: Options, taking answers: Set<String> = ["y", "yes"]) -> Bool
    {
        guard StandardInput.isTerminal, !options.noInput else { return false }
        guard case .line(let answer) = LinePrompt().ask(question) else { return false }
        return answers.contains(String(revealing: answer))
    }
}
