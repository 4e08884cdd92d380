import Foundation
import TestSupport

/// One of the project's Markdown files, by its path in the project.
struct Page {
    static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The pages that the documentation is built from.
    static let catalog = "Sources/Foyer/Foyer.docc"

    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        text = String(decoding: try Data(contentsOf: Self.project.appending(path: path)), as: UTF8.self)
    }

    /// Every page of the project, without what a build has put there.
    static func all() throws -> [Page] {
        guard let files = FileManager.default.enumerator(at: project, includingPropertiesForKeys: nil) else {
            throw Failure("the project was not found")
        }
        var pages: [Page] = []
        for case let file as URL in files {
            if file.lastPathComponent.hasPrefix(".") { files.skipDescendants() }
            guard file.pathExtension == "md" else { continue }
            pages.append(try Page(String(file.path.dropFirst(project.path.count)).trimmingPrefix("/").description))
        }
        return pages
    }

    /// What stands outside of the fenced blocks.
    var prose: String {
        var isInside = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isInside.toggle() }
            return !isInside
        }.joined(separator: "\n")
    }

    /// The texts of the fenced blocks of a language.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = [], current: [Substring]?, isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
                if let lines = current { blocks.append(lines.joined(separator: "\n")) }
                current = isInside && line == "```\(language)" ? [] : nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// The command lines of the shell blocks that ask `sqlite3` something; one that ends with a backslash, or inside
    /// quotes, goes on in the next line.
    var queries: [String] {
        var commands: [String] = []
        for block in blocks("sh") {
            var open = ""
            for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
                open += open.isEmpty ? String(line) : "\n\(line)"
                let isInQuotes = ["'", "\""].contains { quote in
                    !open.filter { $0 == quote }.count.isMultiple(of: 2)
                }
                if isInQuotes || open.hasSuffix("\\") { continue }
                // Without a question it is a shell for a person.
                if open.hasPrefix("sqlite3 "), !open.hasSuffix("$(foyer db path)\"") { commands.append(open) }
                open = ""
            }
        }
        return commands
    }

    /// The program of the Swift blocks in their order, but for a package's description.
    var program: String? {
        let blocks = blocks("swift").filter { !$0.hasPrefix("// swift-tools-version") }
        return blocks.isEmpty ? nil : blocks.joined(separator: "\n")
    }
}

extension Household {
    /// A household with a finished, a waiting and an open registration, the last one at a terminal, and with a network
    /// that could not be reached.
    static func inUse() async throws -> (Household, PseudoTerminal) {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        try await household.foyer("sync", "--network", "http://127.0.0.1:1", "--wait", "0")
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<2, as: Person(email: "third@example.org", userName: "third"))
        try await terminal.expect("[3/5] Password: ")
        return (household, terminal)
    }
}
