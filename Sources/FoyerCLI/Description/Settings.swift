import Foyer
import FoyerPlatform

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
    static func ofLooks() throws(Failure) -> Settings { try Settings([], for: [ColorChoice.flag]) }

    private init(_ files: [ConfigFile], for flags: [Flag] = Flag.everywhere) throws(Failure) {
        // The first file is the most important one.
        for file in files.reversed() {
            for flag in flags {
                guard let entry = file.entries[flag.key] else { continue }
                given.append((flag, entry.text, .config(file.path, line: entry.line)))
            }
        }
        for flag in flags {
            for variable in flag.variables {
                guard let text = try environmentVariable(variable.name).flatMap(variable.meaning) else { continue }
                given.append((flag, text, .environment(variable.name)))
                break
            }
        }
    }

    /// Reads the environment and the config files.
    static func ofThisUser() throws(Failure) -> Settings {
        var files: [ConfigFile] = []
        for path in Locations.configFiles() {
            if let file = try ConfigFile(at: path) { files.append(file) }
        }
        return try Settings(files)
    }
}

/// The text of a variable; nil where it is empty, too.
/// - Throws: exit 78 where it is no text: a path that was mended would be another one.
func environmentVariable(_ name: String) throws(Failure) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    guard let text = String(validatingCString: value) else { throw .badSetting("\(name) is not UTF-8 text.") }
    return text
}
