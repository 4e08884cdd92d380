import Foundation
import TestSupport
import Testing

/// The completions, in the shells themselves, with a Tab as a person types it.
@Suite(.timeLimit(.minutes(3))) struct CompletionTests {
    /// What is typed before the Tab, and how the line goes on.
    static let lines = [
        ("foyer reg", "foyer register "), ("foyer --database x use", "foyer --database x users "),
        ("foyer users er", "foyer users erase "),
        ("foyer db --network offline mig", "foyer db --network offline migrate "),
        ("foyer flows --no-i", "foyer flows --no-input "), ("foyer flows --color alw", "foyer flows --color always "),
        ("foyer completions z", "foyer completions zsh "), ("foyer help environ", "foyer help environment "),
        ("foyer --database users forg", "foyer --database users forgot-password "),
    ]

    private static func script(_ shell: String, in household: Household) async throws -> String {
        let told = try await household.foyer("completions", shell)
        #expect(told.exit == .code(0) && told.stderr == "")
        let path = household.folder.appending("foyer.\(shell)")
        try told.stdout.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Types each line with a Tab at a shell, in which `foyer` says what it was called with.
    private static func drive(_ shell: Program, ready: String, setUp: String) async throws {
        let terminal = try PseudoTerminal(shell, columns: 200)
        try await terminal.expect(ready)
        try terminal.send("foyer() { echo \"GOT:foyer $*:\"; }; \(setUp)\r")
        try await terminal.expect("READY-2")
        for (typed, line) in lines {
            try await terminal.expect("READY> ")
            try terminal.send("\(typed)\t\r")
            // The command itself says what its line was: the editor draws it piece by piece.
            try await terminal.expect("GOT:\(line.trimmingCharacters(in: .whitespaces)):")
        }
        terminal.closeTerminal()
    }

    @Test("A Tab in bash completes the commands, flags and values")
    func inBash() async throws {
        let household = try Household()
        let script = try await Self.script("bash", in: household)
        let shell = Program(
            "bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "READY> ", "TERM": "dumb", "HOME": "/"])
        try await Self.drive(shell, ready: "READY> ", setUp: "source '\(script)'; echo READY-$((1+1))")
        withExtendedLifetime(household) {}
    }

    @Test("A Tab in zsh completes the commands, flags and values")
    func inZsh() async throws {
        let household = try Household()
        let script = try await Self.script("zsh", in: household)
        let shell = Program(
            "zsh", ["-f", "-i"],
            environment: ["PS1": "READY> ", "TERM": "dumb", "HOME": household.folder.path, "LC_ALL": "C.UTF-8"])
        try await Self.drive(
            shell, ready: "READY> ",
            setUp: "autoload -U compinit; compinit -D; source '\(script)'; echo READY-$((1+1))")
        withExtendedLifetime(household) {}
    }

    @Test("The completions of fish offer the right word among few")
    func inFish() async throws {
        let household = try Household()
        let script = try await Self.script("fish", in: household)
        for (typed, line) in Self.lines {
            let asked = try await Program(
                "fish", ["--no-config", "-c", "source '\(script)'; complete -C '\(typed)'"],
                environment: ["HOME": household.folder.path]
            ).run()
            let words = asked.stdout.split(separator: "\n").map { $0.split(separator: "\t")[0] }
            let expected = try #require(line.split(separator: " ").last)
            #expect(words.contains(expected), "\(typed): \(asked.stdout) \(asked.stderr)")
            #expect(words.count < 4, "\(typed): \(words)")
        }
        withExtendedLifetime(household) {}
    }
}
