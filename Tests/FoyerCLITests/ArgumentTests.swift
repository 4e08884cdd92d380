import Foundation
import Glibc
import TestSupport
import Testing

/// The program does what its arguments say, or nothing.
@Suite(.timeLimit(.minutes(2))) struct ArgumentTests {
    @Test("Without /proc, and with another environment, the arguments are those of `main`", .disabled(if: isSanitized))
    func withoutProc() async throws {
        let household = try await ContractTests.fullHousehold()
        let library = household.folder.appending("noproc.so")
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TestSupport/noproc.c").path
        try await compileC(source, to: library, options: ["-shared", "-fPIC"])
        let hidden = ["LD_PRELOAD": library]
        #expect(try await household.foyer("--version", adding: hidden).stdout.hasPrefix("foyer "))
        #expect(try await household.foyer("bogus", adding: hidden).exit == .code(64))
        // Swift's libraries trap sooner or later, so nothing is begun.
        let copy = household.folder.appending("copy.db")
        for words in [["db", "backup", copy], ["users"], ["sync"], []] {
            let finished = try await household.foyer(words + ["--json"], adding: hidden)
            #expect(finished.exit == .code(78), "\(words)")
            #expect(try finished.error()?.code == "no_proc")
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(
        "An argument that is no text is refused, and nothing is done for what it may have meant",
        arguments: [
            #"users erase $'ada\xff' --yes"#, #"$'bog\xff'"#, #"flows $'--datab\xe2\x82ase' x"#,
            #"db backup $'copy\xc0\xaf'"#, #"register --json $'\xed\xa0\x80'"#,
        ])
    func brokenText(words: String) async throws {
        let household = try Household()
        let finished = try await household.shell("foyer \(words)")
        #expect(finished.exit == .code(64))
        #expect(finished.stderr.contains("is not UTF-8 text."))
        if words.contains("--json") { #expect(try finished.error()?.code == "usage") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test(
        "A variable that is no text is refused: what it could be mended to is another file",
        arguments: ["FOYER_DATABASE", "FOYER_NETWORK", "XDG_DATA_HOME", "XDG_STATE_HOME"])
    func brokenVariable(name: String) async throws {
        let household = try Household()
        let finished = try await household.shell(
            "export \(name)=$'/tmp/foyer\\xff'; foyer register --json", lines: [Person.ada.email])
        #expect(finished.exit == .code(78))
        #expect(try finished.error()?.message.hasPrefix("\(name) is not UTF-8 text") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.folder.path) == [])
    }

    @Test("A config file that is no text is refused")
    func brokenConfig() async throws {
        let household = try Household()
        let folder = household.folder.appending(".config/foyer")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("network = offline\ndatabase = /tmp/\u{e9}\n".unicodeScalars.map { UInt8($0.value) }).write(
            to: URL(filePath: "\(folder)/config"))
        let finished = try await household.foyer("flows", "--json")
        #expect(finished.exit == .code(78))
        #expect(try finished.error()?.code == "bad_setting")
    }

    @Test("Who starts the program without a name has lost its arguments, too")
    func withoutAName() async throws {
        let household = try Household()
        let executable = try household.program([]).executable
        for words in ["", "users", "--version"] {
            let finished = try await household.shell("exec -a '' '\(executable)' \(words)")
            #expect(finished.exit == .code(64) && finished.stdout == "", "\(words)")
            #expect(finished.stderr.contains("without its name"))
        }
    }
}
