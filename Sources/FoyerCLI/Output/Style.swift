import FoyerPlatform

/// What a stream can show, decided once from the flags, the environment and what the stream leads to.
struct Style: Sendable, Equatable {
    /// Whether somebody looks at it; else a program reads it.
    var isTerminal = false
    /// Whether colour and bold are wanted.
    var hasColour = false
    /// Whether ornaments beyond ASCII can be read.
    var isUnicode = true
    /// Lists in place of tables, nothing redrawn, words in place of bars: for who listens to a screen reader.
    var isAccessible = false
    /// Whether a line that stands there can be drawn anew.
    var canRedraw = false
    /// How many columns there are; nil where nothing has to fit.
    var columns: Int?

    /// - Parameters:
    ///   - columns: the width of the terminal; nil where the stream leads to none.
    ///   - variable: the environment; an empty variable counts as none.
    init(columns: Int?, choice: ColorChoice, variable: (String) -> String?) {
        isTerminal = columns != nil
        self.columns = columns
        let isDumb = ["dumb", nil].contains(variable("TERM"))
        hasColour = choice.isOn(isTerminal: isTerminal, term: variable("TERM"))
        isUnicode = Self.isUnicode(variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG"))
        isAccessible = ![nil, "0"].contains(variable("FOYER_ACCESSIBLE"))
        canRedraw = isTerminal && !isDumb && !isAccessible
    }

    /// Without a word everything speaks UTF-8 today; `C` is a wish for ASCII.
    private static func isUnicode(_ locale: String?) -> Bool {
        guard let locale = locale?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// The style of standard output (1) or standard error (2).
    init(of descriptor: Int32, choice: ColorChoice) {
        self.init(columns: Self.columns(of: descriptor), choice: choice, variable: { try? environmentVariable($0) })
    }

    /// The width of the terminal that a descriptor leads to; nil where it leads to none.
    static func columns(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    func bold(_ text: String) -> String { hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// The ornament, or what stands for it in ASCII.
    func ornament(_ unicode: String, _ ascii: String) -> String { isUnicode ? unicode : ascii }

    /// What takes the place of text that does not fit.
    var ellipsis: String { ornament("…", "...") }
}
