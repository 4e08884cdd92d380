import Foundation
import TestSupport
import Testing

/// A person is erased while a program asks or waits for them: it says so, and never "Saved".
@Suite(.timeLimit(.minutes(3))) struct ErasedMeanwhileTests {
    /// Ada has an account; who begins anew with her address is erased with her.
    private static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        return household
    }

    private static func eraseAda(in household: Household) async throws {
        let id = try await UsersCommandTests.id(of: Person.ada.userName, in: household)
        let erased = try await household.foyer("users", "erase", id, "--yes")
        #expect(erased.exit == .code(0), "\(erased.stderr)")
    }

    @Test("At a terminal, an erasure is reported at the next answer and nothing is stored")
    func atATerminal() async throws {
        let household = try await Self.household()
        let terminal = try household.terminal("register", "--network", "offline")
        try await terminal.answer(0..<1)
        try await terminal.expect("\(Person.question(1)): ")
        try await Self.eraseAda(in: household)
        try terminal.send("ada2\r")
        try await terminal.expect("This was erased")
        #expect(try await terminal.wait() == .code(66))
        #expect(!terminal.transcript.contains("Saved."))
        #expect(try await household.states() == [])
    }

    /// Whether the next line is an answer, or the input ends.
    @Test(
        "On a slow pipe, an erasure is reported once at the next line or the end of input",
        arguments: [["register"], ["resume"]], [true, false])
    func onASlowPipe(_ arguments: [String], _ isAnswered: Bool) async throws {
        let household = try await Self.household()
        if arguments == ["resume"] { try await household.foyer("register", lines: [Person.ada.email]) }
        let pipe = try Dialogue(try household.program(arguments + ["--json", "--network", "offline"]))
        try await pipe.send(arguments == ["resume"] ? "ada2" : Person.ada.email)
        let count = arguments == ["resume"] ? 2 : 1
        try await eventually { try await household.states().last == "open \(count) - - 0" }
        try await Self.eraseAda(in: household)
        if isAnswered {
            try await pipe.send(arguments == ["resume"] ? Person.password : "ada2")
        } else {
            try await pipe.closeInput()
        }
        let line = try await pipe.nextLine()
        #expect(line.contains(#""code":"flow_gone""#), "\(line)")
        await #expect(throws: Failure.self) { try await pipe.nextLine() }
        #expect(try await pipe.end() == .code(66))
        #expect(try await household.states() == [])
    }

    @Test("An erasure during the wait for the network is reported")
    func whileTheNetworkIsWaitedFor() async throws {
        // A registration waits for five seconds, which an erasure on a busy machine can outlast: then once more.
        for _ in 1...5 {
            let household = try Household()
            let pipe = try Dialogue(try household.program(["register", "--json", "--network", "http://127.0.0.1:9"]))
            for answer in Person.ada.answers { try await pipe.send(answer) }
            let finished = ContinuousClock.now
            // Surely never sent: nobody listens there.
            try await eventually {
                guard household.hasDatabase else { return false }
                return try await household.sqlite3("SELECT state, maybe_sent, claims > 0 FROM submissions")
                    == "ready|0|1"
            }
            try await Self.eraseAda(in: household)
            guard ContinuousClock.now - finished < .seconds(4) else { continue }
            let line = try await pipe.nextLine()
            #expect(line.contains(#""code":"flow_gone""#), "\(line)")
            #expect(try await pipe.end() == .code(66))
            return
        }
        Issue.record("no erasure was done within four seconds")
    }

    @Test("In the app, an erasure fails the next answer and brings the form back")
    func inAnApp() async throws {
        let household = try await Self.household()
        let app = try Dialogue(try household.program(["app", "--json", "--network", "offline"]))
        let form = try JSONPresenterTests.Shown(try await app.nextLine())
        let asked = try JSONPresenterTests.Shown(
            try await app.answer(to: try form.input("accept", JSONPresenterTests.setup)))
        try await Self.eraseAda(in: household)
        let answer = try JSONPresenterTests.Shown(
            try await app.answer(to: try asked.input("accept", ["firstName": "Ada"])))
        #expect(answer.result == "failed", "\(answer.line)")
        #expect((answer.object["error"] as? [String: Any])?["code"] as? String == "flow_gone")
        // The form to begin anew is shown.
        #expect(try answer.id() == form.id())
        #expect(try await app.end() == .code(0))
        #expect(try await household.states() == [])
    }
}
