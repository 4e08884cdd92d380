import Foyer

extension Flag {
    static let help = Flag(name: "--help", letter: "h", summary: "what the command does, and nothing else") { _, _ in }
    static let version = Flag(name: "--version", letter: "V", summary: "the version of the program") { options, _ in
        options.versionAlone = true
    }

    /// What every command takes.
    static let global: [Flag] = [
        Flag(
            name: "--database", value: .file("PATH"), summary: "the database (else in the XDG data folder)",
            variables: [Variable(name: "FOYER_DATABASE")], isSetting: true,
            standard: { _ in try Locations.defaultDatabase() }
        ) {
            $0.database = $1
        },
        KeyOptions.fileFlag, KeyOptions.kindFlag, KeyOptions.descriptorFlag,
        Flag(
            name: "--network", value: .text("NAME"), summary: "mock, offline or an https:// address",
            variables: [Variable(name: "FOYER_NETWORK")], isSetting: true,
            standard: { _ in "the store's first, else mock" }
        ) {
            $0.networks.append($1)
        },
        Flag(
            name: "--ca-file", value: .file("PATH"),
            summary: "certificate authorities to trust instead of the system's",
            variables: [Variable(name: "FOYER_CA_FILE")], isSetting: true
        ) {
            $0.caFile = $1
        },
        Flag(
            name: "--sealing-key", value: .file("PATH"),
            summary: "the server's key, as it publishes it: passwords are sealed for it",
            variables: [Variable(name: "FOYER_SEALING_KEY")], isSetting: true
        ) {
            $0.sealingKeyFile = $1
        },
        toggle("--json", nil, "one JSON object on standard output", \.json),
        toggle(
            "--no-input", nil, "never ask at the terminal",
            variables: [Variable(name: "FOYER_NO_INPUT", summary: "any text but 0") { $0 == "0" ? "false" : "true" }],
            isSetting: true, \.noInput),
        ColorChoice.flag, help, version,
    ]

    static let show = toggle("--show", nil, "do not mask personal data in tables", isSetting: true, \.show)

    static let yes = toggle("--yes", "y", "do it without asking, and send without a last look", \.yes)

    static let dryRun = toggle("--dry-run", nil, "only say what would become of it", \.dryRun)

    static let wait = Flag(
        name: "--wait", value: .text("SECONDS"), summary: "how long to wait for what is not due yet (15)",
        isSetting: true, standard: { _ in "15" }
    ) { options, value throws(Failure) in
        guard let seconds = Int(value), (0...86400).contains(seconds) else {
            throw .usage("The flag --wait takes a number of seconds from 0 to 86400.")
        }
        options.wait = seconds
    }

    static let since = Flag(
        name: "--since", value: .text("DAYS"), summary: "count only what was begun in the last days"
    ) { options, value throws(Failure) in
        guard let days = Int(value), (1...36500).contains(days) else {
            throw .usage("The flag --since takes a number of days from 1 to 36500.")
        }
        options.since = days
    }

    static let watch = toggle("--watch", nil, "go on until a signal ends it", \.watch)

    static let output = Flag(
        name: "--output", value: .file("FILE"), summary: "a new file that only you can read"
    ) {
        $0.output = $1
    }

    static let start = Flag(
        name: "--start", value: .oneOf(FlowKind.allCases.map(\.rawValue)), summary: "what to begin with"
    ) {
        $0.start = $1
    }
}

extension Settings.Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .flag: "flag"
        case .environment(let name): name
        case .config(let path, let line): "\(path):\(line)"
        }
    }
}
