/// How the program ends; a signal ends it by that signal instead.
enum ExitCode: Int32 {
    /// Done.
    case done = 0
    /// Failed in a way that has no code of its own.
    case failed = 1
    /// The arguments cannot be understood.
    case usage = 64
    /// An answer was refused, and nobody was there to correct it.
    case refused = 65
    /// There is nothing to resume, or nothing with that identifier.
    case nothingThere = 66
    /// The network was never reached.
    case unreachable = 69
    /// A file cannot be made.
    case cannotCreate = 73
    /// A file cannot be read or written.
    case ioError = 74
    /// Stopped before the end and saved: `foyer resume` or `foyer sync` continues.
    case saved = 75
    /// The configuration is wrong, or the database is damaged, foreign or newer than the program.
    case configuration = 78
}
