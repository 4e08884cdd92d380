import Foundation
import FoyerSQLite

/// Usage: `EmbedFilesTool migrations|templates OUTPUT FILE …`: writes a Swift file that holds the text of each file.
///
/// A migration's name must read `NNNN_what_it_does.sql`, and the numbers must run from 1 without a gap: a migration
/// that was left out would otherwise be noticed only in somebody's database. A template must be JSON.

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
    exit(1)
}

func text(of file: URL) -> String {
    guard let text = try? String(contentsOf: file, encoding: .utf8), !text.contains("\"\"\"###") else {
        fail("\(file.path()): not readable as UTF-8 text")
    }
    return "###\"\"\"\n\(text)\n\"\"\"###"
}

func name(of file: URL) -> String { file.deletingPathExtension().lastPathComponent }

/// What the schema looks like after each migration; one that cannot be run is an error of the build.
func fingerprints(_ files: [URL]) -> [UInt64] {
    let history = files.enumerated().map { index, file in
        Migration(version: index + 1, name: name(of: file), sql: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }
    do { return try Migration.schemaFingerprints(of: history) } catch { fail("\(error)") }
}

func migrations(_ files: [URL]) -> String {
    let fingerprints = fingerprints(files)
    let entries = files.enumerated().map { index, file in
        let parts = name(of: file).split(separator: "_", maxSplits: 1)
        guard parts.count == 2, parts[0].count == 4, let version = Int(parts[0]) else {
            fail("\(file.path()): a migration is named NNNN_what_it_does.sql")
        }
        guard version == index + 1 else {
            fail("\(file.path()): expected number \(index + 1); the numbers run from 1 without a gap")
        }
        return "        (\(version), \"\(name(of: file))\", \(text(of: file)), \(fingerprints[index])),"
    }
    return """
        extension EmbeddedMigrations {
            /// Version (from 1, without gaps), file name without its ending, the file's text, and the fingerprint of
            /// the schema that it leads to; in order.
            public static let all: [(version: Int, name: String, sql: String, schemaFingerprint: UInt64)] = [
        \(entries.joined(separator: "\n"))
            ]
        }

        """
}

func templates(_ files: [URL]) -> String {
    let entries = files.map { file in
        guard let data = try? Data(contentsOf: file), (try? JSONSerialization.jsonObject(with: data)) != nil else {
            fail("\(file.path()): not readable as JSON")
        }
        return "        \"\(name(of: file))\": \(text(of: file)),"
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
