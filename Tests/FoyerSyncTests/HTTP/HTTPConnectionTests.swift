import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import FoyerSync

@Suite(.timeLimit(.minutes(2))) struct HTTPConnectionTests {
    @Test("An answer that nobody asked for is never taken for the next request's (row 33)", arguments: [0, 50])
    func twoAnswers(pause: Int) async throws {
        let server = try RawServer { connection in
            guard connection.request() != nil else { return }
            let answer = Answer.whole(409, #"{"errors":[{"code":"taken","field":"user_name"}]}"#)
            // What comes in one piece is there before the next request, however slow this machine is.
            connection.send(connection.isFirst && pause == 0 ? answer + Answer.whole() : answer)
            guard connection.isFirst else { return }
            if pause > 0 {
                _ = connection.wait(.milliseconds(pause))
                connection.send(Answer.whole())
            }
            _ = connection.wait()
        }
        let network = try server.client()
        #expect(await classOf(network.result()) == "rejected")
        // Time for the second answer to come in: no client can be asked whether it did.
        try await Task.sleep(for: .milliseconds(pause * 4))
        #expect(await classOf(network.result()) == "rejected")
        #expect(server.connections == 2)
    }

    @Test("An answer has to begin in time, and to end in time")
    func timeouts() async throws {
        let server = try RawServer { connection in
            while let request = connection.request() {
                if request.method == "POST" { connection.send("HTTP/1.1 201 Created\r\nContent-Length: 52\r\n\r\n") }
                _ = connection.wait()
            }
        }
        // Of the limits each client can only meet one: the others are far away.
        let silent = try server.client(firstByte: .milliseconds(200))
        await #expect(throws: NetworkFailure.interrupted("127.0.0.1:\(server.port): it took too long")) {
            try await silent.outcome(of: Sent.newKey())
        }
        let endless = try server.client(total: .milliseconds(400))
        #expect(await Ending(endless.result()) == .interrupted)
    }

    @Test("A request that is given up ends at once, and the others do not notice")
    func cancellation() async throws {
        let server = try RawServer { connection in
            while let request = connection.request() {
                if request.method == "DELETE" {
                    _ = connection.wait()
                    return
                }
                connection.send(Answer.whole())
            }
        }
        let network = try server.client()
        let given = Task { try await network.cancel(Sent.newKey()) }
        try await eventually { server.requests.count == 1 }
        given.cancel()
        await #expect(throws: NetworkFailure.interrupted("127.0.0.1:\(server.port): the request was given up")) {
            try await given.value
        }
        #expect(await classOf(network.result()) == "accepted")
        try await eventually { server.openConnections == 1 }
    }

    @Test("A request that was given up before it began is not sent")
    func cancelledBefore() async throws {
        let server = try RawServer(answer: Answer.whole())
        let network = try server.client()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await network.result()
        }
        task.cancel()
        #expect(await Ending(task.value) == .unreachable)
        #expect(server.requests.isEmpty)
    }

    @Test("Requests that are given up at any moment leave nothing behind; seed 33")
    func cancellationStorm() async throws {
        let server = try RawServer(answer: Answer.whole())
        let network = try server.client()
        var random = SeededRandom(seed: 33)
        for _ in 0..<40 {
            let delays = (0..<16).map { _ in Duration.microseconds(Int64(random.next() % 2000)) }
            await withTaskGroup(of: Void.self) { group in
                for delay in delays {
                    group.addTask {
                        let request = Task { await network.result() }
                        try? await Task.sleep(for: delay)
                        request.cancel()
                        #expect([.status(201), .interrupted, .unreachable].contains(Ending(await request.value)))
                    }
                }
            }
        }
        #expect(await classOf(network.result()) == "accepted")
        try await eventually { server.openConnections <= 16 }
    }

    @Test("All connections are closed with the network")
    func end() async throws {
        let server = try RawServer(answer: Answer.whole())
        do {
            let network = try server.client()
            #expect(await Ending(network.result()) == .status(201))
            #expect(server.openConnections == 1)
        }
        try await eventually { server.openConnections == 0 }
    }

    @Test("More requests than connections wait for their turn")
    func manyAtOnce() async throws {
        let server = try RawServer(answer: Answer.whole())
        let network = try server.client()
        let classes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<300 { group.addTask { await classOf(network.result()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(classes.count == 300 && classes.allSatisfy { $0 == "accepted" })
        #expect(server.connections <= HTTPLoop.connections)
    }
}
