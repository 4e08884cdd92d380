import Glibc
import TestSupport
import Testing

/// A way in which a registration is cut off.
enum Interruption: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case kill, controlC, controlBackslash, terminate, hangUp, closedTerminal, controlD, endOfPipe

    var testDescription: String { rawValue }

    /// How the program ends.
    var exit: Exit {
        switch self {
        case .kill: .signal(SIGKILL)
        case .controlC: .signal(SIGINT)
        case .controlBackslash: .signal(SIGQUIT)
        case .terminate: .signal(SIGTERM)
        case .hangUp, .closedTerminal: .signal(SIGHUP)
        case .controlD, .endOfPipe: .code(75)
        }
    }

    func happen(to terminal: PseudoTerminal) throws {
        switch self {
        case .kill: terminal.signal(SIGKILL)
        case .controlC: try terminal.send("\u{3}")
        case .controlBackslash: try terminal.send("\u{1c}")
        case .terminate: terminal.signal(SIGTERM)
        case .hangUp: terminal.signal(SIGHUP)
        case .closedTerminal: terminal.closeTerminal()
        case .controlD: try terminal.send("\u{4}")
        case .endOfPipe: break
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    /// What an uninterrupted registration leaves in the store and at the network.
    private static let uninterrupted = Task {
        let household = try Household()
        let finished = try await household.foyer("register", lines: Person.ada.answers)
        #expect(finished.exit == .code(0))
        return [try await household.people(), try await household.accounts()]
    }

    @Test(
        "An interrupted registration goes on at the next step and ends in the same account", arguments: 0...4,
        Interruption.allCases)
    func whoIsInterruptedIsAskedTheNextStepAndGetsTheSameAccount(
        answered: Int, interruption: Interruption
    ) async throws {
        let household = try Household()
        if interruption == .endOfPipe {
            let lines = Array(Person.ada.answers.prefix(answered))
            #expect(try await household.foyer("register", lines: lines).exit == interruption.exit)
        } else {
            try await interrupt(household, after: answered, by: interruption)
        }
        guard answered > 0 else { return try await nothingIsLeft(in: household) }
        #expect(try await household.states() == ["open \(answered) - - \(answered > 2 ? 1 : 0)"])

        let terminal = try household.terminal("resume")
        try await terminal.answer(answered..<5)
        #expect(try await terminal.wait() == .code(0))
        for position in 0..<5 {
            #expect(terminal.count(of: "[\(position + 1)/5]") == (position < answered ? 0 : 1))
        }
        #expect(try terminal.echoIsOn)
        let result = [try await household.people(), try await household.accounts()]
        #expect(try await result == Self.uninterrupted.value)
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    private func interrupt(_ household: Household, after answered: Int, by interruption: Interruption) async throws {
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<answered)
        try await terminal.expect("\(Person.question(answered)): ")
        #expect(try !terminal.echoIsOn && !terminal.givesLines)
        try interruption.happen(to: terminal)
        #expect(try await terminal.wait() == interruption.exit)
        if interruption != .closedTerminal {
            let isRestored = interruption != .kill
            #expect(try terminal.echoIsOn == isRestored && terminal.givesLines == isRestored)
            #expect(terminal.screen.marksPastes != isRestored && terminal.screen.unknown == [])
        }
    }

    private func nothingIsLeft(in household: Household) async throws {
        #expect(try await household.states() == [])
        #expect(try await household.foyer("resume").exit == .code(66))
        #expect(try await household.foyer("register", lines: Person.ada.answers).exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("Text typed without Return is no answer")
    func whatWasTypedWithoutReturnIsNoAnswer() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<1)
        try await terminal.expect("[2/5]")
        try terminal.send("half")
        terminal.signal(SIGTERM)
        #expect(try await terminal.wait() == .signal(SIGTERM))
        #expect(try await household.states() == ["open 1 - - 0"])
    }

    @Test("A last line without a line feed is an answer")
    func aLastLineWithoutItsEndIsAnAnswer() async throws {
        let household = try Household()
        let finished = try await household.shell("printf 'ada@example.org\\nada' | foyer register")
        #expect(finished.exit == .code(75))
        #expect(try await household.states() == ["open 2 - - 0"])
    }

    @Test("A registration that is cut off after every answer still ends in one account", arguments: 0...4)
    func aRegistrationThatIsCutOffAfterEveryAnswerStillEndsInOneAccount(seed: Int) async throws {
        let household = try Household()
        for position in 0..<5 {
            let terminal = try household.terminal(position == 0 ? "register" : "resume")
            try await terminal.answer(position..<(position + 1))
            guard position < 4 else {
                #expect(try await terminal.wait() == .code(0))
                break
            }
            try await terminal.expect(Person.question(position + 1))
            let interruption = Interruption.allCases[(seed + position) % 7]
            try interruption.happen(to: terminal)
            #expect(try await terminal.wait() == interruption.exit)
        }
        #expect(try await [household.people(), household.accounts()] == Self.uninterrupted.value)
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }
}
