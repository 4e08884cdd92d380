import Foyer

/// What the help tells beside the commands.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case environment
    case configFiles = "config-files"
    case keys

    /// What it is about.
    var title: String {
        switch self {
        case .exitCodes: "Exit codes"
        case .environment: "Environment"
        case .configFiles: "Config files"
        case .keys: "Keys"
        }
    }

    /// What is said before the rows.
    var introduction: String {
        switch self {
        case .exitCodes: "A script can branch on them; with --json the object says more."
        case .environment:
            "An empty variable is as good as none. A flag overrules a variable; no variable holds a secret."
        case .configFiles:
            "A file has lines such as `network = offline`, named as the long flags are; a line that begins with # is a "
                + "remark. Read are foyer/config in $XDG_CONFIG_HOME (else ~/.config), then in each of "
                + "$XDG_CONFIG_DIRS (else in /etc/xdg); the first one that names a setting counts. A flag overrules "
                + "the environment, which overrules the files. An unknown name is an error. `foyer config` shows each "
                + "value and where it comes from. The settings:"
        case .keys:
            "A prompt on a terminal edits its line. Of a secret nothing is shown, so that it can only be typed and "
                + "deleted. Of several lines that are pasted the first answers the prompt and the others the next "
                + "ones, but never one for a secret."
        }
    }

    /// Names, and what each is.
    var rows: [(String, String)] {
        switch self {
        case .exitCodes:
            ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }
                + [("128 + n", "ended by signal n, as the shell tells it; the terminal is as it was")]
        case .environment:
            Flag.everywhere.flatMap { flag in
                flag.variables.map {
                    ($0.name, $0.summary.map { "\(flag.name): \($0)" } ?? "\(flag.name): \(flag.summary)")
                }
            } + [
                ("FOYER_ACCESSIBLE", "1: nothing is drawn over; lists instead of tables, words instead of bars"),
                ("TERM", "dumb: plain lines without bold type, colour and redrawing"),
                ("XDG_DATA_HOME", "where the folder foyer with the database is (else ~/.local/share)"),
                ("XDG_STATE_HOME", "where the folder foyer with the key is (else ~/.local/state)"),
                ("XDG_CONFIG_HOME", "where the folder foyer with the config file is (else ~/.config)"),
                ("XDG_CONFIG_DIRS", "where more config files are, separated by colons (else /etc/xdg)"),
            ]
        case .configFiles:
            Flag.everywhere.filter(\.isSetting).map { ($0.key, "\($0.summary); \($0.value?.name ?? "true|false")") }
        case .keys:
            [
                ("Left, Right, Ctrl-B, Ctrl-F", "one character back or on"),
                ("Alt-B, Alt-F, Ctrl-Left, Ctrl-Right", "one word back or on"),
                ("Home, End, Ctrl-A, Ctrl-E", "to the start or the end of the line"),
                ("Backspace, Delete", "delete the character before or under the cursor"),
                ("Ctrl-W, Alt-D", "delete the word before or behind the cursor"),
                ("Ctrl-U, Ctrl-K", "delete to the start or the end of the line"),
                ("Ctrl-L", "draw the line anew"),
                ("Esc; or < and Enter", "back to the question before; its answer stands there to be changed"),
                ("Ctrl-C, Ctrl-D", "stop: every answer that was confirmed is saved"),
                ("Ctrl-Z", "pause; `fg` goes on where you were"),
            ]
        }
    }
}
