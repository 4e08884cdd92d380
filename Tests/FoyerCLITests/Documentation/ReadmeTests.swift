import Foundation
import TestSupport
import Testing

/// What the README promises is what a reader gets.
@Suite(.timeLimit(.minutes(2))) struct ReadmeTests {
    private let page: Page

    init() throws {
        page = try Page("README.md")
    }

    @Test func theShellExamplesPrintWhatIsShown() async throws {
        let household = try Household()
        for block in page.blocks("console") {
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
        let examples = page.blocks("swift").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let snippet = try Page("Snippets/Embedding.swift").text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(examples.contains(snippet))
    }
}
