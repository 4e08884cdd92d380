import Foyer

/// The version of the program, and the day of its manual.
let programVersion = "0.1.0"
let programDate = "November 22, 2026"

/// How `foyer help` writes the description of the commands.
enum HelpForm {
    case text
    case manual
    case markdown
}

extension Command {
    static let help = Command(
        name: "help", summary: "what the commands do; more about exit codes, the environment, settings",
        details: "A topic is one of: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).",
        arguments: [
            Argument(name: "COMMAND|TOPIC", isOptional: true), Argument(name: "SUBCOMMAND", isOptional: true),
        ],
        flags: [
            Flag(name: "--man", summary: "everything, as the source of a manual page (mdoc)") { options, _ in
                options.helpForm = .manual
            },
            Flag(name: "--markdown", summary: "everything, as a page of Markdown") { options, _ in
                options.helpForm = .markdown
            },
        ],
        examples: [
            "foyer help resume", "foyer help users erase", "foyer help exit-codes", "foyer help --man | man -l -",
        ],
        readsSettings: false
    ) { invocation in
        let text =
            switch invocation.options.helpForm {
            case .manual: ManualPage().text
            case .markdown: ReferencePage().text
            case .text: try helpText(for: invocation.arguments, invocation.options)
            }
        if invocation.options.json { Output.json(["help": .string(text)]) } else { Output.exact(text) }
        return .done
    }

    @MainActor
    private static func helpText(for names: [String], _ options: Options) throws(Failure) -> String {
        let isBold = Output.style.hasColour
        let writer = HelpText(isBold: !options.json && isBold)
        guard let name = names.first else { return writer.overview }
        if names.count == 1, let topic = HelpTopic(rawValue: name) { return writer.about(topic) }
        do throws(Failure) {
            let (placed, rest) = try PlacedCommand.find(names)
            if rest.isEmpty { return writer.about(placed) }
            try placed.check(rest)
            throw .usage("`\(placed.name)` has no sub-command \"\(rest[0])\". `foyer help` lists the commands.")
        } catch {
            let near = suggestion(for: name, among: HelpTopic.allCases.map(\.rawValue))
            throw near.isEmpty || names.count > 1 ? error : .usage("There is no topic \"\(name)\".\(near)")
        }
    }

    static let version = Command(
        name: "version", summary: "the version; with --json also those of the libraries and the schema",
        examples: ["foyer --version", "foyer version --json"], readsSettings: false
    ) { invocation in
        guard invocation.options.json else {
            Output.line("foyer \(programVersion)")
            return .done
        }
        var members: [String: JSONValue] = ["version": .string(programVersion)]
        if !invocation.options.versionAlone {
            let versions = AccountStore.versions
            members["sqlite"] = .string(versions.sqlite)
            members["libsodium"] = .string(versions.libsodium)
            members["schema_version"] = JSONValue(versions.schema)
        }
        Output.json(members)
        return .done
    }

    static let completions = Command(
        name: "completions", summary: "a script that completes the program's words at a shell",
        details: "Put it where the shell looks for such scripts, or read it in when the shell starts.",
        arguments: [Argument(name: "SHELL", words: Shell.allCases.map(\.rawValue))],
        examples: [
            "source <(foyer completions bash)", "foyer completions zsh > ~/.zfunc/_foyer",
            "foyer completions fish > ~/.config/fish/completions/foyer.fish",
        ],
        readsSettings: false
    ) { invocation in
        let script = Shell(rawValue: invocation.arguments[0])?.script ?? ""
        if invocation.options.json {
            Output.json(["completions": .string(script)])
        } else {
            Output.exact(script)
        }
        return .done
    }
}
