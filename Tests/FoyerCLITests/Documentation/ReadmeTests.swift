import Foundation
import TestSupport
import Testing

/// What the README promises is what a reader gets.
@Suite struct ReadmeTests {
    private let page: Page

    init() throws {
        page = try Page("README.md")
    }

    @Test("The README has at most 150 lines")
    func length() {
        #expect(page.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("The embedding example is the snippet that is compiled, and has 12 lines")
    func embedding() throws {
        let examples = page.blocks("swift").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let snippet = try Page("Snippets/Embedding.swift").text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(examples.contains(snippet))
        #expect(snippet.split(separator: "\n").count == 12)
    }

    @Test("The two commands are scripts that can be run")
    func commands() {
        let commands = page.blocks("console").flatMap { $0.split(separator: "\n") }.map { $0.trimmingPrefix("$ ") }
        #expect(commands == ["Scripts/run", "Scripts/test"])
        for command in commands {
            let file = Page.project.appending(path: String(command)).path
            #expect(FileManager.default.isExecutableFile(atPath: file), "\(command)")
        }
    }

    @Test("Each of the three guarantees links to a proof")
    func guarantees() throws {
        let sections = page.text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("Three guarantees\n") })
        let guarantees = section.components(separatedBy: "\n\n").last?.split(separator: /\n(?=\d\. )/) ?? []
        #expect(guarantees.count == 3)
        for guarantee in guarantees {
            #expect(guarantee.contains("](Scripts/") || guarantee.contains("](Tests/"), "\(guarantee)")
        }
    }
}
