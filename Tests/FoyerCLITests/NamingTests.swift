import Foundation
import TestSupport
import Testing

/// What is named on the command line, and how much of a name is enough.
@Suite(.timeLimit(.minutes(3))) struct NamingTests {
    /// What destroys or takes back, and the table of what it names.
    static let destroying =
        [
            (["users", "erase"], "users", ["--yes"]), (["cancel"], "flows", []),
            (["outbox", "cancel"], "submissions", []),
        ] as [([String], String, [String])]

    /// The only row of a table that can still be destroyed.
    private static func id(in table: String, of household: Household) async throws -> String {
        let order = table == "submissions" ? "seq" : "created_at"
        return try await household.sqlite3("SELECT id FROM \(table) ORDER BY \(order) DESC LIMIT 1")
    }

    private static func rows(of household: Household) async throws -> String {
        try await household.sqlite3(
            """
            SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM flows WHERE status = 'cancelled'),
                (SELECT count(*) FROM submissions WHERE state = 'cancelled')
            """)
    }

    @Test("Without a terminal nothing is destroyed by an ending, however long, even where it is the only one")
    func endingsOnAPipe() async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        let before = try await Self.rows(of: household)
        for (command, table, flags) in Self.destroying {
            let id = try await Self.id(in: table, of: household)
            for ending in [1, 7, 8, 35].map({ String(id.suffix($0)) }) + ["", " ", "%"] {
                let finished = try await household.foyer(command + [ending, "--json"] + flags)
                #expect(finished.exit == .code(66), "\(command) \(ending)")
                #expect(try finished.error()?.code == "not_found")
            }
        }
        #expect(try await Self.rows(of: household) == before)
        for (command, table, flags) in Self.destroying.reversed() {
            let copy = try Household(copying: household)
            let id = try await Self.id(in: table, of: household)
            #expect(try await copy.foyer(command + [id] + flags).exit == .code(0), "\(command)")
            #expect(try await Self.rows(of: copy) != before)
        }
    }

    @Test("At a terminal eight characters are enough, and seven are not")
    func endingsAtATerminal() async throws {
        for (command, table, _) in Self.destroying {
            let household = try Household()
            try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
            let before = try await Self.rows(of: household)
            let id = try await Self.id(in: table, of: household)
            for ending in [String(id.suffix(1)), String(id.suffix(7)), ""] {
                let terminal = try household.terminal(command + [ending, "--yes"])
                #expect(try await terminal.wait() == .code(66), "\(command) \(ending)")
                if !ending.isEmpty { #expect(terminal.transcript.contains("at least its last 8 characters")) }
            }
            let noInput = try household.terminal(command + [String(id.suffix(8)), "--yes", "--no-input"])
            #expect(try await noInput.wait() == .code(66), "\(command)")
            #expect(try await Self.rows(of: household) == before)
            let terminal = try household.terminal(command + [String(id.suffix(8)), "--yes"])
            #expect(try await terminal.wait() == .code(0), "\(command): \(terminal.transcript)")
            #expect(try await Self.rows(of: household) != before)
        }
    }

    @Test("A person is found by name, address or ending, but an ending is not enough to erase on a pipe")
    func aPersonIsFoundByNameAddressAndEnding() async throws {
        let household = try await UsersCommandTests.household()
        let id = try await UsersCommandTests.id(of: Person.ada.userName, in: household)
        for name in ["ada.l", "ADA.L", "ada@example.org", id, String(id.suffix(8))] {
            for command in [["users", "show"], ["users", "export"], ["users", "erase", "--dry-run"]] {
                let isEnough = !command.contains("erase") || name != String(id.suffix(8))
                let finished = try await household.foyer(command + [name, "--json"])
                #expect(finished.exit == .code(isEnough ? 0 : 66), "\(command) \(name)")
            }
        }
        for name in ["ada", "a.l", "ada@example", "@", "", "\t"] {
            #expect(try await household.foyer("users", "show", name).exit == .code(66), "\(name)")
        }
    }

    @Test("A name that fits several persons selects nobody and lists them")
    func whoCouldBeSeveralIsNobodyAndTheyAreListed() async throws {
        let household = try Household()
        for userName in ["first.one", "second.one"] {
            var person = Person.ada
            person.userName = userName
            try await household.foyer("register", "--network", "offline", lines: person.answers)
        }
        let ids = try await household.sqlite3("SELECT id FROM users ORDER BY id").split(separator: "\n")
        for command in [["users", "show"], ["users", "erase", "--yes"], ["users", "export"]] {
            let finished = try await household.foyer(command + [Person.ada.email, "--json"])
            #expect(finished.exit == .code(66))
            #expect(try finished.error()?.code == "ambiguous")
            for id in ids { #expect(finished.stderr.contains(id)) }
        }
        #expect(try await household.foyer("users", "erase", "first.one", "--yes").exit == .code(0))
        #expect(try await household.sqlite3("SELECT user_name FROM users") == "second.one")
    }
}
