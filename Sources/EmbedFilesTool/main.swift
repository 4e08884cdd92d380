import Foundation

/// Usage: `EmbedFilesTool migrations|templates OUTPUT FILE …`: writes a Swift file that holds the text of each file.
///
/// A migration's name must read `NNNN_what_it_does.sql`, and the numbers must run from 1 without a gap: a migration
/// that was left out would otherwise be noticed only in somebody's database. A template must be JSON.

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
    exit(1)
}

/// A literal of Swift for any text but one that contains the literal's end.
func literal(_ text: String) -> String {
    guard !text.contains("\"\"\"###") else { fail("a text contains \"\"\"###, which ends a literal of Swift") }
    return "###\"\"\"\n\(text)\n\"\"\"###"
}

func text(of file: URL) -> String {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
        fail("\(file.path(percentEncoded: false)): not readable as UTF-8 text")
    }
    return text
}

func name(of file: URL) -> String { file.deletingPathExtension().lastPathComponent }

func migrations(_ files: [URL]) -> String {
    let migrations = files.map { (file: $0, sql: text(of: $0)) }
    let entries = migrations.enumerated().map { index, migration in
        let file = migration.file
        let parts = name(of: file).split(separator: "_", maxSplits: 1)
        guard parts.count == 2, parts[0].count == 4, let version = Int(parts[0]) else {
            fail("\(file.path(percentEncoded: false)): a migration is named NNNN_what_it_does.sql")
        }
        guard version == index + 1 else {
            fail(
                "\(file.path(percentEncoded: false)): expected number \(index + 1); the numbers run from 1 without a gap"
            )
        }
        return "        (\(version), \"\(name(of: file))\", \(literal(migration.sql))),"
    }
    return """
        extension EmbeddedMigrations {
            /// Version (from 1, without gaps), file name without its ending, and the file's text; in order.
            public static let all: [(version: Int, name: String, sql: String)] = [
        \(entries.joined(separator: "\n"))
            ]

            /// The rows of `sqlite_schema` that all of them lead to, by type and name.
            public static let schema: [(type: String, name: String, table: String, sql: String?)] = [
        \(schemaRows(after: migrations).joined(separator: "\n"))
            ]
        }

        """
}

func templates(_ files: [URL]) -> String {
    let entries = files.map { file in
        guard let data = try? Data(contentsOf: file), (try? JSONSerialization.jsonObject(with: data)) != nil else {
            fail("\(file.path(percentEncoded: false)): not readable as JSON")
        }
        return "        \"\(name(of: file))\": \(literal(text(of: file))),"
    }
    return """
        /// The files of this target's folder `Templates`, as they were when the program was built.
        enum EmbeddedTemplates {
            /// The JSON text of each, by file name without its ending.
            static let all: [String: String] = [
        \(entries.joined(separator: "\n"))
            ]
        }

        """
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { fail("usage: EmbedFilesTool migrations|templates OUTPUT FILE …") }
let files = arguments.dropFirst(2).map { URL(filePath: $0) }
let source: String
switch arguments[0] {
case "migrations": source = migrations(files)
case "templates": source = templates(files)
default: fail("\(arguments[0]) is neither migrations nor templates")
}
do {
    try source.write(to: URL(filePath: arguments[1]), atomically: true, encoding: .utf8)
} catch {
    fail("\(arguments[1]): \(error.localizedDescription)")
}
