import Foundation
import Testing

/// The page that maps the articles' mechanisms to types and tests.
@Suite struct MechanismPageTests {
    /// One line of its tables.
    private struct Row {
        let id: String
        let text: String

        /// The files that it links to, from the package's folder.
        var files: [String] { text.matches(of: #/\]\(\.\./([^)]+)\)/#).map { String($0.1) } }
        /// The tests that it names, in its last column.
        var tests: [String] {
            let column = text.split(separator: " | ").last ?? ""
            return column.matches(of: #/`([^`]+)`/#).map { String($0.1) }
        }
    }

    private static let rows: [Row] = {
        let page = (try? String(contentsOfFile: "\(Package.folder)/Documentation/mechanisms.md", encoding: .utf8)) ?? ""
        return page.split(separator: "\n").compactMap { line in
            guard let id = line.firstMatch(of: #/^\| ([A-D]?\d+) \|/#) else { return nil }
            return Row(id: String(id.1), text: String(line))
        }
    }()

    /// The display names of all tests.
    private static let tests: Set<String> = {
        let folder = "\(Package.folder)/Tests"
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.filter { $0.hasSuffix(".swift") }.reduce(into: []) { names, path in
            let text = (try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)) ?? ""
            names.formUnion(text.matches(of: #/@Test\(\s*"([^"]+)"/#).map { String($0.1) })
        }
    }()

    @Test("The page lists every mechanism once, in order, and the nine faults")
    func complete() {
        let counts = [("A", 40), ("B", 17), ("C", 19), ("D", 11), ("", 9)]
        #expect(Self.rows.map(\.id) == counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } })
    }

    @Test("Every file on the page exists, and every mechanism has one")
    func files() {
        for row in Self.rows {
            #expect(!row.files.isEmpty || Int(row.id) != nil, "\(row.id)")
            for file in row.files {
                #expect(FileManager.default.fileExists(atPath: "\(Package.folder)/\(file)"), "\(row.id): \(file)")
            }
        }
    }

    @Test("Every test on the page exists, and its name says the row or the fault")
    func named() {
        for row in Self.rows {
            #expect(!row.tests.isEmpty, "\(row.id)")
            for test in row.tests {
                #expect(Self.tests.contains(test), "\(row.id): \(test)")
                let saysRow = test.hasPrefix("\(row.id): ")
                let saysFault = Int(row.id) != nil && test.lowercased().contains("fault \(row.id)")
                #expect(saysRow || saysFault, "\(row.id): \(test)")
            }
        }
    }

    @Test("C8: no screen and no form knows a coordinator: only coordinators order and present them")
    func screens() throws {
        let screens = try Package.sources().filter { $0.path.contains("/Screens/") || $0.path.contains("/Forms/") }
        #expect(screens.count > 10)
        for file in screens {
            #expect(!file.lines.contains { $0.code.contains("Coordinator") }, "\(file.path)")
        }
    }
}
