/// How a program ended.
public enum Exit: Equatable, Sendable {
    /// It ended by itself, with this code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)

    /// Reads the status that `waitpid` gives for a program that has ended.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
    }
}
