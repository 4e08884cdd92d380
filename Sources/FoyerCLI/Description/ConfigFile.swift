import Foyer

/// A file of settings: `key = value` lines, named as the flags are; an empty line or one that begins with `#` is nothing.
struct ConfigFile {
    let path: String
    private(set) var entries: [String: (text: String, line: Int)] = [:]

    private static let longest = 65_536

    /// Reads the file; nil where there is none.
    /// - Throws: exit 78 where it cannot be read, others may write to it, or a line is no setting.
    init?(at path: String) throws(Failure) {
        guard let file = try OwnFile(path, forbidding: 0o022, exit: .configuration) else { return nil }
        let text = file.read(upTo: Self.longest).withBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { throw .badSetting("\(path) is not UTF-8 text.") }
        try self.init(text, path: path)
    }

    /// Reads a file's text.
    init(_ text: String, path: String) throws(Failure) {
        self.path = path
        let known = Flag.everywhere.filter(\.isSetting).map(\.key)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingBlanks()
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(parts[0].trimmingBlanks())
            guard parts.count == 2, !parts[1].trimmingBlanks().isEmpty else {
                throw .badSetting("\(path):\(number + 1): this is no setting; one is written as `network = offline`.")
            }
            guard known.contains(key) else {
                throw .badSetting(
                    "\(path):\(number + 1): there is no setting \"\(key)\".\(suggestion(for: key, among: known)) "
                        + "The settings are: \(known.joined(separator: ", ")).")
            }
            entries[key] = (String(parts[1].trimmingBlanks()), number + 1)
        }
    }
}

extension Failure {
    static func badSetting(_ message: String) -> Failure {
        Failure(code: "bad_setting", message: message, exit: .configuration)
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let start = drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }
}
