import Foundation
import TestSupport
import Testing

/// Signing in, and asking for a new password: from the first answer to the network's verdict.
@Suite(.timeLimit(.minutes(2))) struct SignInTests {
    static let right = [Person.ada.userName, Person.password]

    private static func householdWithAda() async throws -> Household {
        let household = try Household()
        #expect(try await household.foyer("register", lines: Person.ada.answers).exit == .code(0))
        return household
    }

    // MARK: Signing in

    @Test("Whoever signs in is the person who registered")
    func whoSignsInIsThePersonWhoRegistered() async throws {
        let household = try await Self.householdWithAda()
        let signedIn = try await household.foyer("login", lines: Self.right)
        #expect(signedIn.exit == .code(0) && signedIn.stdout == "Signed in as Ada.L\n")
        let asObject = try await household.foyer("login", "--json", lines: ["ADA.l", Person.password])
        let object = try asObject.object()
        #expect(Set(object.keys) == ["schema", "flow", "submission", "user"])
        #expect((object["user"] as? [String: Any])?["user_name"] as? String == "Ada.L")
        #expect((object["flow"] as? [String: Any])?["kind"] as? String == "login")
        #expect((object["submission"] as? [String: Any])?["kind"] as? String == "login")
        #expect(try await household.sqlite3("SELECT count(*) FROM users") == "1")
        #expect(try await household.sqlite3("SELECT count(DISTINCT user_id), count(user_id) FROM flows") == "1|3")
        try await household.checkInvariants()
    }

    @Test("On a new device, several sign-ins make one person")
    func whoSignsInOnANewDeviceIsOnePersonHoweverOften() async throws {
        let household = try await Self.householdWithAda()
        let remoteID = try await household.sqlite3("SELECT remote_id FROM users")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: household.database + suffix)
        }
        for _ in 0..<2 {
            let terminal = try household.terminal("login")
            try await terminal.type([("[1/2] User Name: ", Self.right[0]), ("[2/2] Password: ", Self.right[1])])
            try await terminal.expect("Signed in as Ada.L")
            #expect(try await terminal.wait() == .code(0))
        }
        #expect(try await household.sqlite3("SELECT remote_id, status FROM users") == "\(remoteID)|active")
        let linked = "SELECT count(*) FROM flows JOIN users ON users.id = flows.user_id WHERE kind = 'login'"
        #expect(try await household.sqlite3(linked) == "2")
        try household.checkSecrecy()
    }

    @Test("Wrong sign-in details are refused alike with and without an account", arguments: ["Ada.L", "nobody"])
    func wrongDetailsAreRefusedAlikeForEverybody(userName: String) async throws {
        let household = try await Self.householdWithAda()
        let refused = try await household.foyer("login", "--json", lines: [userName, "not this password"])
        #expect(refused.exit == .code(65))
        let error = try #require(try refused.error())
        #expect(error.code == "login.failed" && error.field == "password")
        #expect(error.message.contains("These sign-in details are not right."))
        #expect(try await household.states().last == "open 2 rejected - 0")
        #expect(try await household.foyer("resume", lines: ["again not it"]).exit == .code(65))
        #expect(
            try await household.foyer("resume", lines: [Person.password]).exit == .code(userName == "nobody" ? 65 : 0))
        #expect(try await household.sqlite3("SELECT count(*) FROM users") == "1")
        try await household.checkInvariants()
    }

    @Test("A wrong password is asked again at a terminal and never shown")
    func aWrongPasswordIsAskedAgainAtATerminal() async throws {
        let household = try await Self.householdWithAda()
        let terminal = try household.terminal("login")
        try await terminal.type([("[1/2] User Name: ", Self.right[0]), ("[2/2] Password: ", "not this password")])
        try await terminal.expect("These sign-in details are not right.")
        try await terminal.type([("[2/2] Password: ", Self.right[1])])
        #expect(try await terminal.wait() == .code(0))
        #expect(!terminal.transcript.contains("not this password"))
        try await household.checkInvariants()
    }

    @Test("A sign-in that was cut off goes on with `foyer resume`")
    func aSignInThatWasCutOffGoesOn() async throws {
        let household = try await Self.householdWithAda()
        #expect(try await household.foyer("login", lines: [Self.right[0]]).exit == .code(75))
        let resumed = try await household.foyer("resume", lines: [Self.right[1]])
        #expect(resumed.exit == .code(0) && resumed.stdout == "Signed in as Ada.L\n")
        try await household.checkInvariants()
    }

    @Test("A sign-in made offline waits for the network")
    func aSignInOfflineWaitsForTheNetwork() async throws {
        let household = try await Self.householdWithAda()
        let queued = try await household.foyer("login", "--network", "offline", lines: Self.right)
        #expect(queued.exit == .code(75) && queued.stderr.contains("`foyer sync` delivers"))
        #expect(try await household.states().last == "submitted 2 ready - 1")

        let waiting = try await household.foyer("cancel", "--json")
        #expect(waiting.exit == .code(66))
        #expect(try waiting.error()?.code == "nothing_open")
        let id = try await household.sqlite3("SELECT id FROM flows WHERE kind = 'login'")
        #expect(waiting.stderr.contains("waits for the network: `foyer cancel \(id)`"))

        #expect(try await household.foyer("sync").stdout == "1 accepted, 0 rejected, 0 waiting.\n")
        #expect(try await household.states().last == "finished 2 accepted active 0")
        try await household.checkInvariants()
    }

    // MARK: Asking for a new password

    @Test(
        "Asking for a new password gets the same answer with and without an account",
        arguments: [Person.ada.email, "nobody@example.org"])
    func whoAsksForANewPasswordIsToldTheSameWithAndWithoutAnAccount(email: String) async throws {
        let household = try await Self.householdWithAda()
        let asked = try await household.foyer("forgot-password", lines: [email])
        #expect(asked.exit == .code(0))
        #expect(asked.stdout == "If that address has an account, a mail with a new password is on its way.\n")
        let object = try await household.foyer("forgot-password", "--json", lines: [email]).object()
        #expect(Set(object.keys) == ["schema", "flow", "submission", "user"] && object["user"] is NSNull)
        #expect((object["submission"] as? [String: Any])?["kind"] as? String == "reset")
        #expect(try await household.states().suffix(2) == ["finished 1 accepted - 0", "finished 1 accepted - 0"])
        try await household.checkInvariants()
    }

    @Test("An invalid address is refused on a pipe and asked again at a terminal")
    func anAddressThatIsNoneIsRefusedOnAPipeAndAskedAgainAtATerminal() async throws {
        let household = try Household()
        let refused = try await household.foyer("forgot-password", "--json", lines: ["nobody"])
        #expect(refused.exit == .code(65))
        #expect(try refused.error()?.field == "email")
        let terminal = try household.terminal("forgot-password", "--network", "offline")
        try await terminal.type([("[1/1] Email Address: ", "nobody")])
        try await terminal.expect("The @ is missing.")
        try await terminal.type([(": nobody", "nobody@example.org")])
        #expect(try await terminal.wait() == .code(75))
        #expect(try await household.foyer("resume").exit == .code(0))
        #expect(try await household.states() == ["finished 1 accepted - 0"])
        try await household.checkInvariants()
    }
}
