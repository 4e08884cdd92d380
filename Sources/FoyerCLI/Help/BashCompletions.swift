/// Completions for bash, without the package bash-completion.
struct BashCompletions {
    var script: String {
        """
        # Completions of foyer for bash: source <(foyer completions bash)
        _foyer() {
            local word at= cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= files= skip= i
            # Bash takes --flag=value apart at the equals sign.
            if [[ $cur == = ]]; then
                cur=
            elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ -n $skip ]]; then
                    [[ $word == = ]] || skip=
                    continue
                fi
                case $word in
                    \(Completions.valued.map(\.name).joined(separator: "|"))) skip=1 ;;
                    -*|=) ;;
                    *) case "$at $word" in
                        \(Completions.pathPattern)) at="$at $word" ;;
                    esac ;;
                esac
            done
            case $before in
        \(values)
                *) case $at in
        \(places)
                esac ;;
            esac
            COMPREPLY=($(compgen -W "$words" -- "$cur"))
            if [[ -n $files ]]; then
                compopt -o filenames 2>/dev/null
                COMPREPLY+=($(compgen -f -- "$cur"))
            fi
        }
        complete -F _foyer foyer
        """
    }

    private var values: String {
        let choices = Completions.choices.map {
            "        \($0.flag.name)) words=\(Completions.quoted($0.words.joined(separator: " "))) ;;"
        }
        return (choices + ["        \(Completions.filePattern)) files=1 ;;", "        \(Completions.textPattern)) ;;"])
            .joined(separator: "\n")
    }

    private var places: String {
        Completions.places.map { placed in
            let words = Completions.words(after: placed).map(\.name) + placed.flags.flatMap(Completions.names)
            let path = placed.path.map { " \($0)" }.joined()
            let files = Completions.takesFile(placed) ? "; files=1" : ""
            return "            \"\(path)\") words=\(Completions.quoted(words.joined(separator: " ")))\(files) ;;"
        }.joined(separator: "\n")
    }
}
