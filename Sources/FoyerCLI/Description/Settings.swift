import Foyer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What holds for every call where no flag says otherwise: the config files, and over them the environment.
struct Settings {
    /// In the order in which they count: a later one overrules an earlier one.
    private(set) var given: [(flag: Flag, text: String, origin: Origin)] = []

    /// Where the value of a flag comes from.
    enum Origin: Equatable {
        case flag
        /// A variable, by its name.
        case environment(String)
        /// A config file, by its path and the line.
        case config(String, line: Int)
    }

    /// For what works without any setting: how it looks is asked of the environment alone.
    static let ofLooks = Settings([], for: [ColorChoice.flag])

    private init(_ files: [ConfigFile], for flags: [Flag] = Flag.everywhere) {
        // The first file is the most important one.
        for file in files.reversed() {
            for flag in flags {
                guard let entry = file.entries[flag.key] else { continue }
                given.append((flag, entry.text, .config(file.path, line: entry.line)))
            }
        }
        for flag in flags {
            let said = flag.variables.compactMap { candidate in
                environmentVariable(candidate.name).flatMap(candidate.meaning).map { (candidate.name, $0) }
            }.first
            if let (name, text) = said { given.append((flag, text, .environment(name))) }
        }
    }

    /// Reads the environment and the config files.
    static func ofThisUser() throws(Failure) -> Settings {
        var files: [ConfigFile] = []
        for path in Locations.configFiles() {
            if let file = try ConfigFile(at: path) { files.append(file) }
        }
        return Settings(files)
    }
}

/// The text of a variable; nil where it is empty, too.
func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
}
