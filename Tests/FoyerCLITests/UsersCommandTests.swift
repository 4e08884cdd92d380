import Foundation
import TestSupport
import Testing

/// `foyer users erase`.
@Suite(.timeLimit(.minutes(2))) struct UsersCommandTests {
    /// Ada, accepted; and Grace, who waits.
    static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        return household
    }

    static func id(of userName: String, in household: Household) async throws -> String {
        try await household.sqlite3("SELECT id FROM users WHERE user_name = '\(userName)'")
    }

    /// The files with one of Ada's values in them, but for the mock network's own.
    static func traces(of values: [String], in household: Household) throws -> [String] {
        let others = Set(["", "-wal", "-shm", "-journal"].map { "data/foyer/foyer.db.mock-network\($0)" })
        return try values.flatMap { try household.folder.occurrences(of: Array($0.utf8), except: others) }
    }

    @Test("Erasing a person leaves no trace in the files and tells what was searched")
    func erasingTellsWhatWasLookedForAndLeavesNothing() async throws {
        let household = try await Self.household()
        let ada = Person.ada
        let id = try await Self.id(of: ada.userName, in: household)
        let erased = try await household.foyer("users", "erase", ada.userName.uppercased(), "--yes", "--json")
        #expect(erased.exit == .code(0), "\(erased.stderr)")
        let erasure = try #require(try erased.object()["erasure"] as? [String: Any])
        let proof = try #require(erasure["proof"] as? [String: Any])
        #expect(proof["hits"] as? Int == 0 && erasure["flows"] as? Int == 1 && erasure["remnants"] is NSNull)
        #expect((proof["files"] as? [[String: Any]])?.first?["path"] as? String == household.database)
        #expect(erased.stderr.contains("mock network's own file"))
        #expect(try Self.traces(of: [id, ada.answers[0], ada.userName, ada.answers[4]], in: household) == [])
        let again = try await household.foyer("users", "erase", id, "--yes", "--json")
        #expect(again.exit == .code(66))
        #expect(try again.error()?.code == "not_found")
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.canSignIn(.grace))
        #expect(try await household.foyer("doctor").exit == .code(0))
    }

    @Test("Erasing a person asks at a terminal and needs --yes on a pipe")
    func onATerminalItAsksAndOnAPipeItNeedsAYes() async throws {
        let household = try await Self.household()
        let id = try await Self.id(of: Person.ada.userName, in: household)
        let refused = try await household.foyer("users", "erase", id, "--json", lines: ["y"])
        #expect(refused.exit == .code(64))
        #expect(try refused.error()?.code == "not_confirmed")
        for (answer, exit) in [("n", Int32(64)), ("", 64), ("y", 0)] {
            let terminal = try household.terminal("users", "erase", String(id.suffix(8)))
            try await terminal.expect("Erase \(Person.ada.userName) (\(id.suffix(8)))? [y/N] ")
            try terminal.send(answer + "\r")
            #expect(try await terminal.wait() == .code(exit))
            let count = try await household.sqlite3("SELECT count(*) FROM users")
            #expect(count == (answer == "y" ? "1" : "2"))
        }
    }

    @Test("A person whose submission may have been sent is not erased")
    func whoIsBeingDeliveredIsNotErased() async throws {
        let household = try await Self.household()
        let id = try await Self.id(of: Person.grace.userName, in: household)
        _ = try await household.sqlite3("UPDATE submissions SET maybe_sent = 1, claims = 1 WHERE state = 'ready'")
        let refused = try await household.foyer("users", "erase", id, "--yes", "--json")
        #expect(refused.exit == .code(75))
        #expect(try refused.error()?.code == "in_flight")
        #expect(refused.stderr.contains("foyer outbox cancel") && refused.stderr.contains("foyer sync"))
        #expect(try await household.sqlite3("SELECT count(*) FROM users") == "2")
    }
}

/// `foyer users erase`, killed anywhere.
@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(5))) struct KilledErasureTests {
    @Test("Wherever it is killed, the person is wholly there or wholly gone, and the next command cleans the files")
    func atEachCall() async throws {
        let golden = try await UsersCommandTests.household()
        let ada = Person.ada
        let id = try await UsersCommandTests.id(of: ada.userName, in: golden)
        // What a program without our care has left behind: only a file that is written anew is clean.
        _ = try await golden.sqlite3(
            """
            PRAGMA secure_delete = OFF;
            INSERT INTO events (at, what, detail, counted_from) SELECT 'now', 'x', last_name, 0 FROM users, migrations;
            DELETE FROM events WHERE what = 'x'
            """)
        let values = [id, ada.answers[0], ada.userName, ada.answers[4]]
        let rows =
            "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM flows), (SELECT count(*) FROM flow_steps),"
            + " (SELECT count(*) FROM submissions), (SELECT count(*) FROM events WHERE what = 'person erased')"
        #expect(try await golden.sqlite3(rows) == "2|2|10|2|0")
        var ends: Set<String> = []
        let points = try await KillPoint.each { point in
            let household = try Household(copying: golden)
            let killed = try await household.foyer("users", "erase", id, "--yes", adding: point.environment)
            if try !point.wasReached { #expect(killed.exit == .code(0), "\(killed.stderr)") }
            // The next command, whatever it is.
            #expect(try await household.foyer("flows").exit == .code(0))
            let end = try await household.sqlite3(rows)
            ends.insert(end)
            if end == "1|1|5|1|1" {
                #expect(try UsersCommandTests.traces(of: values, in: household) == [], "\(point)")
                #expect(try await household.sqlite3("SELECT count(*) FROM scrubs") == "0", "\(point)")
            } else {
                #expect(end == "2|2|10|2|0", "\(point)")
                let erased = try await household.foyer("users", "erase", id, "--yes")
                #expect(erased.exit == .code(0), "\(point): \(erased.stderr)")
                #expect(try UsersCommandTests.traces(of: values, in: household) == [], "\(point)")
            }
            #expect(try await household.sqlite3("PRAGMA integrity_check") == "ok")
            #expect(try household.strayFiles() == [], "\(point)")
        }
        #expect(points > 10 && ends.count == 2)
        print("users erase: \(points) kill points")
    }
}

/// `foyer users export`.
@Suite(.timeLimit(.minutes(2))) struct ExportTests {
    @Test("An export holds everything about the person except the secret")
    func itHoldsEverythingButTheSecret() async throws {
        let household = try await UsersCommandTests.household()
        let grace = Person.grace
        let id = try await UsersCommandTests.id(of: grace.userName, in: household)
        let exported = try await household.foyer("users", "export", String(id.suffix(8)))
        #expect(exported.exit == .code(0), "\(exported.stderr)")
        let object = try exported.object()
        #expect((object["user"] as? [String: Any])?["id"] as? String == id)
        let flow = try #require((object["flows"] as? [[String: Any]])?.first)
        let steps = try #require(flow["steps"] as? [[String: Any]])
        #expect(steps.map { $0["value"] as? String } == [grace.email, grace.userName, nil, "Grace", "Hopper"])
        let submission = try #require((object["submissions"] as? [[String: Any]])?.first)
        #expect((submission["body"] as? String)?.contains("Hopper") == true)
        #expect((object["events"] as? [[String: Any]])?.contains { $0["what"] as? String == "flow submitted" } == true)
        #expect(!exported.stdout.contains(Person.ada.userName), "nobody else is in it")
        let box = try await household.sqlite3("SELECT box FROM secrets")
        #expect(box.hasPrefix("b1") && !exported.stdout.contains(box.dropFirst(2).prefix(40)))
        try await household.checkInvariants()
    }

    @Test("An export file is for its owner alone and overwrites no file")
    func aFileIsNewAndItsOwnersAlone() async throws {
        let household = try await UsersCommandTests.household()
        let id = try await UsersCommandTests.id(of: Person.ada.userName, in: household)
        let path = household.folder.appending("ada.json")
        let umask = try await household.shell("umask 000; foyer users export \(id) --output '\(path)'")
        #expect(umask.exit == .code(0) && umask.stdout == "\(path)\n", "\(umask.stderr)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let written = try Data(contentsOf: URL(filePath: path))
        #expect(String(decoding: written, as: UTF8.self) == (try await household.foyer("users", "export", id)).stdout)
        let again = try await household.foyer("users", "export", id, "--output", path, "--json")
        #expect(again.exit == .code(73))
        #expect(try again.error()?.code == "cannot_create")
        #expect(try Data(contentsOf: URL(filePath: path)) == written)
        let nowhere = try await household.foyer("users", "export", id, "--output", "/nowhere/ada.json")
        #expect(nowhere.exit == .code(74))
        #expect(try await household.foyer("users", "export", "ffffffff").exit == .code(66))
    }
}
