import Glibc
import TestSupport
import Testing

/// The program as a job of a shell, which stops it, goes on with it, and finds its terminal as it was.
@Suite(.timeLimit(.minutes(2))) struct JobControlTests {
    /// A shell on a terminal; a program without one is in an orphaned group, and cannot be stopped from the keyboard.
    private static func shell(_ household: Household) async throws -> PseudoTerminal {
        var program = try household.program([])
        program.environment["FOYER"] = program.executable
        program.environment["PS1"] = "$? ready> "
        (program.executable, program.arguments) = ("/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"])
        let shell = try PseudoTerminal(program)
        try await shell.expect("ready> ")
        return shell
    }

    /// Checks that the terminal is as the shell had it.
    private static func expectSane(_ shell: PseudoTerminal) throws {
        #expect(try shell.echoIsOn && shell.givesLines && !shell.screen.marksPastes)
    }

    @Test("After Control-Z and fg, the prompt and the typed text are back")
    func whoStopsTheProgramFindsTheTextAgain() async throws {
        let household = try Household()
        let shell = try await Self.shell(household)
        try shell.send("$FOYER register --network offline\r")
        try await shell.expect("[1/5] Email Address: ")
        try shell.send("Ada@Exam.org\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[D")
        try await shell.expect { $0.lineBeforeCursor.hasSuffix("Exam") }
        try shell.send("\u{1A}")
        try await shell.expect("ready> ")
        try Self.expectSane(shell)
        try shell.send("fg\r")
        try await shell.expect { $0.line.hasSuffix(": Ada@Exam.org") && $0.lineBeforeCursor.hasSuffix("Exam") }
        try shell.send("ple\r")
        try await shell.answer(1..<2)
        try await shell.expect("[3/5] Password: ")
        try shell.send("\u{1A}")
        try await shell.expect("ready> ")
        try Self.expectSane(shell)
        try shell.send("fg\r")
        try await shell.expect("[3/5] Password: ")
        #expect(try !shell.echoIsOn)
        try shell.send(Person.password + "\r")
        try await shell.answer(3..<5)
        try await shell.expect("75 ready> ")
        try Self.expectSane(shell)
        #expect(!shell.transcript.contains(Person.passwordPart))
        #expect(try await household.sqlite3("SELECT email FROM users") == Person.ada.email)
        try await household.checkInvariants()
    }

    @Test("After SIGSTOP and fg, the program sets up its terminal again")
    func aProgramThatWasStoppedByForceGoesOnWithItsTerminal() async throws {
        let household = try Household()
        let shell = try await Self.shell(household)
        try shell.send("$FOYER register --network offline\r")
        try await shell.expect("[1/5] Email Address: ")
        try shell.send("Ada")
        try await shell.expect { $0.line.hasSuffix(": Ada") }
        let jobs = try await Program("/usr/bin/pgrep", ["-P", "\(shell.process)"]).run().stdout
        let job = try #require(pid_t(jobs.split(separator: "\n").first ?? ""))
        kill(job, SIGSTOP)
        try await shell.expect("ready> ")
        #expect(try shell.echoIsOn && shell.givesLines)
        try shell.send("fg\r")
        try await shell.expect("[1/5] Email Address: Ada")
        #expect(try !shell.echoIsOn && !shell.givesLines)
        try shell.send("\u{3}")
        try await shell.expect("130 ready> ")
        try Self.expectSane(shell)
    }

    @Test(
        "A signal that ends the program gives the shell its terminal back",
        arguments: [("TERM", 143), ("HUP", 129), ("QUIT", 131), ("INT", 130)], [0, 2])
    func aSignalGivesTheTerminalBackToTheShell(signal: (name: String, code: Int), answered: Int) async throws {
        let household = try Household()
        let shell = try await Self.shell(household)
        try shell.send("$FOYER register --network offline\r")
        try await shell.answer(0..<answered)
        try await shell.expect("\(Person.question(answered)): ")
        let jobs = try await Program("/usr/bin/pgrep", ["-P", "\(shell.process)"]).run().stdout
        let job = try #require(pid_t(jobs.split(separator: "\n").first ?? ""))
        let numbers = ["TERM": SIGTERM, "HUP": SIGHUP, "QUIT": SIGQUIT, "INT": SIGINT]
        kill(job, try #require(numbers[signal.name]))
        try await shell.expect("\(signal.code) ready> ")
        try Self.expectSane(shell)
    }
}
