import Foundation
import FoyerModel
import Testing

@testable import FoyerSync

/// Documentation/answers.md is what the classifier does: the page is checked, and can be written anew.
@Suite struct AnswersPageTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation/answers.md")
    private static let begin = "<!-- The table is made from the classifier. -->\n"
    private static let end = "<!-- End of the table. -->"

    private static func meaning(_ result: Result<NetworkReply, NetworkFailure>) -> String {
        ReplyClassifier.classify(result).name
    }

    private static func meaning(_ status: Int, _ body: String, type: String, retryAfter: String?) -> String {
        meaning(
            .success(
                NetworkReply(status: status, body: Array(body.utf8), contentType: type, retryAfter: retryAfter)))
    }

    /// What stands in the columns of a status.
    private static func cells(_ status: Int) -> [String] {
        let json = "application/json", problem = "application/problem+json"
        return [
            meaning(status, #"{"schema":1,"verdict":"accepted"}"#, type: json, retryAfter: nil),
            meaning(status, #"{"errors":[{"field":"user_name","code":"taken"}]}"#, type: problem, retryAfter: nil),
            meaning(status, "{}", type: json, retryAfter: nil),
            meaning(status, "{}", type: json, retryAfter: "7"),
            meaning(status, "<html>", type: "text/html", retryAfter: nil),
        ]
    }

    /// The table: neighbours that mean the same share a row.
    private static var table: String {
        var rows: [(first: Int, last: Int, cells: [String])] = []
        for status in 100...599 {
            let cells = cells(status)
            if let last = rows.last, last.cells == cells {
                rows[rows.count - 1].last = status
            } else {
                rows.append((status, status, cells))
            }
        }
        var lines = [
            "| status | acceptance | refusal of fields | other JSON | the same with `Retry-After` | not JSON |",
            "|---|---|---|---|---|---|",
        ]
        lines += rows.map { row in
            let status = row.first == row.last ? "\(row.first)" : "\(row.first)–\(row.last)"
            return "| \(status) | \(row.cells.joined(separator: " | ")) |"
        }
        let failures: [(String, NetworkFailure)] = [
            ("`unreachable`", .unreachable("")), ("`untrusted`", .untrusted("")), ("`interrupted`", .interrupted("")),
            ("`malformed`", .malformed("")),
        ]
        lines += ["", "| failure | meaning |", "|---|---|"]
        lines += failures.map { "| \($0) | \(meaning(.failure($1))) |" }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("The page's tables are what the classifier does with every status and every failure")
    func page() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = text.components(separatedBy: Self.begin)
        let rest = try #require(parts.last?.components(separatedBy: Self.end))
        guard ProcessInfo.processInfo.environment["WRITE_PAGES"] == nil else {
            try (parts[0] + Self.begin + Self.table + Self.end + rest[1])
                .write(to: Self.page, atomically: true, encoding: .utf8)
            return
        }
        #expect(rest.first == Self.table, "WRITE_PAGES=1 swift test --filter AnswersPageTests writes it anew")
    }
}
