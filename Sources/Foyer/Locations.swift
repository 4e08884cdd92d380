package import FoyerModel
import FoyerPlatform

/// The files that are used where none are named, by the XDG base directory specification.
package enum Locations {
    /// `foyer/foyer.db` in the data folder: `$XDG_DATA_HOME`, else `~/.local/share`.
    /// - Throws: `unsafePath` when neither that variable nor `HOME` says where.
    package static func defaultDatabase() throws(StoreError) -> String {
        try folder("XDG_DATA_HOME", inHome: ".local/share") + "/foyer/foyer.db"
    }

    /// `foyer/key` in the state folder: `$XDG_STATE_HOME`, else `~/.local/state`.
    /// - Throws: `unsafePath` when neither that variable nor `HOME` says where.
    package static func defaultKeyFile() throws(StoreError) -> String {
        try folder("XDG_STATE_HOME", inHome: ".local/state") + "/foyer/key"
    }

    /// `foyer/passphrase-key` in the state folder, for a key that a passphrase opens.
    /// - Throws: as `defaultKeyFile`.
    package static func defaultPassphraseKeyFile() throws(StoreError) -> String {
        try folder("XDG_STATE_HOME", inHome: ".local/state") + "/foyer/passphrase-key"
    }

    /// The files that hold settings, the most important one first: `foyer/config` in the config folder, which is
    /// `$XDG_CONFIG_HOME`, else `~/.config`; then in each of `$XDG_CONFIG_DIRS`, else in `/etc/xdg`. They need not exist.
    package static func configFiles() -> [String] {
        let own = try? folder("XDG_CONFIG_HOME", inHome: ".config")
        let shared = (try? value(of: "XDG_CONFIG_DIRS")).flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
        let folders = (own.map { [$0] } ?? []) + shared.split(separator: ":").map(String.init)
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/foyer/config" }
    }

    /// The key that was chosen; without any choice, the one in the default file.
    static func key(_ key: KeySource?, inFile file: String?) throws(StoreError) -> KeySource {
        if let key { return key }
        if let file { return .file(file) }
        return .file(try defaultKeyFile())
    }

    /// Relative values are to be ignored, says the specification.
    private static func folder(_ variable: String, inHome relative: String) throws(StoreError) -> String {
        if let path = try value(of: variable), path.hasPrefix("/") { return path }
        if let home = try value(of: "HOME"), home.hasPrefix("/") { return "\(home)/\(relative)" }
        throw StoreError(.unsafePath, "Neither \(variable) nor HOME says where to keep files; name them yourself.")
    }

    /// - Throws: `unsafePath` where it is no text: a path that was mended would be another one.
    private static func value(of variable: String) throws(StoreError) -> String? {
        guard let value = getenv(variable) else { return nil }
        guard let text = String(validatingCString: value) else {
            throw StoreError(.unsafePath, "\(variable) is not UTF-8 text; name the files yourself.")
        }
        return text
    }
}
