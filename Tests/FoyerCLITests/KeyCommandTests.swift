import Foundation
import TestSupport
import Testing

/// `foyer key`.
@Suite(.timeLimit(.minutes(2))) struct KeyCommandTests {
    /// An open registration with its password, a finished one that waits, and no key.
    private static func locked() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", lines: Array(Person.grace.answers[..<4]))
        try FileManager.default.removeItem(atPath: household.keyFile)
        return household
    }

    @Test("Rotating the key tells how many secrets were sealed again, and they stay usable")
    func rotationTellsHowMuchWasSealedAgain() async throws {
        let household = try Household()
        #expect(try await household.foyer("key", "rotate").exit == .code(66))
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let key = try Data(contentsOf: URL(filePath: household.keyFile))
        let rotated = try await household.foyer("key", "rotate", "--json")
        #expect(rotated.exit == .code(0))
        #expect(try rotated.object()["resealed"] as? Int == 1)
        #expect(try Data(contentsOf: URL(filePath: household.keyFile)) != key)
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.ada))
        #expect(try await household.foyer("key").exit == .code(64))
        #expect(try await household.foyer("key", "lose").exit == .code(64))
        try await household.checkInvariants()
    }

    @Test("Without the key, only what needs it waits, and no new key is made")
    func withoutTheKeyOnlyWhatNeedsItWaits() async throws {
        let household = try await Self.locked()
        let before = try await household.states()
        let synced = try await household.foyer("sync", "--wait", "0")
        #expect(synced.exit == .code(78))
        #expect(synced.stderr.contains(household.keyFile))
        #expect(try await household.foyer("outbox").stdout.contains("give them up"))
        #expect(try await household.foyer("forgot-password", lines: [Person.ada.answers[0]]).exit == .code(0))
        #expect(try await household.foyer("resume", "--dry-run").stdout.contains("password"))
        #expect(try await Array(household.states().prefix(2)) == before)
        #expect(!FileManager.default.fileExists(atPath: household.keyFile))
    }

    @Test("A lost key is given up only on request, and the passwords are asked again")
    func aLostKeyIsGivenUpOnlyOnRequest() async throws {
        let household = try await Self.locked()
        let refused = try await household.foyer("key", "reset", "--json")
        #expect(refused.exit == .code(64))
        #expect(try refused.error()?.code == "not_confirmed")
        #expect(refused.stderr.contains("1 open flows and 1 waiting submissions"))
        #expect(!FileManager.default.fileExists(atPath: household.keyFile))

        let reset = try await household.foyer("key", "reset", "--yes", "--json")
        #expect(reset.exit == .code(0))
        #expect(try reset.object()["flows"] as? Int == 1)
        #expect(try reset.object()["submissions"] as? Int == 1)
        let resumed = try await household.foyer("resume", lines: [Person.grace.password, Person.grace.answers[4]])
        #expect(resumed.exit == .code(0), "\(resumed.stderr)")
        try await household.foyer("sync")
        let asked = try await household.foyer("resume", "--yes", lines: [Person.ada.password])
        #expect(asked.exit == .code(0), "\(asked.stderr)")
        for person in [Person.ada, .grace] { #expect(try await household.canSignIn(person)) }
        #expect(try await household.foyer("key", "reset", "--yes").exit == .code(66))
        try await household.checkInvariants()
    }

    @Test("At a terminal, resetting the key asks first and needs a typed yes")
    func onATerminalItAsks() async throws {
        let household = try await Self.locked()
        for (answer, exit) in [("no", Int32(64)), ("yes", 0)] {
            let terminal = try household.terminal("key", "reset")
            try await terminal.expect("Type yes: ")
            try terminal.send(answer + "\r")
            #expect(try await terminal.wait() == .code(exit))
            #expect(FileManager.default.fileExists(atPath: household.keyFile) == (answer == "yes"))
        }
    }
}
