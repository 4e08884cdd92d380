import Foundation
import FoyerModel
import Synchronization
import TestSupport
import Testing

@testable import FoyerMockNetwork

/// Many submissions through a server that fails, from clients that try again until they have an answer.
@Suite(.timeLimit(.minutes(3))) struct DeliveryTests {
    /// Sends until a verdict comes, on a connection for each try; gives how many tries it took.
    private func deliver(_ request: SubmissionRequest, to site: Site) async throws -> Int {
        for attempt in 1...100 {
            guard let answer = try await site.ask(Site.bytes(request)) else { continue }
            if answer.status == 201 { return attempt }
            #expect(answer.status == 409 && answer.answer.body?.type == "/problems/in-progress", "\(answer)")
        }
        throw Failure("no verdict after a hundred tries")
    }

    @Test("A server that loses 30 % of its answers after the effect and resets 10 % has each account once")
    func lossy() async throws {
        let seed = UInt64.random(in: 0...UInt64.max), count = 400
        let site = try await Site("lost:30%", "rst:10%", "truncate=20:5%", "delay=5ms:10%", seed: seed)
        let next = Counter(), tries = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    while true {
                        let number = next.add(1)
                        guard number <= count else { return }
                        let form = Form(email: "a\(number)@example.org", userName: "user\(number)x")
                        let attempts = try await deliver(form.request(), to: site)
                        _ = tries.add(attempts)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await site.state.accounts() == "\(count)", "seed \(seed)")
        #expect(try await site.state.sql("SELECT count(*) FROM answers") == "\(count)", "seed \(seed)")
        // With 45 % of failures, 400 deliveries take 727 tries on average.
        #expect((550...950).contains(tries.add(0)), "seed \(seed)")
        await site.server.stop()
    }

    @Test("Two requests with one key at once have one effect, and the slower one waits or gets the same answer")
    func atOnce() async throws {
        let site = try await Site("delay=20ms")
        for round in 0..<10 {
            let request = Form(email: "a\(round)@example.org", userName: "user\(round)x").request()
            let answers = try await withThrowingTaskGroup(of: RawAnswer.self) { group in
                for _ in 0..<6 { group.addTask { try await site.answer(request) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.contains { $0.status == 201 && !$0.answer.isReplay })
            for answer in answers where answer.status != 201 {
                #expect(answer.status == 409 && answer.headers["retry-after"] == "1")
            }
            #expect(answers.count { $0.status == 201 && !$0.answer.isReplay } == 1)
        }
        #expect(try await site.state.accounts() == "10")
        await site.server.stop()
    }

    @Test("After thousands of requests on kept connections, no connection and no thread is left behind")
    func steady() async throws {
        let site = try await Site()
        let request = Form().request(), path = "/v1/submissions/\(request.key)"
        _ = try await site.answer(request)
        func burst() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        try await onThread {
                            Result {
                                let client = try site.client()
                                for _ in 0..<20 {
                                    client.send(Site.bytes("GET", path))
                                    let answer = client.answerNow()
                                    guard answer?.status == 201 else { throw Failure("\(answer.debugDescription)") }
                                }
                            }
                        }.get()
                    }
                }
                try await group.waitForAll()
            }
        }
        for _ in 0..<4 { try await burst() }
        try await eventually { try openConnections(at: site.port) == 0 }
        // It waits for each of its threads.
        await site.server.stop()
    }

    /// How many connections the server at a port has not closed: established, or given up by the client alone.
    private func openConnections(at port: UInt16) throws -> Int {
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        let local = ":" + String(port, radix: 16, uppercase: true)
        return table.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[1].hasSuffix(local) && ["01", "08"].contains(columns[3])
        }
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    /// Gives the sum.
    func add(_ number: Int) -> Int {
        value.withLock { value in
            value += number
            return value
        }
    }
}
