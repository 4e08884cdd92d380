import Foundation
import TestSupport
import Testing

/// A submission is sent to the network that it was made for, or nowhere.
@Suite(.timeLimit(.minutes(2))) struct EndpointTests {
    /// Nobody listens there.
    private static let down = "http://127.0.0.1:1"

    private func accepting(_ id: String) throws -> RawServer {
        let body = #"{"schema":1,"user":{"id":"\#(id)"},"verdict":"accepted"}"#
        let reply =
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return try RawServer { connection in
            while connection.request() != nil, connection.send(reply) {}
        }
    }

    private func endpoints(_ household: Household) async throws -> String {
        try await household.sqlite3(
            "SELECT group_concat(endpoint) FROM (SELECT endpoint FROM submissions ORDER BY seq)")
    }

    @Test("What was registered for a server that is down is never delivered to the mock network")
    func serverIsDown() async throws {
        let household = try Household()
        let registered = try await household.foyer("register", "--network", Self.down, lines: Person.ada.answers)
        #expect(registered.exit == .code(75))
        let practised = try await household.foyer("sync", "--network", "mock", "--json")
        #expect(practised.exit == .code(75))
        #expect(try practised.object()["waiting"] as? Int == 1)
        #expect(practised.stderr.contains("1 waits for \(Self.down): `foyer sync` delivers."))
        // Without a word, the command works with the network that the store was used with first.
        #expect(try await household.foyer("sync", "--wait", "0").exit == .code(69))
        #expect(try await household.accounts() == "" && !FileManager.default.fileExists(atPath: household.mockNetwork))
        #expect(try await household.sqlite3("SELECT status FROM users") == "pending")
        #expect(try await household.sqlite3("SELECT count(*) FROM secrets") == "1")
        try await household.checkInvariants()
    }

    @Test("A registration that was begun for a server is resumed for that one, also after practice")
    func halfWay() async throws {
        let household = try Household()
        let server = try accepting("r1")
        #expect(try await household.foyer("register", lines: Person.grace.answers).exit == .code(0))
        let answers = Person.ada.answers
        try await household.foyer("register", "--network", server.url, lines: Array(answers.prefix(2)))
        let resumed = try await household.foyer("resume", lines: Array(answers.dropFirst(2)))
        #expect(resumed.exit == .code(0) && !resumed.stderr.contains("practice"))
        #expect(server.requests.map(\.target) == ["/v1/submissions/register"])
        #expect(try await household.accounts().contains(Person.grace.email))
        #expect(try await !household.accounts().contains(Person.ada.email))
    }

    @Test(
        "What is made offline is for the network that the rest of the search finds",
        arguments: [([:], "mock"), (["FOYER_NETWORK": "https://one.example"], "https://one.example")])
    func offline(environment: [String: String], endpoint: String) async throws {
        let household = try Household()
        let finished = try await household.foyer(
            "register", "--network", "offline", lines: Person.ada.answers, adding: environment)
        #expect(finished.exit == .code(75))
        #expect(try await endpoints(household) == endpoint)
        // Later, the store knows by itself, and a flow of another network keeps that one.
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        #expect(try await endpoints(household) == "\(endpoint),\(endpoint)")
    }

    @Test("Two networks have a queue each: the one that is away holds up nobody of the other")
    func twoQueues() async throws {
        let household = try Household()
        let server = try accepting("r1")
        try await household.foyer("register", "--network", Self.down, lines: Person.ada.answers)
        #expect(
            try await household.foyer("register", "--network", server.url, lines: Person.grace.answers).exit == .code(0)
        )
        let report = try await household.foyer("sync", "--network", server.url, "--json")
        #expect(report.exit == .code(75))
        #expect(server.requests.count == 1)
        #expect(
            try await household.sqlite3("SELECT user_name, status FROM users ORDER BY 1")
                == "Ada.L|pending\ngrace|active")
    }

    @Test("A person's word moves a submission to another network, with its password")
    func redirected() async throws {
        let household = try Household()
        let server = try accepting("r7")
        try await household.foyer("register", "--network", Self.down, lines: Person.ada.answers)
        let id = try await household.sqlite3("SELECT id FROM submissions")
        let unnamed = try await household.foyer("outbox", "redirect", id, "--yes")
        #expect(unnamed.exit == .code(64))
        let offline = try await household.foyer("outbox", "redirect", id, "--yes", "--network", "offline")
        #expect(offline.exit == .code(64))
        let unasked = try await household.foyer("outbox", "redirect", id, "--network", server.url)
        #expect(unasked.exit == .code(64))
        #expect(try await endpoints(household) == Self.down)

        let moved = try await household.foyer("outbox", "redirect", id, "--network", server.url, "--yes", "--json")
        #expect(moved.exit == .code(0))
        #expect(moved.stderr.contains("`foyer sync --network \(server.url)`"))
        #expect(try await household.foyer("sync", "--network", server.url).exit == .code(0))
        let request = try #require(server.requests.first?.text)
        #expect(request.contains(Person.passwordPart))
        #expect(try await household.sqlite3("SELECT remote_id, status FROM users") == "r7|active")
        let late = try await household.foyer("outbox", "redirect", id, "--network", "mock", "--yes", "--json")
        #expect(late.exit == .code(1))
        #expect(try late.error()?.code == "flow_closed")
        try household.checkSecrecy()
    }

    @Test("At a terminal, moving asks first, and says where the first network may have acted")
    func redirectAsks() async throws {
        let household = try Household()
        // Takes the submission, and never answers.
        let silent = try RawServer { connection in _ = connection.request() }
        try await household.foyer("register", "--network", silent.url, lines: Person.ada.answers)
        #expect(try await household.sqlite3("SELECT maybe_sent FROM submissions") == "1")
        let id = try await household.sqlite3("SELECT id FROM submissions")
        let terminal = try household.terminal("outbox", "redirect", id, "--network", "mock")
        try await terminal.expect("may have it already")
        try await terminal.expect("[y/N]")
        try terminal.send("n\r")
        #expect(try await terminal.wait() == .code(64))
        #expect(try await endpoints(household) == silent.url)
    }

    @Test("Whoever edits the endpoint in the file does not get the password")
    func edited() async throws {
        let household = try Household()
        let thief = try accepting("r1")
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        _ = try await household.sqlite3("UPDATE submissions SET endpoint = '\(thief.url)'")
        let finished = try await household.foyer("sync", "--network", thief.url, "--wait", "0")
        #expect(finished.exit == .code(75))
        #expect(thief.requestCount == 0)
        #expect(try await household.sqlite3("SELECT state FROM submissions") == "parked")
        // Nor does moving it bless what was edited.
        let id = try await household.sqlite3("SELECT id FROM submissions")
        let moved = try await household.foyer("outbox", "redirect", id, "--network", "mock", "--yes", "--json")
        #expect(moved.exit == .code(78))
        #expect(try moved.error()?.code == "tampered")
    }

    @Test("A store of another program's network can be read, and what waits there stays")
    func foreignNetwork() async throws {
        let household = try Household()
        try await household.foyer("forgot-password", "--network", "offline", lines: [Person.ada.email])
        _ = try await household.sqlite3(
            "UPDATE endpoints SET name = 'club'; UPDATE submissions SET endpoint = 'club'; UPDATE flows SET endpoint = 'club'"
        )
        #expect(try await household.foyer("users").exit == .code(0))
        #expect(try await household.foyer("sync", "--wait", "0").exit == .code(69))
        #expect(try await household.sqlite3("SELECT state, endpoint FROM submissions") == "ready|club")
    }
}
