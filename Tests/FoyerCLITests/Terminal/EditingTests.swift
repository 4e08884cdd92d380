import TestSupport
import Testing

/// What the keys do at the prompts of the program, on a terminal.
@Suite(.timeLimit(.minutes(2))) struct EditingTests {
    private static let left = "\u{1B}[D"
    private static let home = "\u{1B}[H"
    private static let escape = "\u{1B}"

    private static func pasted(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

    /// A registration in which the first questions are answered.
    private static func register(
        _ household: Household, answering count: Int, columns: UInt16 = 80
    ) async throws -> PseudoTerminal {
        let terminal = try household.terminal(["register", "--network", "offline"], columns: columns)
        try await terminal.answer(0..<count)
        try await terminal.expect("\(Person.question(count)): ")
        return terminal
    }

    @Test("An answer can be edited before it is given")
    func anAnswerIsEditedBeforeItIsGiven() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 0)
        try terminal.send("dxa@exampl.org" + Self.home + "A\u{1B}[C\u{1B}[3~\u{5}" + Self.left + Self.left)
        try terminal.send(Self.left + Self.left + "e")
        try await terminal.expect { $0.line.hasSuffix(": Ada@example.org") && $0.lineBeforeCursor.hasSuffix("example") }
        try terminal.send("\r")
        try await terminal.expect("[2/5]")
        #expect(terminal.screen.text.contains("[1/5] Email Address: Ada@example.org\n"))
        #expect(try await household.sqlite3("SELECT value FROM flow_steps") == "Ada@example.org")
        try await household.checkInvariants()
    }

    @Test("Characters of all widths stay whole however their bytes arrive")
    func charactersOfAllWidthsAreWholeWhereverTheyAreCut() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 3)
        for byte in "日本e\u{301}👩‍👧".utf8 { try terminal.send(bytes: [byte]) }
        try await terminal.expect { $0.line.hasSuffix(": 日本e\u{301}👩‍👧") }
        try terminal.send("\u{7F}" + Self.left + "\u{7F}語")
        try await terminal.expect { $0.line.hasSuffix(": 日語e\u{301}") && $0.lineBeforeCursor.hasSuffix("日語") }
        try terminal.send("\r")
        try await terminal.expect("[5/5]")
        #expect(try await household.sqlite3("SELECT value FROM flow_steps WHERE step = 'firstName'").contains("日語"))
        try await household.checkInvariants()
    }

    @Test("Escape leads back to the earlier answers and does nothing where there are none")
    func escapeLeadsBackToTheEarlierAnswer() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 0)
        // Where there is no way back it does nothing, and what is typed stays.
        try terminal.send("Ada" + Self.escape + Self.left)
        try await terminal.expect { $0.line.hasSuffix(": Ada") && $0.lineBeforeCursor.hasSuffix(": Ad") }
        try terminal.send("\u{5}@Example.org\r")
        try await terminal.answer(1..<3)
        try await terminal.expect("[4/5] First Name: ")
        for question in ["[3/5] Password: ", "[2/5] User Name: Ada.L", "[1/5] Email Address: Ada@Example.org"] {
            try terminal.send(Self.escape)
            try await terminal.expect(question)
        }
        try terminal.send("\u{4}")
        #expect(try await terminal.wait() == .code(75))
        #expect(try await household.states() == ["open 3 - - 1"])
    }

    @Test("In a form, Escape leads to the field above")
    func escapeLeadsToTheFieldAboveInAForm() async throws {
        let household = try Household()
        let terminal = try household.terminal("app")
        try await terminal.type([("Email Address: ", "ada"), ("User Name: ", "")])
        try await terminal.expect("Password: ")
        try terminal.send("lost" + Self.escape)
        try await terminal.expect("User Name: ")
        try terminal.send("<\r")
        try await terminal.expect("Email Address: ada")
        try terminal.send("\u{4}")
        #expect(try await terminal.wait() == .code(0))
        #expect(!terminal.transcript.contains("lost"))
    }

    @Test("A secret can be edited without being shown")
    func aSecretIsEditedUnseen() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 2)
        let question = terminal.screen.line
        try terminal.send("wrong\u{15}" + Person.password + "ü\u{7F}x\u{7F}")
        try terminal.send("\u{1B}[D\u{1B}[C\r")
        try await terminal.answer(3..<5)
        #expect(try await terminal.wait() == .code(75))
        #expect(question == "[3/5] Password: " && terminal.screen.text.contains("[3/5] Password: \n[4/5]"))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    // MARK: Pasting, and typing ahead

    @Test("Pasted lines answer the next prompts but never a password")
    func pastedLinesAnswerTheNextPromptsButNeverAPassword() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 0)
        let lines = [Person.ada.email, Person.ada.userName, "pasted by accident", "Ada", "Lovelace"]
        try terminal.send(Self.pasted(lines.joined(separator: "\r")))
        try await terminal.expect("[3/5] Password: ")
        #expect(try await household.states() == ["open 2 - - 0"])
        try terminal.send(Person.password + "\r")
        try await terminal.expect("[4/5] First Name: ")
        try terminal.send(Self.pasted("Ada\nLovelace"))
        try await terminal.expect { $0.line == "[5/5] Last Name: Lovelace" }
        #expect(try await household.states() == ["open 4 - - 1"])
        try terminal.send("\r")
        #expect(try await terminal.wait() == .code(75))
        #expect(!terminal.transcript.contains("accident"))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("Of several lines pasted as a password, only the first is used")
    func ofLinesPastedAsAPasswordTheOthersAreForgotten() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 2)
        try terminal.send(Self.pasted(Person.password + "\rits second line\r"))
        try await terminal.expect("[4/5] First Name: ")
        try terminal.send("Ada\r")
        try await terminal.expect("[5/5] Last Name: ")
        try terminal.send("Lovelace\r")
        #expect(try await terminal.wait() == .code(75))
        #expect(!terminal.transcript.contains("second line"))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("Text typed ahead of a password prompt is dropped")
    func whatIsTypedAheadOfAPasswordIsForgotten() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 1)
        try terminal.send(Person.ada.userName + "\rtyped ahead")
        try await terminal.expect("[3/5] Password: ")
        try terminal.send(Person.password + "\r")
        try await terminal.answer(3..<5)
        #expect(try await terminal.wait() == .code(75))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    // MARK: The end of the input, and the window

    @Test("Control-D ends the program where nothing was typed and deletes a character elsewhere")
    func controlDEndsWhereNothingWasTypedAndDeletesElsewhere() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 1)
        try terminal.send("adax" + Self.left + "\u{4}")
        try await terminal.expect { $0.line.hasSuffix(": ada") }
        try terminal.send(Self.escape)
        try await terminal.expect("[1/5] Email Address: \(Person.ada.email)")
        // What stands in the line was not typed here.
        try terminal.send("\u{4}")
        #expect(try await terminal.wait() == .code(75))
        #expect(try terminal.echoIsOn && terminal.givesLines && !terminal.screen.marksPastes)
        #expect(try await household.states() == ["open 1 - - 0"])
    }

    @Test("Making the window narrower loses none of the typed text")
    func aNarrowerWindowLosesNothing() async throws {
        let household = try Household()
        let terminal = try await Self.register(household, answering: 0)
        let long = "a.very.long.address.of.somebody.at.a.place@example.org"
        try terminal.send(long)
        try await terminal.expect { $0.line.hasSuffix(long) }
        try terminal.resize(rows: 10, columns: 40)
        try await terminal.expect { $0.line.count < 40 && $0.line.hasSuffix("@example.org") }
        try terminal.send(Self.home)
        try await terminal.expect { $0.lineBeforeCursor == "[1/5] Email Address: " && $0.line.contains("a.very.long") }
        try terminal.resize(rows: 10, columns: 90)
        try await terminal.expect { $0.line.hasSuffix(long) }
        try terminal.send("\r")
        try await terminal.expect("[2/5]")
        #expect(try await household.sqlite3("SELECT value FROM flow_steps") == long)
    }

    @Test(
        "Where nothing may be redrawn, the terminal edits the line itself",
        arguments: [["TERM": "dumb"], ["TERM": ""], ["FOYER_ACCESSIBLE": "1"]])
    func withoutRedrawingTheTerminalsOwnLineIsUsed(environment: [String: String]) async throws {
        let household = try Household()
        let terminal = try household.terminal(["register"], adding: environment)
        try await terminal.expect("[1/5] Email Address: ")
        #expect(try terminal.echoIsOn && terminal.givesLines)
        try terminal.send("ada\r")
        try await terminal.expect("[1/5] Email Address (Enter for \"ada\"): ")
        try terminal.send(Person.ada.email + "\r")
        try await terminal.answer(1..<2)
        try await terminal.expect("[3/5] Password: ")
        #expect(try !terminal.echoIsOn && terminal.givesLines)
        try terminal.send(Person.password + "\r")
        try await terminal.answer(3..<5)
        #expect(try await terminal.wait() == .code(0))
        #expect(!terminal.transcript.contains("\u{1B}"))
        try await household.checkInvariants()
    }
}
