/// The window in which a person is asked.
@MainActor
enum TerminalWindow {
    /// Whether a line can be edited there: not where a screen reader follows, or where the terminal can only write on.
    static let canBeRedrawn: Bool = {
        StandardInput.isTerminal && Output.errorStyle.canRedraw
    }()

    /// How many columns it has now; 80 where it does not tell.
    static var columns: Int { Style.columns(of: 2) ?? 80 }
}
