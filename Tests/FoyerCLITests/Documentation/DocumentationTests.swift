import FoyerModel
import Foundation
import TestSupport
import Testing

/// What the documentation says is so.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
    /// The pages whose Swift is a program.
    private static let programs = paths { $0.program != nil }
    /// The pages that show what commands print.
    private static let sessions = paths { !$0.blocks("console").isEmpty }

    private static func paths(where isIncluded: (Page) -> Bool) -> [String] {
        (try? Page.all().filter(isIncluded).map(\.path)) ?? []
    }

    @Test("The Swift blocks of a page compile, one after the other", arguments: programs)
    func program(path: String) async throws {
        #expect(try await compilerErrors(of: try #require(try Page(path).program)) == "")
    }

    @Test("There are programs, and the compiler does look at them")
    func wrongProgram() async throws {
        #expect(Set(Self.programs).isSuperset(of: ["README.md", "\(Page.catalog)/GettingStarted.md"]))
        #expect(try await compilerErrors(of: "import Foyer\nlet a: FlowStep = 1").contains("FlowStep"))
    }

    @Test("The shell examples of a page print what is shown", arguments: sessions)
    func session(path: String) async throws {
        let household = try Household()
        for block in try Page(path).blocks("console") {
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

    @Test("There are shell examples with output")
    func sessionsWithOutput() throws {
        let scripting = try Page("Documentation/scripting.md")
        #expect(Self.sessions.contains(scripting.path))
        #expect(scripting.blocks("console").contains { $0.contains("\n1 accepted, 0 rejected, 0 waiting.\n") })
    }

    @Test("Each query prints something from a file in use")
    func queries() async throws {
        let (household, terminal) = try await Household.inUse()
        let pages = try Page.all().filter { !$0.queries.isEmpty }
        #expect(
            Set(pages.map(\.path)).isSuperset(of: [
                "README.md", "Documentation/operating.md", "\(Page.catalog)/TheFile.md",
                "\(Page.catalog)/GettingStarted.md",
            ]))
        for page in pages {
            for query in page.queries {
                // The file of the page's own program is the household's here.
                let line = query.replacingOccurrences(of: " data/accounts.db ", with: " '\(household.database)' ")
                let result = try await household.shell(line)
                #expect(result.exit == .code(0), "\(query)\n\(result.stderr)")
                #expect(result.stderr == "" && result.stdout != "", "\(query)")
            }
            for sql in page.blocks("sql") {
                #expect(try await household.sqlite3(sql) != "", "\(sql)")
            }
        }
        withExtendedLifetime(terminal) {}
        try await household.checkInvariants()
    }

    @Test("The page about the file names every table, view and column of it, in their order, and no other")
    func theFile() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Array(Person.ada.answers.prefix(1)))
        let page = try Page("\(Page.catalog)/TheFile.md")
        for (kind, heading) in [("table", "## Tables"), ("view", "## Views")] {
            let rows = try await household.sqlite3(
                """
                SELECT parent.name, info.name FROM sqlite_schema AS parent, pragma_table_info(parent.name) AS info
                WHERE parent.type = '\(kind)' ORDER BY parent.name, info.cid
                """)
            let found = Dictionary(
                grouping: rows.split(separator: "\n").map { $0.split(separator: "|") }, by: { String($0[0]) }
            ).mapValues { $0.map { String($0[1]) } }
            #expect(!found.isEmpty)
            #expect(page.columns(under: heading) == found)
        }
    }

    @Test("The page about the file names every word of the journal, and no other")
    func journal() throws {
        let page = try Page("\(Page.catalog)/TheFile.md").text
        let words = try #require(page.firstMatch(of: /The words: ([^.]+)\./)).output.1
        let listed = Set(words.matches(of: /`([^`]+)`/).map { $0.output.1.replacing("\n", with: " ") })
        let source = Page.project.appending(path: "Sources/FoyerModel/Journal/JournalEntry.swift")
        let read = try String(contentsOf: source, encoding: .utf8).matches(of: /case "([^"]+)":/)
        let written = Set(read.map { String($0.output.1) })
        for word in written { #expect(JournalEntry.Event(what: word, detail: nil).what == word) }
        #expect(Set(listed.map { String($0) }) == written)
    }

    @Test("Every link between the pages leads to a file")
    func links() throws {
        let pages = try Page.all()
        #expect(pages.count > 10)
        for page in pages {
            let folder = Page.project.appending(path: page.path).deletingLastPathComponent()
            for link in page.prose.matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) where !link.output.1.contains(":") {
                let file = folder.appending(path: String(link.output.1)).standardizedFileURL
                let isThere = FileManager.default.fileExists(atPath: file.path)
                #expect(isThere, "\(page.path): \(link.output.1)")
            }
        }
    }
}

extension Page {
    /// The columns that the tables under a heading of the second level list, by the name in the heading of the third.
    fileprivate func columns(under heading: String) -> [String: [String]] {
        var columns: [String: [String]] = [:], isUnder = false, table = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") {
                isUnder = line == heading
            } else if isUnder, let name = line.wholeMatch(of: /### `(\w+)`/) {
                table = String(name.output.1)
            } else if isUnder, let column = line.prefixMatch(of: /\| `(\w+)` \|/) {
                columns[table, default: []].append(String(column.output.1))
            }
        }
        return columns
    }
}
