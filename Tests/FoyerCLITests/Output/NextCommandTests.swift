import Foundation
import TestSupport
import Testing

/// Whatever changes something says what has changed, and the next command to type.
@Suite(.timeLimit(.minutes(2))) struct NextCommandTests {
    @Test("Every command that changes something says what changed and what to type next")
    func everyCommandThatChangesSomethingSaysSo() async throws {
        let household = try Household()
        /// Runs a command: what it says of the change, and of what comes next.
        func check(_ words: [String], lines: [String] = [], exit: Int32 = 0, says: String, next: String) async throws {
            let finished = try await household.foyer(words, lines: lines)
            #expect(finished.exit == .code(exit), "\(words): \(finished.stderr)")
            #expect((finished.stdout + finished.stderr).contains(says), "\(words): \(finished)")
            #expect(finished.stderr.contains("`\(next)"), "\(words): \(finished.stderr)")
        }
        func last(_ table: String) async throws -> String {
            try await household.sqlite3("SELECT id FROM \(table) ORDER BY id DESC LIMIT 1")
        }
        let offline = ["--network", "offline"]
        try await check(["register"], lines: ["p@example.org"], exit: 75, says: "Saved.", next: "foyer resume")
        try await check(["resume"], lines: ["someone"], exit: 75, says: "Saved.", next: "foyer resume")
        try await check(["cancel"], says: "Cancelled", next: "foyer register")
        try await check(["register"], lines: Person.ada.answers, says: "Registered Ada.L", next: "foyer users")
        let signIn = [Person.ada.userName, Person.password]
        try await check(["login"], lines: signIn, says: "Signed in as Ada.L", next: "foyer users")
        try await check(["forgot-password"], lines: [Person.ada.email], says: "a mail", next: "foyer login")
        let queue = ["register"] + offline
        try await check(queue, lines: Person.grace.answers, exit: 75, says: "Saved.", next: "foyer sync")
        try await check(["sync"] + offline, exit: 75, says: "1 waiting", next: "foyer sync")
        try await check(["outbox", "retry", try await last("submissions")], says: "Due now", next: "foyer sync")
        try await check(["sync"], says: "1 accepted", next: "foyer users")
        let other = Person(email: "other@example.org", userName: "other")
        try await check(queue, lines: other.answers, exit: 75, says: "Saved.", next: "foyer sync")
        try await check(["outbox", "cancel", try await last("submissions")], says: "Cancelled", next: "foyer outbox")
        let ada = try await household.sqlite3("SELECT id FROM users WHERE user_name = 'Ada.L'")
        try await check(["users", "erase", ada, "--yes"], says: "Erased", next: "foyer users")
        try await check(["key", "rotate"], says: "new key", next: "foyer doctor")
        let copy = household.folder.appending("copy.db")
        try await check(["db", "backup", copy], says: copy, next: "foyer doctor --database \(copy)")
        try await check(["db", "migrate"], says: "up to date", next: "foyer")
        try await check(["db", "prune", "--dry-run"], says: "over their time", next: "foyer db prune")
        try await check(["db", "prune"], says: "are gone", next: "foyer")
        try FileManager.default.removeItem(atPath: household.keyFile)
        try await check(["key", "reset", "--yes"], says: "a key again", next: "foyer resume")
        try household.checkSecrecy()
    }
}
