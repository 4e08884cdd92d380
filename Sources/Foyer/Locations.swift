public import FoyerModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that are used where none are named, by the XDG base directory specification.
public enum Locations {
    /// `foyer/foyer.db` in the data folder: `$XDG_DATA_HOME`, else `~/.local/share`.
    /// - Throws: `unsafePath` when neither that variable nor `HOME` says where.
    public static func defaultDatabase() throws(StoreError) -> String {
        try folder("XDG_DATA_HOME", inHome: ".local/share") + "/foyer/foyer.db"
    }

    /// `foyer/key` in the state folder: `$XDG_STATE_HOME`, else `~/.local/state`.
    /// - Throws: `unsafePath` when neither that variable nor `HOME` says where.
    public static func defaultKeyFile() throws(StoreError) -> String {
        try folder("XDG_STATE_HOME", inHome: ".local/state") + "/foyer/key"
    }

    /// Relative values are to be ignored, says the specification.
    private static func folder(_ variable: String, inHome relative: String) throws(StoreError) -> String {
        if let path = value(of: variable), path.hasPrefix("/") { return path }
        if let home = value(of: "HOME"), home.hasPrefix("/") { return "\(home)/\(relative)" }
        throw StoreError(.unsafePath, "Neither \(variable) nor HOME says where to keep files; name them yourself.")
    }

    private static func value(of variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }
    }
}
