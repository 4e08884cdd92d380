import Foundation

/// Usage: `EmbedMigrationsTool OUTPUT FILE.sql …`: writes a Swift file that holds the text of each `.sql` file.
///
/// A name must read `NNNN_what_it_does.sql`, and the numbers must run from 1 without a gap: a migration that was
/// left out would otherwise be noticed only in somebody's database.

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else { fail("usage: EmbedMigrationsTool OUTPUT FILE.sql …") }

var entries: [String] = []
for path in arguments.dropFirst() {
    let file = URL(filePath: path)
    let name = file.deletingPathExtension().lastPathComponent
    let parts = name.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0].count == 4, let version = Int(parts[0]) else {
        fail("\(path): a migration is named NNNN_what_it_does.sql")
    }
    guard version == entries.count + 1 else {
        fail("\(path): expected number \(entries.count + 1); the numbers run from 1 without a gap")
    }
    guard let sql = try? String(contentsOf: file, encoding: .utf8), !sql.contains("\"\"\"###") else {
        fail("\(path): not readable as UTF-8 text")
    }
    entries.append(
        """
                (\(version), "\(name)", ###\"""
        \(sql)
        \"""###),
        """)
}

let source = """
    extension EmbeddedMigrations {
        /// Version (from 1, without gaps), file name without its ending, and the file's text; in order.
        public static let all: [(version: Int, name: String, sql: String)] = [
    \(entries.joined(separator: "\n"))
        ]
    }

    """
do {
    try source.write(to: URL(filePath: output), atomically: true, encoding: .utf8)
} catch {
    fail("\(output): \(error.localizedDescription)")
}
