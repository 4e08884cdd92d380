import Foundation
import TestSupport
import Testing

/// What the README promises is what a reader gets.
@Suite(.timeLimit(.minutes(2))) struct ReadmeTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func file(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: package.appending(path: name)), as: UTF8.self)
    }

    /// The texts of the README's fenced blocks of a language.
    private static func blocks(_ language: String) throws -> [String] {
        var blocks: [String] = [], current: [Substring]?
        for line in try file("README.md").split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = current {
                if line.hasPrefix("```") {
                    blocks.append(lines.joined(separator: "\n"))
                    current = nil
                } else {
                    current = lines + [line]
                }
            } else if line == "```\(language)" {
                current = []
            } else if line.hasPrefix("```") {
                // A block of another language: what is inside is passed over.
                current = nil
            }
        }
        return blocks
    }

    /// The `sqlite3` command lines of the README's shell blocks; a line that ends with a backslash, or inside quotes,
    /// goes on in the next.
    private static func queries() throws -> [String] {
        var commands: [String] = []
        for block in try blocks("sh") {
            var open = ""
            for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
                open += open.isEmpty ? String(line) : "\n\(line)"
                let isInQuotes = !open.filter { $0 == "'" }.count.isMultiple(of: 2)
                if isInQuotes || open.hasSuffix("\\") { continue }
                if open.hasPrefix("sqlite3 ") { commands.append(open) }
                open = ""
            }
        }
        return commands
    }

    /// A household with a finished, a waiting and an open registration, the last one at a terminal.
    private static func busyHousehold() async throws -> (Household, PseudoTerminal) {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<2, as: Person(email: "third@example.org", userName: "third"))
        try await terminal.expect("[3/5] Password: ")
        return (household, terminal)
    }

    @Test func eachQueryPrintsSomethingFromAFileInUse() async throws {
        let (household, terminal) = try await Self.busyHousehold()
        let queries = try Self.queries()
        #expect(!queries.isEmpty)
        for query in queries {
            // As a reader has them: `foyer` in PATH, or the script that builds and runs it.
            let line = query.replacingOccurrences(of: "Scripts/run", with: "foyer")
                .replacingOccurrences(of: "./foyer", with: "foyer")
            let result = try await household.shell(line)
            #expect(result.exit == .code(0), "\(query)\n\(result.stderr)")
            #expect(result.stderr == "" && result.stdout != "", "\(query)")
        }
        for sql in try Self.blocks("sql") {
            #expect(try await household.sqlite3(sql) != "", "\(sql)")
        }
        withExtendedLifetime(terminal) {}
        try await household.checkInvariants()
    }

    @Test func theShellExamplesPrintWhatIsShown() async throws {
        let household = try Household()
        for block in try Self.blocks("console") {
            for example in block.split(separator: "$ ", omittingEmptySubsequences: true) {
                let lines = example.split(separator: "\n", maxSplits: 1)
                let command = String(lines.first ?? "").replacingOccurrences(of: "Scripts/run", with: "foyer")
                // Without output there is nothing to compare, such as where a person is asked.
                guard lines.count == 2 else { continue }
                let result = try await household.shell("(\(command)) 2>&1")
                #expect(result.stdout == "\(lines[1])".trimmingCharacters(in: .newlines) + "\n", "\(command)")
            }
        }
        try await household.checkInvariants()
    }

    @Test func theEmbeddingExampleIsTheFileThatIsCompiled() async throws {
        let examples = try Self.blocks("swift").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let snippet = try Self.file("Snippets/Embedding.swift").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(examples.contains(snippet))
    }
}
