#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The window in which a person is asked.
@MainActor
enum TerminalWindow {
    /// Whether a line can be edited there: not where a screen reader follows, or where the terminal can only write on.
    static let canBeRedrawn: Bool = {
        StandardInput.isTerminal && Output.errorStyle.canRedraw
    }()

    /// How many columns it has now; 80 where it does not tell.
    static var columns: Int {
        var size = winsize()
        return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
