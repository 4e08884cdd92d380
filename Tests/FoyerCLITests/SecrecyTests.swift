import Foundation
import Glibc
import TestSupport
import Testing

/// The password is nowhere but in the mind of the person, and as a hash at the network.
@Suite(.timeLimit(.minutes(4))) struct SecrecyTests {
    @Test("The password is in no file and no output at any moment")
    func thePasswordIsInNoFileAndNoOutputAtAnyMoment() async throws {
        let household = try Household()
        let first = try household.terminal("register")
        try await first.answer(0..<3)
        try await first.expect("[4/5]")
        // The log is there, and the program is using it: nothing was moved into the database yet.
        #expect(FileManager.default.fileExists(atPath: household.database + "-wal"))
        #expect(try await household.sqlite3("SELECT length(box) > 256 FROM secrets") == "1")
        try household.checkSecrecy()
        try first.send("\u{3}")
        try await first.wait()

        try await household.foyer("resume", "--network", "offline", "--json", lines: ["Ada", "Lovelace"])
        try household.checkSecrecy()
        try await household.foyer("sync", "--json")
        var second = Person.grace
        second.userName = Person.ada.userName
        try await household.foyer("register", "--json", lines: second.answers)
        try household.checkSecrecy()
        try await household.foyer("resume", lines: ["grace"])
        for command in ["", "flows", "users", "outbox", "resume", "sync"] {
            for json in [[], ["--json"]] {
                try await household.foyer((command.isEmpty ? [] : [command]) + json)
            }
        }
        for id in try await household.sqlite3("SELECT id FROM flows").split(separator: "\n") {
            for json in [[], ["--json"], ["--show"]] { try await household.foyer(["show", "\(id)"] + json) }
        }
        for file in [household.database, household.mockNetwork] {
            #expect(try await !household.sqlite3(".dump", at: file).contains(Person.passwordPart))
        }
        try await household.checkInvariants()
    }

    @Test("A refused password is in no file and no output")
    func aRefusedPasswordIsInNoFileAndNoOutput() async throws {
        let household = try Household()
        let long = Person.password + String(repeating: "x", count: 5_000)
        let refused = try await household.foyer("register", "--json", lines: [Person.ada.email, "somebody", long])
        #expect(refused.exit == .code(65))
        try household.checkSecrecy()
        let terminal = try household.terminal("resume")
        try await terminal.expect("[3/5] Password: ")
        try terminal.send(Person.passwordPart + "\u{1}\r")
        try await terminal.expect("The password contains")
        try await terminal.expect("[3/5] Password: ")
        try terminal.send("\u{3}")
        try await terminal.wait()
        try household.checkSecrecy()
    }

    /// Once with a key of the server, once with the device's key alone.
    @Test("However a flow ends, no file holds its password before or after", arguments: [true, false])
    func whateverEndsAFlowNoFileHoldsItsPasswordThenNorBefore(isSealed: Bool) async throws {
        let household = try Household()
        var grace = Person.grace
        grace.password = "four unrelated words"
        try await household.foyer("register", lines: grace.answers)
        var sealing: [String] = []
        if isSealed { sealing = ["--sealing-key", try await household.sealingKey(in: household.mockNetwork)] }
        func check(secrets count: Int, at place: SourceLocation = #_sourceLocation) async throws {
            #expect(
                try await household.sqlite3("SELECT count(*) FROM secrets") == "\(count)", sourceLocation: place)
            try await household.checkInvariants(at: place)
        }
        func begin(killedAt question: String) async throws {
            let terminal = try household.terminal(["register"] + sealing)
            try await terminal.answer(0..<3)
            try await terminal.expect(question)
            terminal.signal(SIGKILL)
            try await terminal.wait()
        }

        // Given up.
        try await begin(killedAt: "[4/5]")
        try await check(secrets: 1)
        try await household.foyer("db", "backup", household.folder.appending("backup"))
        try await household.foyer("key", "rotate")
        try await check(secrets: 1)
        #expect(try await household.foyer("cancel").exit == .code(0))
        try await check(secrets: 0)

        // Forgotten.
        try await begin(killedAt: "[4/5]")
        _ = try await household.sqlite3(
            "UPDATE flows SET expires_at = 1 WHERE status = 'open'")
        #expect(try await household.foyer("resume").exit == .code(66))
        try await check(secrets: 0)

        // Queued, taken back; then queued again, refused and accepted.
        let queued = ["--network", "offline"] + sealing
        try await household.foyer(["login"] + queued, lines: [Person.ada.userName, Person.password])
        try await check(secrets: 1)
        let login = try await household.sqlite3("SELECT id FROM submissions WHERE state = 'ready'")
        #expect(try await household.foyer("outbox", "cancel", login).exit == .code(0))
        try await check(secrets: 0)
        #expect(
            try await household.foyer(["login"] + sealing, lines: [grace.userName, Person.password]).exit == .code(65))
        try await check(secrets: 0)
        #expect(try await household.foyer(["resume"] + sealing, lines: [grace.password]).exit == .code(0))
        try await begin(killedAt: "[4/5]")
        try await household.foyer(["resume"] + queued, lines: ["Ada", "Lovelace"])
        try await check(secrets: 1)
        try await household.foyer("key", "rotate")
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        try await check(secrets: 0)
    }

    @Test("The search for the password finds it in every encoding")
    func whatTheSearchLooksForIsFoundWhereItIs() throws {
        let folder = try TemporaryFolder()
        let text = Person.password
        let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
        let percent = text.utf8.map { String(format: "%%%02X", $0) }.joined()
        let wide = Data(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        let hidden = [
            Data(text.utf8), Data(json.utf8), Data(percent.utf8), wide, Data(Person.decomposedPassword.utf8),
            Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }),
            Data(text.utf8.map { String(format: "%02x", $0) }.joined().utf8),
            Data(text.utf8.map { String(format: "%02X", $0) }.joined().utf8),
            Data(("a" + text + "b").utf8).base64EncodedData(),
            Data(("ab" + text).utf8).base64EncodedData(), Data(text.utf8).base64EncodedData(),
        ]
        for (number, bytes) in hidden.enumerated() { try bytes.write(to: URL(filePath: folder.appending("\(number)"))) }
        var found: Set<String> = []
        for form in Person.passwordForms { found.formUnion(try folder.occurrences(of: form)) }
        #expect(found == Set(hidden.indices.map { "\($0)" }))
    }
}
