import Foundation
import TestSupport
import Testing

/// From the last answer to the network's verdict, and back.
@Suite(.timeLimit(.minutes(2))) struct DeliveryTests {
    @Test("A registration finished offline is delivered exactly once")
    func whatWasFinishedOfflineIsDeliveredOnce() async throws {
        let household = try Household()
        let queued = try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        #expect(queued.exit == .code(75))
        #expect(queued.stderr.contains("`foyer sync` delivers"))
        #expect(try await household.states() == ["submitted 5 ready pending 1"])
        #expect(try await household.sqlite3("SELECT count(*), min(why) FROM submissions_waiting") == "1|due now")

        let offline = try await household.foyer("sync", "--network", "offline", "--json")
        #expect(offline.exit == .code(75))
        #expect(try offline.object()["waiting"] as? Int == 1)
        #expect(try await household.attempts() == "")
        #expect(try await household.accounts() == "")

        let delivered = try await household.foyer("sync", "--json")
        #expect(delivered.exit == .code(0))
        #expect(try delivered.object() as NSDictionary == ["schema": 1, "accepted": 1, "rejected": 0, "waiting": 0])
        #expect(delivered.stderr.hasPrefix("Sent to the practice server; no real account was created.\n"))
        let attempts = try await household.attempts()
        #expect(attempts.split(separator: "\n").count == 1)

        let again = try await household.foyer("sync", "--json")
        #expect(again.exit == .code(0))
        #expect(try again.object() as NSDictionary == ["schema": 1, "accepted": 0, "rejected": 0, "waiting": 0])
        #expect(try await household.attempts() == attempts)
        #expect(try await household.states() == ["finished 5 accepted active 0"])
        try await household.checkInvariants()
    }

    @Test("Where nothing is left to ask, `foyer resume` delivers")
    func resumeDeliversWhereNothingIsLeftToAsk() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        #expect(try await household.foyer("resume", "--network", "offline").exit == .code(75))
        let delivered = try await household.foyer("resume", "--json")
        #expect(delivered.exit == .code(0))
        #expect(try delivered.object()["accepted"] as? Int == 1)
        #expect(try await household.foyer("resume").exit == .code(66))
        try await household.checkInvariants()
    }

    @Test("Two syncs at once create each account once")
    func twoDeliverersAtOnceMakeEachAccountOnce() async throws {
        let household = try Household()
        for number in 1...6 {
            let person = Person(email: "p\(number)@example.org", userName: "person\(number)")
            let queued = try await household.foyer("register", "--network", "offline", lines: person.answers)
            #expect(queued.exit == .code(75))
        }
        async let one = household.foyer("sync", "--json")
        async let other = household.foyer("sync", "--json")
        let accepted = try await [one, other].map {
            #expect($0.exit == .code(0))
            return try $0.object()["accepted"] as? Int ?? 0
        }
        #expect(accepted.reduce(0, +) == 6)
        #expect(try await household.sqlite3("SELECT count(*) FROM submission_attempts") == "6")
        #expect(try await household.accounts().split(separator: "\n").count == 6)
        try await household.checkInvariants()
    }

    @Test("A refused answer says that others are saved only where the store holds some", arguments: [0, 1])
    func nothingIsSavedYet(answers: Int) async throws {
        let household = try Household()
        let refused = try await household.foyer("register", lines: Array(Person.ada.answers.prefix(answers)) + ["a"])
        #expect(refused.exit == .code(65))
        #expect(refused.stderr.contains("The other answers are saved") == (answers > 0), "\(refused.stderr)")
        #expect(refused.stderr.contains("Nothing is saved yet.") == (answers == 0), "\(refused.stderr)")
        #expect(try await household.foyer("resume").exit == (answers > 0 ? .code(75) : .code(66)))
    }

    // MARK: The network says no

    @Test("A taken user name reopens that step alone and keeps the other answers")
    func aTakenUserNameOpensThatStepAgainAndKeepsTheRest() async throws {
        let household = try await Self.householdWithAda()
        var second = Person.grace
        second.userName = "ADA.l"
        let refused = try await household.foyer("register", "--json", lines: second.answers)
        #expect(refused.exit == .code(65))
        let error = try #require(try refused.error())
        #expect(error.code == "username.taken" && error.field == "userName")
        #expect(refused.stderr.contains("This user name is taken. Choose another."))
        let glance = try await household.foyer([])
        #expect(glance.stdout.contains("; refused: This user name is taken. Choose another."), "\(glance.stdout)")
        let flows = try await household.foyer("flows", "--json").object()["flows"] as? [[String: Any]]
        #expect(flows?.first?["refused"] as? String == "username.taken")
        #expect(try await household.states().last == "open 5 rejected - 1")
        let flow = "FROM flows WHERE status = 'open'"
        #expect(try await household.sqlite3("SELECT step \(flow)") == "userName")
        #expect(
            try await household.sqlite3("SELECT email, progress FROM registrations_in_progress")
                == "grace@example.net|step 2 of 5")
        let answers = "SELECT step, value, error FROM flow_steps WHERE flow_id = (SELECT id \(flow)) ORDER BY seq"
        #expect(
            try await household.sqlite3(answers) == """
                email|grace@example.net|
                userName|ADA.l|username.taken
                password||
                firstName|Grace|
                lastName|Hopper|
                """)

        second.userName = "grace.h"
        let mended = try await household.foyer("resume", "--json", lines: ["grace.h"])
        #expect(mended.exit == .code(0))
        #expect((try mended.object()["user"] as? [String: Any])?["user_name"] as? String == "grace.h")
        #expect(try await household.states().last == "finished 5 rejected,accepted active 0")
        #expect(try await household.sqlite3("SELECT count(DISTINCT id) FROM submissions") == "3")
        #expect(try await household.canSignIn(second))
        try await household.checkInvariants()
    }

    @Test("A taken user name is asked again in the same session, and nothing else is")
    func aTakenUserNameIsAskedAgainInTheSameSession() async throws {
        let household = try await Self.householdWithAda()
        var second = Person.grace
        second.userName = Person.ada.userName
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<5, as: second)
        try await terminal.expect("This user name is taken. Choose another.")
        try await terminal.expect("[2/5] User Name: Ada.L")
        try terminal.send("\u{15}grace\r")
        try await terminal.expect("Registered grace")
        #expect(try await terminal.wait() == .code(0))
        for position in 0..<5 { #expect(terminal.count(of: "[\(position + 1)/5]") == (position == 1 ? 2 : 1)) }
        #expect(try await household.canSignIn(.grace))
        try await household.checkInvariants()
    }

    @Test("On a pipe, a remaining line answers the field that the network refused")
    func theLinesThatAreLeftAnswerWhatTheNetworkRefused() async throws {
        let household = try await Self.householdWithAda()
        var second = Person.grace
        second.userName = Person.ada.userName
        let finished = try await household.foyer("register", lines: second.answers + ["grace"])
        #expect(finished.exit == .code(0))
        #expect(finished.stdout == "Registered grace\n")
        try await household.checkInvariants()
    }

    @Test("A taken address and a taken user name are asked again one after the other")
    func aTakenAddressAndATakenNameAreAskedOneAfterTheOther() async throws {
        let household = try await Self.householdWithAda()
        let refused = try await household.foyer("register", "--json", lines: Person.ada.answers)
        #expect(refused.exit == .code(65))
        #expect(try refused.error()?.field == "email")
        let half = try await household.foyer("resume", "--json", lines: ["new@example.org"])
        #expect(half.exit == .code(75))
        let mended = try await household.foyer("resume", lines: ["newname"])
        #expect(mended.exit == .code(0))
        #expect(
            try await household.accounts().split(separator: "\n").last
                == "new@example.org|new@example.org|newname|newname|Ada|Lovelace")
        try await household.checkInvariants()
    }

    private static func householdWithAda() async throws -> Household {
        let household = try Household()
        #expect(try await household.foyer("register", lines: Person.ada.answers).exit == .code(0))
        return household
    }

    // MARK: The program says no

    @Test(
        "A refused line ends a piped registration and keeps the answers before it",
        arguments: [
            (0, "ada@", "email"), (1, "a", "userName"), (2, "secret", "password"), (3, "\u{1b}[31m", "firstName"),
        ])
    func aRefusedLineEndsThePipeAndKeepsWhatCameBefore(position: Int, answer: String, step: String) async throws {
        let household = try Household()
        let lines = Person.ada.answers.prefix(position) + [answer] + ["never read"]
        let refused = try await household.foyer("register", "--json", lines: Array(lines))
        #expect(refused.exit == .code(65))
        #expect(try refused.error()?.field == step)
        #expect(try await household.states() == (position == 0 ? [] : ["open \(position) - - \(position > 2 ? 1 : 0)"]))
        let rest = Array(Person.ada.answers.dropFirst(position))
        #expect(try await household.foyer(position == 0 ? "register" : "resume", lines: rest).exit == .code(0))
        try await household.checkInvariants()
    }

    @Test("A refused answer is explained and asked again with the typed text, unless it is secret")
    func aRefusedAnswerIsExplainedAndAskedAgainWithWhatWasTyped() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        try await terminal.expect("[1/5] Email Address: ")
        try terminal.send("ada.example.org\r")
        try await terminal.expect("The @ is missing.")
        try await terminal.expect("[1/5] Email Address: ada.example.org")
        try terminal.send("\r")
        try await terminal.expect("The @ is missing.")
        try await terminal.expect("[1/5] Email Address: ada.example.org")
        try terminal.send("\u{15}Ada@Example.org\r")
        try await terminal.answer(1..<2)
        try await terminal.expect("At least")
        try await terminal.expect("[3/5] Password: ")
        try terminal.send("short\r")
        try await terminal.expect("The password has 5 of at least")
        try await terminal.answer(2..<5)
        #expect(try await terminal.wait() == .code(0))
        #expect(!terminal.transcript.contains("short\r"))
        #expect(try await household.canSignIn(.ada))
        try await household.checkInvariants()
    }

    @Test("Going back allows changing an answer, and the registration goes on")
    func whoGoesBackCanChangeAnAnswerAndGoesOn() async throws {
        let household = try Household()
        let terminal = try household.terminal("register")
        try await terminal.answer(0..<4)
        try await terminal.expect("[5/5] Last Name: ")
        try terminal.send("<\r")
        try await terminal.expect("[4/5] First Name: Ada")
        try terminal.send("\u{15}Augusta\r")
        try await terminal.expect("[5/5] Last Name: ")
        try terminal.send("Lovelace\r")
        try await terminal.expect("Registered Ada.L")
        #expect(try await terminal.wait() == .code(0))
        #expect(try await household.accounts().hasSuffix("|Augusta|Lovelace"))
        try await household.checkInvariants()
    }

    @Test("A flow with nothing left to ask is sent only after a yes")
    func nothingIsSentUnseenWhereNothingIsLeftToAsk() async throws {
        let household = try await Self.householdAtTheReview()
        let piped = try await household.foyer("resume")
        #expect(piped.exit == .code(75))
        #expect(piped.stderr.contains("`foyer resume --yes` sends it."))
        let terminal = try household.terminal("resume")
        try await terminal.expect("Email Address: grace@example.net")
        try await terminal.expect("Send it now? [Y/n] ")
        try terminal.send("n\r")
        #expect(try await terminal.wait() == .code(75))
        #expect(try await household.accounts().split(separator: "\n").count == 1)
        #expect(try await household.foyer("resume", "--yes").exit == .code(0))
        #expect(try await household.accounts().split(separator: "\n").count == 2)
        try await household.checkInvariants()
    }

    /// A registration that is open although every step has a usable answer, as a changed definition can leave it.
    private static func householdAtTheReview() async throws -> Household {
        let household = try await householdWithAda()
        var second = Person.grace
        second.userName = Person.ada.userName
        #expect(try await household.foyer("register", lines: second.answers).exit == .code(65))
        _ = try await household.sqlite3("UPDATE flow_steps SET value = 'grace', error = NULL WHERE error IS NOT NULL")
        return household
    }
}
