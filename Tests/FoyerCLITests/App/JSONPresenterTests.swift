import Foundation
import TestSupport
import Testing

/// What another program can rely on that is the user interface of `foyer app --json`.
@Suite(.timeLimit(.minutes(2))) struct JSONPresenterTests {
    /// One line of the program, and what is needed of it to answer.
    struct Shown {
        let line: String
        let object: [String: Any]

        init(_ line: String) throws {
            self.line = line
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw Failure("not an object: \(line)")
            }
            self.object = object
        }

        var result: String? { object["result"] as? String }

        /// The screen that takes the input.
        func screen() throws -> [String: Any] {
            var node = object["screens"] as? [String: Any] ?? [:]
            while node["kind"] as? String != "screen" {
                let next = node["shown"] ?? node["top"] ?? (node["stack"] as? [Any])?.last
                guard let inner = next as? [String: Any] else { throw Failure("no screen: \(line)") }
                node = inner
            }
            return node["screen"] as? [String: Any] ?? [:]
        }

        func id() throws -> String { try screen()["id"] as? String ?? "" }

        /// The line that answers this one.
        func input(_ action: String, _ values: [String: String] = [:]) throws -> String {
            let screen = try screen()
            let input: [String: Any] = [
                "screen": screen["id"] ?? "", "revision": screen["revision"] ?? 0, "action": action, "values": values,
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: input), as: UTF8.self)
        }
    }

    static let setup = [
        "email_field": Person.ada.email, "user_name": Person.ada.userName, "password": Person.password,
    ]

    @Test("The documented JSON session is what really happens")
    func theDocumentedSessionIsWhatHappens() async throws {
        let page = try packageFile("Documentation/json-presenter.md")
        let example = page.split(separator: "```jsonl\n").dropFirst().first?.split(separator: "\n```").first ?? ""
        let lines = example.split(separator: "\n")
        let household = try Household()
        let app = try Dialogue(try household.program(["app", "--json"]))
        var seen = ["< \(try await app.nextLine())"]
        for line in lines where line.hasPrefix("> ") {
            seen += [String(line), "< \(try await app.answer(to: String(line.dropFirst(2))))"]
        }
        #expect(try await app.end() == .code(0))
        try await household.checkInvariants()
        #expect(lines.count > 4)
        let shown = seen.joined(separator: "\n")
        expectEqual(normalised(shown), normalised(String(example)), "Documentation/json-presenter.md")
    }

    @Test("A line with anything wrong is answered with what is wrong and the current screens")
    func whateverIsWrongWithALineGetsAnAnswerWithTodaysScreens() async throws {
        let household = try Household()
        let app = try Dialogue(try household.program(["app", "--json"]))
        let first = try Shown(try await app.nextLine())
        let good = try first.input("accept", Self.setup)
        let malformed = [
            "", "x", "{}", "[]", "null", "{\"screen\":1}", String(good.dropLast()), "\u{0}", "\u{1b}[31m",
            good.replacing("\"revision\":1", with: "\"revision\":\"1\""), String(repeating: "[", count: 60_000),
            good.replacing("\"revision\":1", with: "\"revision\":99999999999999999999"),
            good.replacing("\"values\":{", with: "\"values\":{\"x\":1,"),
            String(repeating: "y", count: 100_000),
        ]
        let wrong =
            malformed.map { ($0, "malformed") } + [
                (good.replacing("\"revision\":1", with: "\"revision\":0"), "stale"),
                (good.replacing("\"revision\":1", with: "\"revision\":-7"), "stale"),
                (try first.input("accept").replacing("setup", with: "nowhere"), "stale"),
                (try first.input("bogus"), "unknown"), (try first.input("dismissAlert"), "unknown"),
                (try first.input("tab.nowhere"), "unknown"), (try first.input("back"), "unknown"),
            ]
        for (line, result) in wrong {
            let answer = try Shown(try await app.answer(to: line))
            #expect(answer.result == result, "\(line.prefix(200))")
            #expect(try answer.input("accept", Self.setup) == good || answer.id() == first.id())
            #expect(
                answer.object["screens"] as? NSDictionary == first.object["screens"] as? NSDictionary,
                "\(line.prefix(80))"
            )
        }
        let step = try Shown(try await app.answer(to: good))
        #expect(step.result == "taken")
        let empty = try Shown(try await app.answer(to: try step.input("accept")))
        #expect(empty.result == "incomplete" && empty.object["screens"] != nil)
        #expect(try await app.end() == .code(75))
        try await household.checkInvariants()
    }

    @Test("An old or repeated input changes nothing and gets the current screens")
    func anOldOrDoubledInputChangesNothingAndGetsTodaysScreen() async throws {
        let household = try Household()
        let app = try Dialogue(try household.program(["app", "--json"]))
        let first = try Shown(try await app.nextLine())
        let accepted = try first.input("accept", Self.setup)
        let asked = try Shown(try await app.answer(to: accepted))
        // The same screen again, of which only the revision tells that it is not the one that was answered.
        let name = try Shown(try await app.answer(to: try asked.input("accept", ["firstName": " "])))
        #expect(try name.id() == asked.id() && name.result == "refused")
        let before = try await Self.rows(household), bytes = try Self.bytes(household)
        let forToday = try ["back", "cancel", "tab.about"].map { try asked.input($0) }
        for old in forToday + [accepted, accepted, try asked.input("accept", ["firstName": "Eve"])] {
            let answer = try Shown(try await app.answer(to: old))
            #expect(answer.result == "stale")
            #expect(answer.object["screens"] as? NSDictionary == name.object["screens"] as? NSDictionary)
        }
        #expect(try Self.bytes(household) == bytes)
        #expect(try await Self.rows(household) == before)

        let last = try Shown(try await app.answer(to: try name.input("accept", ["firstName": "Ada"])))
        let finishing = try last.input("accept", ["lastName": "Lovelace"])
        let done = try Shown(try await app.answer(to: finishing))
        #expect(done.result == "taken" && done.line.contains("Welcome, Ada."))
        let finished = try await Self.rows(household)
        for old in [finishing, try name.input("accept", ["firstName": "Eve"]), finishing] {
            let answer = try Shown(try await app.answer(to: old))
            #expect(answer.result == "stale")
            #expect(answer.object["screens"] as? NSDictionary == done.object["screens"] as? NSDictionary)
        }
        #expect(try await Self.rows(household) == finished)
        #expect(try await app.end() == .code(0))
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        try await household.checkInvariants()
    }

    @Test("A refused answer carries its error text, and a request to open a URL is handed on")
    func aRefusedAnswerCarriesItsTextAndARequestIsHandedOn() async throws {
        let household = try Household()
        let app = try Dialogue(try household.program(["app", "--json"]))
        let step = try Shown(try await app.answer(to: try Shown(try await app.nextLine()).input("accept", Self.setup)))
        let refused = try Shown(try await app.answer(to: try step.input("accept", ["firstName": " "])))
        #expect(refused.result == "refused")
        let content = try refused.screen()["content"] as? [String: Any]
        let error = (content?["fields"] as? [[String: Any]])?.first?["error"] as? [String: Any]
        #expect(
            error as NSDictionary? == [
                "id": "field.required", "parameters": [String: String](), "text": "Fill in this field.",
            ])
        let about = try Shown(try await app.answer(to: try refused.input("tab.about")))
        let rated = try Shown(try await app.answer(to: try about.input("rate")))
        #expect(rated.result == "taken")
        #expect(
            rated.object["request"] as? NSDictionary == ["kind": "openURL", "url": "https://example.org/foyer/rate"])
        #expect(try await app.end() == .code(75))
        try await household.checkInvariants()
    }

    // MARK: Helpers

    /// All rows that an input can change.
    private static func rows(_ household: Household) async throws -> String {
        var rows = ""
        for table in ["flows", "flow_steps", "users", "submissions", "submission_attempts", "secrets", "events"] {
            rows += try await household.sqlite3("SELECT '\(table)', * FROM \(table)") + "\n"
        }
        return rows + (try await household.sqlite3("SELECT * FROM coordinators"))
    }

    /// The bytes of the database and of its log.
    private static func bytes(_ household: Household) throws -> [Data] {
        try ["", "-wal"].map { try Data(contentsOf: URL(filePath: household.database + $0)) }
    }
}
