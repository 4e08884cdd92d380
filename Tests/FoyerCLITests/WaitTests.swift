import Foundation
import Foyer
import FoyerMockNetwork
import Glibc
import TestSupport
import Testing

/// Nobody waits for the network for longer than five seconds, and what is said then is what the store holds.
@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    /// A server that never comes to an end.
    enum Server: CaseIterable, Sendable {
        /// Takes the connection, and says nothing.
        case silent
        /// Answers a byte a second.
        case dripping
        /// Takes the connection, and never ends the handshake of TLS.
        case muteTLS

        func start() throws -> RawServer {
            switch self {
            case .silent, .muteTLS: try RawServer { _ = $0.wait() }
            case .dripping:
                try RawServer { connection in
                    guard connection.request() != nil else { return }
                    connection.send(
                        "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n")
                    while connection.send(" "), connection.wait(.seconds(1)) {}
                }
            }
        }

        func url(_ server: RawServer) -> String {
            self == .muteTLS ? server.url.replacing("http://", with: "https://") : server.url
        }
    }

    /// Five seconds, and what a machine that is busy with all other tests adds; a server that hangs is given up after
    /// thirty, and one that drips after a minute.
    private static let limit = Duration.seconds(25)

    private func timed<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        let value = try await work()
        let time = ContinuousClock.now - start
        print("\(what): \(time)")
        #expect(time < Self.limit, "\(what)")
        return value
    }

    @Test("A registration waits five seconds at most for a server that never finishes", arguments: Server.allCases)
    func whoRegistersWaitsNoLonger(kind: Server) async throws {
        let household = try Household()
        let server = try kind.start()
        let network = ["FOYER_NETWORK": kind.url(server)]
        let told = try await timed("register, \(kind)") {
            try await household.foyer("register", lines: Person.ada.answers, adding: network)
        }
        #expect(told.exit == .code(75))
        #expect(told.stderr.contains("Saved. The network has not decided yet"))
        #expect(server.connections > 0)
        let asObject = try await timed("register --json, \(kind)") {
            try await household.foyer("register", "--json", lines: Person.grace.answers, adding: network)
        }
        #expect(asObject.exit == .code(75))
        #expect((try asObject.object()["flow"] as? [String: Any])?["status"] as? String == "submitted")
        #expect(try await household.sqlite3("SELECT count(*) FROM submissions WHERE state = 'ready'") == "2")
        #expect(try await household.sqlite3("SELECT max(worker_deaths) FROM submissions") == "0", "no worker has died")
        try household.checkSecrecy()
    }

    @Test(
        "Signing in and asking for a new password also wait five seconds at most",
        arguments: [("login", [Person.ada.userName, Person.ada.password]), ("forgot-password", [Person.ada.email])])
    func soDoesWhoSignsIn(command: String, lines: [String]) async throws {
        let household = try Household()
        let server = try Server.silent.start()
        let finished = try await timed(command) {
            try await household.foyer(command, "--network", server.url, "--json", lines: lines)
        }
        #expect(finished.exit == .code(75))
        #expect((try finished.object()["flow"] as? [String: Any])?["status"] as? String == "submitted")
        let resumed = try await timed("resume") {
            let id = try await household.sqlite3("SELECT id FROM flows")
            return try await household.foyer("resume", id, "--network", server.url)
        }
        #expect(resumed.exit == .code(75))
    }

    @Test("The app waits once for a verdict and holds nobody up after that")
    func theWholeProgramWaitsOnceForEachAnswerAndGoesOn() async throws {
        let household = try Household()
        let server = try Server.silent.start()
        let app = try household.terminal(["app", "--start", "register", "--network", server.url])
        for position in 0..<5 {
            try await app.expect("\(Person.labels[position]): ")
            try app.send(Person.ada.answers[position] + "\r")
        }
        let start = ContinuousClock.now
        try await app.expect("waits for the network")
        #expect(ContinuousClock.now - start < Self.limit)
        // What was waited for once holds nobody up again: eight waits would be forty seconds.
        let again = ContinuousClock.now
        for tab in ["about", "account", "about", "account", "about", "account", "about"] {
            try app.send("/tab.\(tab)\r")
            try await app.expect(tab == "about" ? "Give feedback] " : "Back] ")
        }
        try app.send("\u{4}")
        #expect(try await app.wait() == .code(75))
        #expect(ContinuousClock.now - again < Self.limit)
    }

    @Test("What was cut goes on under the same key, and has its effect once")
    func cutAndContinued() async throws {
        let household = try Household()
        let body = #"{"schema":1,"user":{"id":"r1"},"verdict":"accepted"}"#
        let head =
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let server = try RawServer { connection in
            while connection.request() != nil {
                if connection.isFirst {
                    _ = connection.wait()
                    return
                }
                guard connection.send(head + body) else { return }
            }
        }
        let cut = try await timed("register") {
            try await household.foyer("register", "--network", server.url, lines: Person.ada.answers)
        }
        #expect(cut.exit == .code(75))
        // At once: the lock of the worker that has ended holds nobody up.
        let synced = try await timed("sync") { try await household.foyer("sync", "--network", server.url, "--json") }
        #expect(try synced.object()["accepted"] as? Int == 1)
        #expect(Set(server.requests.compactMap { $0.fields["idempotency-key"] }).count == 1)
        #expect(server.requests.count == 2)
        #expect(try await household.sqlite3("SELECT remote_id, status FROM users") == "r1|active")
        try household.checkSecrecy()
    }

    // MARK: What happened meanwhile

    @Test("A submission that was parked is reported with the commands that help")
    func whatIsParkedSaysSoAndWhatToDo() async throws {
        for flags in [[], ["--json"]] {
            let household = try Household()
            let server = try RawServer { connection in
                if connection.request() != nil { connection.send("HTTP/1.1 418 No\r\nContent-Length: 0\r\n\r\n") }
            }
            let finished = try await household.foyer(
                ["register", "--network", server.url] + flags, lines: Person.ada.answers)
            #expect(finished.exit == .code(76))
            let id = try await household.sqlite3("SELECT id FROM submissions")
            #expect(finished.stderr.contains("Saved, but parked: the network answered 418"))
            #expect(finished.stderr.contains("`foyer outbox retry \(id.suffix(8))`"))
            #expect(finished.stderr.contains("`foyer outbox cancel \(id)`"))
            #expect(!finished.stderr.contains("`foyer sync` delivers"))
            if !flags.isEmpty {
                #expect((try finished.object()["submission"] as? [String: Any])?["state"] as? String == "parked")
            }
        }
    }

    /// How a registration ends that another process takes away while it waits.
    @Test(
        "A registration erased or given up during the wait is never reported as saved",
        arguments: [("erased", Int32(66), "flow_gone"), ("given up", 1, "flow_closed")])
    func whoIsErasedOrGivenUpMeanwhileIsNotSaved(fate: String, exit: Int32, code: String) async throws {
        let household = try Household()
        // The tests themselves are the other process: they are there in time however busy the machine is.
        let other = try await AccountStore.open(
            at: household.database, keyFile: household.keyFile,
            network: .offline(.custom(MockNetwork(path: household.mockNetwork))))
        // Nobody listens there: it is surely never sent, and tried again meanwhile.
        let port = try ListeningSocket(backlog: 1)
        close(port.number)
        async let waiting = household.foyer(
            "register", "--network", "http://127.0.0.1:\(port.port)", "--json", lines: Person.ada.answers)
        try await eventually("the submission") { try await !other.outbox.submissions().isEmpty }
        let flow = try #require(try await other.newestUnfinishedFlow())
        try await eventually("the end of it") {
            do throws(StoreError) {
                if fate == "erased" {
                    _ = try await other.erase(try await other.storage.user(named: "ada.l", matching: .whole).id)
                    return true
                }
                _ = try? await other.flows.cancel(flow.id, at: other.environment.now())
                return try await other.flows.flow(flow.id)?.status == .cancelled
            } catch {
                // Between two tries: while one is under way, the network may have it.
                guard error.code == .inFlight else { throw error }
                return false
            }
        }
        let finished = try await waiting
        #expect(finished.exit == .code(exit), "\(finished.stderr)")
        #expect(try finished.error()?.code == code)
        #expect(!finished.stderr.contains("Saved"))
        try await other.close()
        try await household.checkInvariants()
    }

    @Test("A person erased between two answers is told so, and nothing is stored")
    func whoIsErasedBetweenTwoAnswersIsNotSaved() async throws {
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        let second = try Dialogue(try household.program(["register", "--json"]))
        try await second.send(Person.ada.email)
        try await eventually("the answer") { try await household.states().last == "open 1 - - 0" }
        #expect(try await household.foyer("users", "erase", Person.ada.email, "--yes").exit == .code(0))
        let line = try await second.answer(to: "ada.second")
        #expect(line.contains(#""code":"flow_gone""#) && line.contains("erased"))
        #expect(try await second.end() == .code(66))
        #expect(try await household.states() == [])
        try household.checkSecrecy()
    }
}
