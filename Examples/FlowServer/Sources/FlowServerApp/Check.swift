import FlowServer
import Foundation
import Foyer
import Synchronization

/// Registers many people at once over HTTP, and takes the whole server away when half of the answers are given.
struct Check {
    let folder: String
    private static let people = 200
    private static let questions = ["email", "userName", "password", "firstName", "lastName"]

    /// - Returns: whether everybody is registered, exactly once.
    func run() async throws -> Bool {
        let progress = Progress()
        var (foyer, server) = (try await openStore(in: folder), try HTTPServer(port: 0))
        let port = server.port
        for number in 1...Self.people {
            Thread.detachNewThread {
                let isFinished = (try? Self.register(number, with: Client(port: port), progress)) ?? false
                progress.end(finished: isFinished)
            }
        }
        // Nothing of this round is left for the second one but the port and the file.
        let half = Self.people * Self.questions.count / 2
        try await serve(foyer, server) { progress.answers >= half || progress.ended == Self.people }
        let answersBefore = progress.answers
        (foyer, server) = (try await openStore(in: folder), try HTTPServer(port: port))
        try await serve(foyer, server) { progress.ended == Self.people }

        foyer = try await openStore(in: folder)
        let users = try await foyer.users.users(), left = try await foyer.flows.unfinishedFlows()
        let waiting = try await foyer.outbox.backlog().waiting
        try await foyer.close()
        let accounts = Set(users.filter { $0.status == .active }.compactMap(\.remoteID))
        print(
            "\(progress.finished) of \(Self.people) people saw the end, \(accounts.count) have an account,",
            "\(users.count) are in the store; the server was away after \(answersBefore) answers.")
        return progress.finished == Self.people && accounts.count == Self.people && users.count == Self.people
            && Set(users.map(\.emailKey)).count == Self.people && left.isEmpty && waiting == 0
    }

    /// Serves until a condition holds, then lets everything go.
    private func serve(_ foyer: AccountStore, _ server: HTTPServer, until isOver: @escaping @Sendable () -> Bool)
        async throws
    {
        // Room for fewer hosts than there are people, so that they are let go and restored all the time.
        let routes = FlowRoutes(FlowSessions(foyer, capacity: Self.people / 4))
        async let running: Void = server.run(routes.respond)
        while !isOver() { try await Task.sleep(for: .milliseconds(5)) }
        server.stop()
        await running
        try await foyer.close()
    }

    /// What one person does, on a thread of their own.
    private static func register(_ number: Int, with client: Client, _ progress: Progress) throws -> Bool {
        guard var answer = try client.ask("POST", "/flows") else { return false }
        let texts = ["person\(number)@example.org", "person\(number)", "correct horse \(number)", "Ada", "Lovelace"]
        let answers = Dictionary(uniqueKeysWithValues: zip(questions, texts))
        let path = "/flows/\(answer.flow)"
        while answer.status != "finished" {
            guard let screen = answer.screens?.active else { return false }
            guard let field = screen.fields.first else {
                // Everything is given; the network decides.
                usleep(200_000)
                guard let next = try client.ask("GET", path) else { return false }
                answer = next
                continue
            }
            let input: [String: Any] = [
                "screen": screen.id, "revision": screen.revision, "action": "accept",
                "values": [field.key: answers[field.key] ?? ""],
            ]
            let body = try JSONSerialization.data(withJSONObject: input)
            guard let next = try client.ask("POST", "\(path)/input", body: body) else {
                // The server was away before the first answer: nothing was stored yet.
                guard field.key == "email" else { return false }
                return try register(number, with: client, progress)
            }
            if next.result == "taken" { progress.answered() }
            answer = next
        }
        return true
    }
}

/// How far everybody is.
private final class Progress: Sendable {
    private let counts = Mutex((answers: 0, ended: 0, finished: 0))

    var answers: Int { counts.withLock { $0.answers } }
    var ended: Int { counts.withLock { $0.ended } }
    var finished: Int { counts.withLock { $0.finished } }

    func answered() {
        counts.withLock { $0.answers += 1 }
    }

    func end(finished: Bool) {
        counts.withLock {
            $0.ended += 1
            if finished { $0.finished += 1 }
        }
    }
}
