/// How the program ends; a signal ends it by that signal instead.
enum ExitCode: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 64
    case refused = 65
    case nothingThere = 66
    case unreachable = 69
    case cannotCreate = 73
    case ioError = 74
    case saved = 75
    case brokenContract = 76
    case configuration = 78

    /// What it tells a script.
    var meaning: String {
        switch self {
        case .done: "done, or nothing to do"
        case .failed: "failed in a way that has no code of its own"
        case .usage: "the arguments cannot be understood, or a question was not answered with yes"
        case .refused: "an answer was refused, and nobody was there to correct it"
        case .nothingThere: "nothing to resume, or nothing with that identifier"
        case .unreachable: "the network was never reached"
        case .cannotCreate: "a file cannot be made"
        case .ioError: "a file cannot be read or written"
        case .saved: "stopped and saved: `foyer resume` or `foyer sync` continues"
        case .brokenContract: "the network answered what is no answer; what waits is saved"
        case .configuration: "wrong configuration; or a damaged, foreign or newer database"
        }
    }
}
