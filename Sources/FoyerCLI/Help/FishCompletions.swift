/// Completions for fish: a file `foyer.fish` in its folder for completions.
struct FishCompletions {
    var script: String {
        """
        # Completions of foyer for fish: foyer completions fish > ~/.config/fish/completions/foyer.fish
        function __foyer_at
            set -l tokens (commandline -opc)
            set -e tokens[1]
            set -l at
            set -l skip 0
            for word in $tokens
                if test $skip = 1
                    set skip 0
                    continue
                end
                switch $word
                    case \(Completions.valued.map(\.name).joined(separator: " "))
                        set skip 1
                    case '-*'
                    case '*'
                        if contains -- (string join ' ' $at $word) \(paths)
                            set -a at $word
                        end
                end
            end
            test "$at" = "$argv"
        end
        complete -c foyer -f
        \((Flag.global.map { Self.line($0, at: nil) } + Completions.places.flatMap(Self.lines)).joined(separator: "\n"))
        """
    }

    private var paths: String {
        Completions.places.filter { !$0.path.isEmpty }
            .map { Completions.quoted($0.path.joined(separator: " ")) }.joined(separator: " ")
    }

    private static func lines(of placed: PlacedCommand) -> [String] {
        let words = Completions.words(after: placed).map { word in
            "complete -c foyer -n \(condition(placed)) -a \(word.name)"
                + (word.summary.isEmpty ? "" : " -d \(Completions.quoted(word.summary))")
        }
        let files = Completions.takesFile(placed) ? ["complete -c foyer -n \(condition(placed)) -F"] : []
        return words + files + placed.command.flags.map { line($0, at: placed) }
    }

    private static func line(_ flag: Flag, at placed: PlacedCommand?) -> String {
        let value =
            switch flag.value {
            case nil: ""
            case .file: " -r -F"
            case .text: " -x"
            case .oneOf(let words): " -x -a \(Completions.quoted(words.joined(separator: " ")))"
            }
        return "complete -c foyer" + (placed.map { " -n \(condition($0))" } ?? "") + " -l \(flag.key)"
            + (flag.letter.map { " -s \($0)" } ?? "") + value + " -d \(Completions.quoted(flag.summary))"
    }

    /// `test` compares with what stands behind the function's name.
    private static func condition(_ placed: PlacedCommand) -> String {
        Completions.quoted((["__foyer_at"] + placed.path).joined(separator: " "))
    }
}
