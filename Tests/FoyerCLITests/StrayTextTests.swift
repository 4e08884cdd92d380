import Foundation
import TestSupport
import Testing

/// A text that was typed for one step never ends in another, whoever else goes on with the flow meanwhile.
@Suite(.timeLimit(.minutes(2))) struct StrayTextTests {
    /// Somebody types for step `typed` while another program takes the flow to step `open`.
    struct Race: Sendable, CustomTestStringConvertible {
        let typed: Int
        let open: Int
        var testDescription: String { "typed for \(Person.steps[typed]), open is \(Person.steps[open])" }

        /// Every pair of steps in a flow that has been saved.
        static let all = (1..<4).flatMap { typed in (typed + 1..<5).map { Race(typed: typed, open: $0) } }
    }

    /// What the other program answers: nothing that the first one types.
    private static let other = ["grace@example.net", "grace", "another long secret", "Grace", "Hopper"]

    /// Takes the flow to the race's open step, as another program does.
    private func overtake(_ race: Race, in household: Household) async throws {
        let lines = Array(Self.other[race.typed..<race.open])
        #expect(try await household.foyer("resume", lines: lines).exit == .code(75))
    }

    /// The readable answers, in the order of the steps.
    private func answers(_ household: Household) async throws -> [String: String] {
        let rows = try await household.sqlite3("SELECT step, coalesce(value, kept) FROM flow_steps")
        return rows.split(separator: "\n").reduce(into: [:]) { answers, row in
            let parts = row.split(separator: "|", maxSplits: 1).map(String.init)
            answers[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
    }

    /// What has to stand there: Ada's answers, then the other program's, and nothing at the open step or behind it.
    private func check(_ race: Race, in household: Household) async throws {
        var expected: [String: String] = [:]
        for (position, step) in Person.steps.enumerated() where position < race.open {
            let text = position < race.typed ? Person.ada.answers[position] : Self.other[position]
            expected[step] = step == "password" ? "sealed" : text
        }
        #expect(try await answers(household) == expected)
        #expect(try await household.sqlite3("SELECT count(*) FROM unsent_texts") == "0")
        #expect(try await household.sqlite3("SELECT count(*) FROM submissions") == "0")
        try checkFiles(household)
    }

    @Test("The rest of a pipe is refused when another program went on", arguments: Race.all)
    func pipe(race: Race) async throws {
        let household = try Household()
        let register = try Dialogue(try household.program(["register"]))
        for answer in Person.ada.answers.prefix(race.typed) { try await register.send(answer) }
        try await eventually { try await self.isAnswered(race.typed, household) }
        try await overtake(race, in: household)
        for answer in Person.ada.answers.dropFirst(race.typed) { try? await register.send(answer) }
        #expect(try await register.end() == .code(65))
        try await check(race, in: household)
    }

    @Test("With --json, the refusal is the one object, and names why")
    func pipeWithJSON() async throws {
        let household = try Household(), race = Race(typed: 1, open: 3)
        let register = try Dialogue(try household.program(["register", "--json"]))
        try await register.send(Person.ada.email)
        try await eventually { try await self.isAnswered(1, household) }
        try await overtake(race, in: household)
        for answer in Person.ada.answers.dropFirst() { try? await register.send(answer) }
        let line = try await register.nextLine()
        #expect(line.contains(#""code":"moved_on""#))
        #expect(try await register.end() == .code(65))
        try await check(race, in: household)
    }

    @Test("Pasted lines end with the one that was not taken", arguments: Race.all)
    func terminal(race: Race) async throws {
        let household = try Household()
        let register = try household.terminal("register")
        for position in 0..<race.typed {
            try await register.expect(Person.question(position))
            try register.send("\(Person.ada.answers[position])\r")
        }
        try await register.expect(Person.question(race.typed))
        try await overtake(race, in: household)
        try register.send(Person.ada.answers.dropFirst(race.typed).map { "\($0)\r" }.joined())
        try await register.expect(Person.question(race.open))
        try register.send("\u{15}\u{4}")
        #expect(try await register.wait() == .code(75))
        try await check(race, in: household)
    }

    @Test(
        "Pasted lines behind one that a rule refuses answer nothing",
        arguments: [(0, "no address"), (1, "no name at all, with commas"), (2, "short")], ["xterm", "dumb"])
    func refusedPaste(refused: (position: Int, text: String), term: String) async throws {
        let household = try Household()
        let register = try household.terminal(["register"], adding: ["TERM": term])
        for position in 0..<refused.position {
            try await register.expect(Person.question(position))
            try register.send("\(Person.ada.answers[position])\r")
        }
        try await register.expect(Person.question(refused.position))
        let rest = Person.ada.answers.dropFirst(refused.position + 1)
        try register.send(([refused.text] + rest).map { "\($0)\r" }.joined())
        // The same question again, and nothing behind it.
        try await register.expect(Person.question(refused.position))
        try register.send(term == "dumb" ? "\u{15}\u{4}\u{4}" : "\u{15}\u{4}")
        _ = try await register.wait()
        if refused.position > 0 {
            #expect(try await answers(household).count == refused.position)
            try checkFiles(household)
        } else {
            let flows = household.hasDatabase ? try await household.sqlite3("SELECT count(*) FROM flows") : "0"
            #expect(flows == "0")
        }
    }

    @Test(
        "In `foyer app --json`, an input is for the screen that it names, and what it says stays out of others",
        arguments: 0..<4)
    func jsonLines(typed: Int) async throws {
        let household = try Household(), race = Race(typed: typed, open: 4)
        let app = try Dialogue(try household.program(["app", "--json"]))
        var shown = try await begin(app)
        for _ in typed..<3 {
            shown = try JSONPresenterTests.Shown(try await app.answer(to: shown.input("back")))
        }
        #expect(try shown.id().hasSuffix(Person.steps[typed]))
        #expect(try await household.foyer("resume", lines: [Self.other[3]]).exit == .code(75))
        let step = Person.steps[typed]
        let failed = try JSONPresenterTests.Shown(
            try await app.answer(to: shown.input("accept", [step: Person.password])))
        #expect(failed.result == "failed" || failed.result == "refused")
        // A program that does not look sends the next one for the screen that it expects.
        let stale = try JSONPresenterTests.Shown(
            try await app.answer(to: shown.input("accept", [step: Person.password])))
        #expect(stale.result == "stale" || stale.result == "refused")
        #expect(try await app.end() == .code(75))
        #expect(try await answers(household)[Person.steps[race.open]] == nil)
        #expect(try await answers(household)["firstName"] == Self.other[3])
        try checkFiles(household)
    }

    @Test("In `foyer app` at a terminal, pasted lines end with the one that was not taken", arguments: 0..<4)
    func app(typed: Int) async throws {
        let household = try Household()
        let app = try household.terminal("app")
        try await app.type([
            ("Email Address: ", Person.ada.email), ("User Name: ", Person.ada.userName),
            ("Password: ", Person.password),
        ])
        for position in (typed..<3).reversed() {
            try await app.expect("[\(position + 2)/5]")
            try app.send("\u{15}<\r")
        }
        try await app.expect("[\(typed + 1)/5]")
        #expect(try await household.foyer("resume", lines: [Self.other[3]]).exit == .code(75))
        try app.send("\u{15}" + Person.ada.answers.dropFirst(typed).map { "\($0)\r" }.joined())
        try await app.expect("[5/5]")
        try app.send("\u{15}\u{4}")
        #expect(try await app.wait() == .code(75))
        let answers = try await answers(household)
        #expect(answers["firstName"] == Self.other[3] && answers["lastName"] == nil)
        #expect(try await household.sqlite3("SELECT count(*) FROM submissions") == "0")
        try checkFiles(household)
    }

    // MARK: A password where it can be read

    @Test("A readable answer that is the password is refused on a pipe, in this process and in another")
    func passwordAsName() async throws {
        for split in [3, 5] {
            let household = try Household()
            var lines = Person.ada.answers
            lines[3] = Person.password
            let first = try await household.foyer("register", "--json", lines: Array(lines.prefix(split)))
            let last =
                split == 5
                ? first : try await household.foyer("resume", "--json", lines: Array(lines.dropFirst(split)))
            #expect(last.exit == .code(65))
            let error = try #require(try last.error())
            #expect(error.code == "flow.repeated_secret" && error.field == "firstName")
            #expect(try await answers(household).count == 3)
            try checkFiles(household)
        }
    }

    @Test(
        "A password that is typed again at a readable step is refused there, and the step is asked again",
        arguments: [1, 3, 4])
    func passwordTypedAgain(step: Int) async throws {
        let household = try Household()
        let register = try household.terminal("register")
        for position in 0..<max(3, step) {
            try await register.expect(Person.question(position))
            try register.send("\(Person.ada.answers[position])\r")
        }
        try await register.expect(Person.question(max(3, step)))
        for position in stride(from: 2, through: step, by: -1) {
            try register.send("\u{15}<\r")
            try await register.expect(Person.question(position))
        }
        try register.send("\u{15}\(Person.password)\r")
        try await register.expect("is not kept where it can be read")
        try await register.expect(Person.question(step))
        try register.send("\u{15}\u{4}")
        #expect(try await register.wait() == .code(75))
        #expect(try await answers(household)["userName"] == Person.ada.userName)
        try checkFiles(household)
    }

    @Test("A password that only the server can open is not kept in a readable answer of the same run either")
    func sealedForTheServer() async throws {
        let household = try Household()
        try await household.foyer("forgot-password", lines: [Person.ada.email])
        let key = try await household.sealingKey(in: household.mockNetwork)
        let register = try await household.foyer(
            "register", "--json", "--sealing-key", key, lines: Array(Person.ada.answers.prefix(3)) + [Person.password])
        #expect(register.exit == .code(65))
        #expect(try register.error()?.code == "flow.repeated_secret")
        try checkFiles(household)
    }

    @Test("What stood in a field and was not confirmed is not saved where it is the password")
    func unconfirmed() async throws {
        let household = try Household()
        let app = try Dialogue(try household.program(["app", "--json"]))
        let shown = try await begin(app)
        _ = try await app.answer(to: shown.input("back", ["firstName": Person.password]))
        #expect(try await app.end() == .code(75))
        #expect(try await household.sqlite3("SELECT count(*) FROM unsent_texts") == "0")
        try checkFiles(household)
    }

    /// The app at the first name, after the form of the registration.
    private func begin(_ app: Dialogue) async throws -> JSONPresenterTests.Shown {
        let form = try JSONPresenterTests.Shown(try await app.nextLine())
        return try JSONPresenterTests.Shown(
            try await app.answer(to: form.input("accept", JSONPresenterTests.setup)))
    }

    /// The password stands in no file. (Typed where it can be read, it was shown.)
    private func checkFiles(_ household: Household, at place: SourceLocation = #_sourceLocation) throws {
        for form in Person.passwordForms {
            #expect(try household.folder.occurrences(of: form) == [], sourceLocation: place)
        }
    }

    private func isAnswered(_ count: Int, _ household: Household) async throws -> Bool {
        guard household.hasDatabase else { return false }
        return try await household.sqlite3("SELECT count(*) FROM flow_steps") == "\(count)"
    }
}
