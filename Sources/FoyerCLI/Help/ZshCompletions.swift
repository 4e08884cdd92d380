/// Completions for zsh: a file `_foyer` in a folder of `fpath`, or read in after `compinit`.
struct ZshCompletions {
    var script: String {
        """
        #compdef foyer
        # Completions of foyer for zsh: foyer completions zsh > ~/.zfunc/_foyer
        _foyer() {
            local word at= before=${words[CURRENT-1]} skip= files=
            local -a names flags
            integer i
            for (( i = 2; i < CURRENT; i++ )); do
                word=${words[i]}
                if [[ -n $skip ]]; then
                    skip=
                    continue
                fi
                case $word in
                    \(Completions.valued.map(\.name).joined(separator: "|"))) skip=1 ;;
                    -*) ;;
                    *) case "$at $word" in
                        \(Completions.pathPattern)) at="$at $word" ;;
                    esac ;;
                esac
            done
            if [[ ${words[CURRENT]} == --*=* ]]; then
                before=${words[CURRENT]%%=*}
                compset -P '*='
            fi
            case $before in
        \(values)
            esac
            case $at in
        \(places)
            esac
            (( $#names )) && _describe -t commands command names
            [[ -n $files ]] && _files
            _describe -o -t flags flag flags
        }
        if [[ ${funcstack[1]} == _foyer ]]; then
            _foyer "$@"
        else
            compdef _foyer foyer
        fi
        """
    }

    private var values: String {
        let choices = Completions.choices.map {
            "        \($0.flag.name)) compadd -- \($0.words.joined(separator: " ")); return ;;"
        }
        return
            (choices + [
                "        \(Completions.filePattern)) _files; return ;;",
                "        \(Completions.textPattern)) return ;;",
            ])
            .joined(separator: "\n")
    }

    private var places: String {
        Completions.places.map { placed in
            let names = Completions.words(after: placed).map { Self.described($0.name, $0.summary) }
            let flags = placed.flags.flatMap { flag in
                Completions.names(flag).map { Self.described($0, flag.summary) }
            }
            let path = placed.path.map { " \($0)" }.joined()
            let files = Completions.takesFile(placed) ? "; files=1" : ""
            return "        \"\(path)\") names=(\(names.joined(separator: " ")))\(files); "
                + "flags=(\(flags.joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// A word with what it is; a colon in either would end it.
    private static func described(_ name: String, _ summary: String) -> String {
        let text = summary.replacing(":", with: "\\:")
        return Completions.quoted(text.isEmpty ? name : "\(name):\(text)")
    }
}
