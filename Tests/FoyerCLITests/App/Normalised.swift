import Foundation
import TestSupport
import Testing

/// A text whose identifiers are numbered by their first appearance, and whose times are all alike.
func normalised(_ text: String) -> String {
    var numbers: [Substring: Int] = [:]
    return
        text
        .replacing("\r\n", with: "\n")
        .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/) { found in
            let number = numbers[found.output] ?? numbers.count + 1
            numbers[found.output] = number
            return "#\(number)"
        }
        .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "<time>")
}

/// Compares line by line, and tells the lines that differ.
func expectEqual(_ seen: String, _ expected: String, _ name: String, at place: SourceLocation = #_sourceLocation) {
    let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
    let differences = lines(seen).difference(from: lines(expected)).map { change in
        switch change {
        case .insert(let line, let text, _): "\(line + 1) seen:     \(text)"
        case .remove(let line, let text, _): "\(line + 1) expected: \(text)"
        }
    }
    #expect(differences == [], "\(name)\n\(differences.joined(separator: "\n"))", sourceLocation: place)
}

/// The package's folder.
func packageURL() -> URL {
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
}

/// The text of a file below the package's folder.
func packageFile(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: packageURL().appending(path: name)), as: UTF8.self)
}
