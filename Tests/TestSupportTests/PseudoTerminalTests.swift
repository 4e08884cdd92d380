import Glibc
import TestSupport
import Testing

@Suite struct PseudoTerminalTests {
    private func terminal(_ script: String) throws -> PseudoTerminal {
        try PseudoTerminal(Program("/bin/sh", ["-c", script], environment: ["TERM": "xterm"]))
    }

    @Test("Input typed while the echo is off does not appear in the transcript")
    func hiddenInputIsHidden() async throws {
        let terminal = try terminal("stty -echo; printf 'Password: '; read -r x; stty echo; echo got $x | tr a-z A-Z")
        try await terminal.expect("Password: ")
        #expect(try !terminal.echoIsOn)
        try terminal.send("secret\r")
        try await terminal.expect("GOT SECRET")
        #expect(try await terminal.wait() == .code(0))
        #expect(try terminal.echoIsOn)
        #expect(!terminal.transcript.contains("secret"))
    }

    @Test("Whether the echo is on can still be read after the program was killed")
    func theEchoIsKnownAfterAKill() async throws {
        let terminal = try terminal("stty -echo; echo ready; exec sleep 60")
        try await terminal.expect("ready")
        terminal.signal(SIGKILL)
        #expect(try await terminal.wait() == .signal(SIGKILL))
        #expect(try !terminal.echoIsOn)
    }

    @Test("The pseudo-terminal is the controlling terminal, and Control-C interrupts")
    func itIsTheControllingTerminal() async throws {
        let terminal = try terminal("printf 'Name: ' >/dev/tty; exec sleep 60")
        try await terminal.expect("Name: ")
        try terminal.send("\u{3}")
        #expect(try await terminal.wait() == .signal(SIGINT))
    }

    @Test("Closing the terminal ends the program with SIGHUP")
    func aClosedTerminalHangsUp() async throws {
        let terminal = try terminal("echo ready; exec sleep 60")
        try await terminal.expect("ready")
        terminal.closeTerminal()
        #expect(try await terminal.wait() == .signal(SIGHUP))
    }

    @Test("The program sees the size of its terminal, also after a resize")
    func theSizeIsSeen() async throws {
        let terminal = try terminal("stty size; read -r x; stty size")
        try await terminal.expect("24 80")
        try terminal.resize(rows: 10, columns: 60)
        try terminal.send("\r")
        try await terminal.expect("10 60")
        try await terminal.wait()
    }

    @Test("Waiting for the end collects all output without expecting any of it")
    func theEndNeedsNoExpecting() async throws {
        let terminal = try terminal("seq 1 20000; echo end; exit 5")
        #expect(try await terminal.wait() == .code(5))
        #expect(terminal.transcript.hasSuffix("20000\r\nend\r\n"))
        try await terminal.expect("end")
    }

    @Test("When an expected text does not come, the failure tells what was seen and how it ended")
    func aMissingTextTellsWhatWasSeen() async throws {
        let silent = try terminal("echo something; exec sleep 60")
        let late = await #expect(throws: Failure.self) {
            try await silent.expect("other", within: .milliseconds(300))
        }
        #expect(late?.description.contains("something") == true)
        let ended = try terminal("echo something; exit 4")
        let gone = await #expect(throws: Failure.self) { try await ended.expect("other") }
        #expect(gone?.description.contains("code(4)") == true)
    }

    @Test("A program that does not end in time is killed")
    func whoDoesNotEndIsKilled() async throws {
        let terminal = try terminal("trap '' HUP INT TERM; echo ready; while :; do sleep 1; done")
        try await terminal.expect("ready")
        await #expect(throws: Failure.self) { try await terminal.wait(within: .milliseconds(300)) }
        #expect(try await terminal.wait() == .signal(SIGKILL))
    }
}
