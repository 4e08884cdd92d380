/// Whether output is coloured: each stream by itself, because one of them may be a terminal and the other a file.
enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that understands it.
    case auto
    case always
    case never

    static let flag = Flag(
        name: "--color", value: .oneOf(allCases.map(\.rawValue)), summary: "whether to use bold type and colour",
        variables: [
            Flag.Variable(name: "NO_COLOR", summary: "never, whatever it holds") { _ in never.rawValue },
            Flag.Variable(name: "CLICOLOR_FORCE", summary: "always, unless it is 0") {
                $0 == "0" ? nil : always.rawValue
            },
        ], isSetting: true, standard: { _ in auto.rawValue }
    ) { options, text throws(Failure) in
        guard let choice = ColorChoice(rawValue: text) else { throw .usage("--color takes auto, always or never.") }
        options.color = choice
    }

    /// The decision for a stream.
    /// - Parameters:
    ///   - isTerminal: whether the stream is one.
    ///   - term: the variable `TERM`, nil where it is empty.
    func isOn(isTerminal: Bool, term: String?) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: isTerminal && term != nil && term != "dumb"
        }
    }
}
