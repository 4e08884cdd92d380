import Foundation
import Glibc
import TestSupport
import Testing

/// What a person sees of the three stories, from the first line to the last.
@Suite(.timeLimit(.minutes(2))) struct TranscriptTests {
    @Test("Setting up an account in the app looks as recorded")
    func settingUpAnAccountLooksLikeThis() async throws {
        let household = try Household()
        let app = try household.terminal(["app"], columns: 100)
        try await app.type([
            ("Email Address: ", "ada"), ("User Name: ", ""), ("Password: ", "short"), ("[Rodger!] ", ""),
            (": ada", Person.ada.email), ("User Name: ", "ada"), ("Password: ", "short"),
            ("[Rodger!] ", ""), (": Ada@Example.org", ""),
            (": ada", Person.ada.userName),
            ("Password: ", Person.password), ("[4/5] First Name: ", "Ada"), ("[5/5] Last Name: ", "<"),
            ("[4/5] First Name: Ada", ""), ("[5/5] Last Name: ", "Lovelace"), ("[Done] ", ""),
        ])
        try await Self.end(app, at: "User Name: ", exit: 0)
        try Self.compare(app, with: "setup")
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("Switching to the sign-in looks as recorded")
    func switchingToTheSignInLooksLikeThis() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        let app = try household.terminal(["app"], columns: 100)
        try await app.type([
            ("Email Address: ", "/login"), ("User Name: ", "Ada.L"), ("Password: ", "short"), ("[Rodger!] ", "no"),
            ("[Rodger!] ", ""), ("User Name: Ada.L", ""), ("Password: ", "not this password"),
            ("[2/2] Password: ", Person.password), ("[Done] ", ""), ("User Name: ", "/signup"),
        ])
        try await Self.end(app, at: "Email Address: ", exit: 0)
        try Self.compare(app, with: "login")
        #expect(
            try await household.states() == ["finished 5 accepted active 0", "finished 2 rejected,accepted active 0"])
        try await household.checkInvariants()
    }

    @Test("Asking for a new password in the app looks as recorded")
    func askingForAForgottenPasswordLooksLikeThis() async throws {
        let household = try Household()
        let app = try household.terminal(["app", "--start", "login", "--network", "offline"], columns: 100)
        try await app.type([
            ("User Name: ", "/forgotpasss"), ("User Name: ", "/forgotpass"), ("Email Address: ", "nobody"),
            ("[Rodger!] ", ""), (": nobody", "nobody@example.org"), ("[Back] ", "/tab.about"),
            ("[Give feedback] ", "9"), ("[Give feedback] ", "2"), ("[Back] ", "<"), ("[Give feedback] ", "3"),
            ("[Give feedback] ", "/tab.account"),
        ])
        try await Self.end(app, at: "[Back] ", exit: 75)
        try Self.compare(app, with: "forgotPassword")
        try await household.checkInvariants()
    }

    // MARK: Manners

    @Test(
        "A number that is none of the choices is asked again",
        arguments: ["-9223372036854775808", "9223372036854775807", "0", "99999999999999999999"])
    func aNumberThatIsNoneOfTheChoicesIsAskedAgain(number: String) async throws {
        let household = try Household()
        let app = try household.terminal("app")
        try await app.type([("Email Address: ", "/tab.about"), ("[Give feedback] ", number)])
        try await app.expect("Type a number from 1 to")
        try await Self.end(app, at: "[Give feedback] ", exit: 0)
        try await household.checkInvariants()
    }

    @Test("A password is not echoed, and the echo is back after an interruption")
    func aPasswordIsNotEchoedAndTheEchoComesBack() async throws {
        let household = try Household()
        let app = try household.terminal("app", "--start", "login")
        try await app.type([("User Name: ", "ada")])
        try await app.expect("Password: ")
        #expect(try !app.echoIsOn)
        try app.send("\u{3}")
        #expect(try await app.wait() == .signal(SIGINT))
        #expect(try app.echoIsOn)
    }

    @Test("The end of input is no failure where nothing is unfinished")
    func theEndOfTheInputIsNoFailureWhereNothingIsUnfinished() async throws {
        let household = try Household()
        for question in ["Email Address: ", "User Name: "] {
            let app = try household.terminal("app")
            if question == "User Name: " { try await app.type([("Email Address: ", "ada@example.org")]) }
            try await Self.end(app, at: question, exit: 0)
            #expect(app.screen.text.hasSuffix("\(question)\n"))
        }
        #expect(try await household.states() == [])
    }

    @Test("At the end of input an unfinished flow is saved, and the next start continues it")
    func whatIsUnfinishedIsSavedAtTheEndOfTheInputAndGoesOnAtTheNextStart() async throws {
        let household = try Household()
        let app = try household.terminal("app")
        try await app.type(zip(["Email Address: ", "User Name: ", "Password: "], Person.ada.answers).map { ($0, $1) })
        try await Self.end(app, at: "[4/5] First Name: ", exit: 75)
        #expect(app.screen.text.hasSuffix("First Name: \nSaved. `foyer resume` continues.\n"))
        let next = try household.terminal("app")
        try await next.type([("[4/5] First Name: ", "Ada"), ("[5/5] Last Name: ", "Lovelace")])
        try await Self.end(next, at: "[Done] ", exit: 0)
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("Giving up a flow in the app leads back to its form")
    func whoGivesUpAFlowIsBackAtItsForm() async throws {
        let household = try Household()
        let app = try household.terminal("app")
        try await app.type(zip(["Email Address: ", "User Name: ", "Password: "], Person.ada.answers).map { ($0, $1) })
        try await app.type([("[4/5] First Name: ", "/cancel")])
        try await app.expect("Create an account")
        try await Self.end(app, at: "Email Address: ", exit: 0)
        #expect(try await household.states() == ["cancelled 3 - - 0"])

        let single = try household.terminal("register")
        try await single.type([("[1/5] Email Address: ", "ada@example.org"), ("[2/5] User Name: ", "/cancel")])
        try await single.expect("Given up.")
        #expect(try await single.wait() == .code(0))
        #expect(try await household.states().last == "cancelled 1 - - 0")
        try await household.checkInvariants()
    }

    @Test("Nothing is sent before a yes, and a no leads back to the answers")
    func nothingIsSentUnseenAndANoLeadsBackToTheAnswers() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        var second = Person.grace
        second.userName = Person.ada.userName
        #expect(try await household.foyer("register", lines: second.answers).exit == .code(65))
        _ = try await household.sqlite3("UPDATE flow_steps SET value = 'grace', error = NULL WHERE error IS NOT NULL")
        let app = try household.terminal("app")
        try await app.type([
            ("Send it now? [Y/n] ", "perhaps"), ("Type y or n.\r\nSend it now? [Y/n] ", "n"),
            ("[5/5] Last Name: Hopper", ""), ("Send it now? [Y/n] ", "y"),
        ])
        try await app.expect("Welcome, Grace.")
        try await Self.end(app, at: "[Done] ", exit: 0)
        #expect(try await household.canSignIn(.grace))
        try await household.checkInvariants()
    }

    @Test("Closing the window ends the app and keeps the answers")
    func aWindowThatIsClosedEndsTheAppAndKeepsTheAnswers() async throws {
        let household = try Household()
        let app = try household.terminal("app")
        try await app.type(zip(["Email Address: ", "User Name: ", "Password: "], Person.ada.answers).map { ($0, $1) })
        try await app.expect("[4/5] First Name: ")
        app.closeTerminal()
        #expect(try await app.wait() == .signal(SIGHUP))
        #expect(try await household.states() == ["open 3 - - 1"])
        try await household.checkInvariants()
    }

    @Test("Without a terminal or --json the app says what it needs")
    func withoutATerminalOrJSONTheAppSaysWhatItNeeds() async throws {
        let refused = try await Household().foyer("app")
        #expect(refused.exit == .code(64) && refused.stderr.contains("--json"))
        let unknown = try await Household().foyer("app", "--json", "--start", "elsewhere")
        #expect(unknown.exit == .code(64) && unknown.stderr.contains("reset"))
    }

    // MARK: Helpers

    private static func end(_ app: PseudoTerminal, at prompt: String, exit: Int32) async throws {
        try await app.expect(prompt)
        try app.send("\u{4}")
        #expect(try await app.wait() == .code(exit))
    }

    private static func compare(_ app: PseudoTerminal, with name: String) throws {
        let file = "Tests/FoyerCLITests/Golden/\(name).txt"
        let seen = normalised(app.screen.text)
        expectEqual(seen, (try? packageFile(file)) ?? "", file)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil { try record(seen, in: file) }
    }

    /// Takes what was seen for what is expected from now on; whoever does that reads the difference in the commit.
    private static func record(_ seen: String, in file: String) throws {
        try seen.write(to: packageURL().appending(path: file), atomically: true, encoding: .utf8)
    }
}

extension PseudoTerminal {
    /// Waits for each prompt and types the answer.
    func type(_ answers: [(prompt: String, text: String)]) async throws {
        for answer in answers {
            try await expect(answer.prompt)
            // What stands in the line already gives way to a new answer.
            try send((answer.text.isEmpty ? "" : "\u{15}") + answer.text + "\r")
        }
    }
}
