import Glibc
import TestSupport
import Testing

@Suite struct ProgramTests {
    private func shell(_ script: String, environment: [String: String] = [:]) -> Program {
        Program("/bin/sh", ["-c", script], environment: environment)
    }

    @Test("A finished program gives its exit code and its two outputs separately")
    func outputsAreApartAndTheCodeIsGiven() async throws {
        let finished = try await shell("echo out; echo err >&2; exit 7").run()
        #expect(finished.exit == .code(7))
        #expect(finished.stdout == "out\n")
        #expect(finished.stderr == "err\n")
    }

    @Test("A program ended by a signal is reported with that signal", arguments: [SIGTERM, SIGKILL, SIGINT])
    func anEndBySignalIsReported(signal: Int32) async throws {
        #expect(try await shell("kill -\(signal) $$").run().exit == .signal(signal))
    }

    @Test("A program gets the environment that it is given, and PATH")
    func theEnvironmentIsWhatIsGivenAndPath() async throws {
        let finished = try await Program("env", environment: ["ONE": "1"]).run()
        let names = finished.stdout.split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(Set(names).subtracting(["LLVM_PROFILE_FILE", "ASAN_OPTIONS"]) == ["ONE", "PATH"])
    }

    @Test("Megabytes pass through standard input and both outputs unchanged")
    func muchDataPassesBothWays() async throws {
        let text = String(repeating: "0123456789abcdef\n", count: 200_000)
        let finished = try await shell("tee /dev/stderr").run(input: .text(text))
        #expect(finished.exit == .code(0))
        #expect(finished.stdout == text)
        #expect(finished.stderr == text)
    }

    @Test("Input that the program never reads is no failure")
    func inputThatNobodyReadsIsNoFailure() async throws {
        let finished = try await shell("exec <&-; exit 3").run(input: .bytes([UInt8](repeating: 0, count: 1 << 20)))
        #expect(finished.exit == .code(3))
    }

    @Test("Standard input can be closed before the program starts")
    func inputCanBeClosed() async throws {
        let script = "test -e /proc/self/fd/0 || echo closed"
        #expect(try await shell(script).run(input: .closed).stdout == "closed\n")
        #expect(try await shell(script).run().stdout == "")
    }

    @Test("A program inherits no descriptor besides its three streams")
    func noOtherDescriptorIsInherited() async throws {
        // A free number: one that another test is using must not be taken over.
        let open = fcntl(1, F_DUPFD, 500)
        defer { close(open) }
        #expect(try await shell("test -e /proc/self/fd/\(open) || echo none").run().stdout == "none\n")
    }

    @Test("A program runs without a controlling terminal")
    func thereIsNoTerminal() async throws {
        #expect(try await shell("(: </dev/tty) 2>/dev/null || echo none").run().stdout == "none\n")
    }

    @Test("Past the time limit the whole process group is killed, and its output is reported")
    func afterTheLimitTheWholeGroupIsKilled() async throws {
        let folder = try TemporaryFolder()
        let script = "(sleep 60; :) & echo $! >\(folder.appending("child")); echo begun; sleep 60"
        let failure = await #expect(throws: Failure.self) {
            try await shell(script).run(within: .milliseconds(500))
        }
        #expect(failure?.description.contains("begun") == true)
        // Gone, or dead and not yet collected by whoever inherited it.
        let isAlive = "grep -qs '^State:.[^Z]' /proc/$(cat \(folder.appending("child")))/status"
        let gone = try await shell("while \(isAlive); do sleep 0.01; done").run(within: .seconds(20))
        #expect(gone.exit == .code(0))
    }

    @Test("A background child that is left behind is not waited for")
    func aProgramLeftBehindIsNotWaitedFor() async throws {
        let finished = try await shell("sleep 60 & echo done").run(within: .seconds(20))
        #expect(finished.exit == .code(0))
        #expect(finished.stdout == "done\n")
    }

    @Test("A missing program is named in the failure")
    func aMissingProgramIsNamed() async throws {
        let failure = await #expect(throws: Failure.self) { try await Program("/no/such/program").run() }
        #expect(failure?.description.contains("/no/such/program") == true)
    }

    @Test("A program starts in the folder that it is given")
    func itStartsInItsFolder() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program("pwd", folder: folder.path).run().stdout == folder.path + "\n")
    }

    @Test("A built product is found by its name, and an unknown name is a failure")
    func theBuiltProgramIsFound() async throws {
        #expect(try builtProduct("foyer").hasSuffix("/foyer"))
        #expect(throws: Failure.self) { try builtProduct("no-such-product") }
    }
}
