import Foundation
import Glibc
import TestSupport
import Testing

/// How long it takes until another worker goes on with what a killed one held; `Scripts/rescue` measures it.
@Suite(.timeLimit(.minutes(30)), .enabled(if: rescueKills != nil)) struct RescueTimeTests {
    @Test("What a killed worker held is claimed again in a fraction of a second")
    func whatAKilledWorkerHeldIsClaimedAgainInAFractionOfASecond() async throws {
        let kills = try #require(rescueKills)
        let household = try Household()
        try await household.foyer("register", lines: Person.ada.answers)
        var workers = [try Self.watch(household), try Self.watch(household)]
        // While the mock network's file is locked, whoever sends waits for its answer.
        let lock = try PseudoTerminal(Program("sqlite3", [household.mockNetwork]))
        try await lock.expect("sqlite>")
        var times: [Int] = []
        for number in 0..<kills {
            try lock.send("BEGIN IMMEDIATE;\r")
            try await lock.expect("sqlite>")
            let id = "01900000-0000-7000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
            _ = try await household.sqlite3(
                """
                INSERT INTO submissions (id, kind, endpoint, lane, due_at, body, created_at)
                VALUES ('\(id)', 'reset', 'mock', '\(id)', 1, '{"fields":{"email_field":"ada@example.org"},"schema":1}', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                """)
            let holder = try await Self.attempt(1, of: id, in: household)
            let process = try #require(Int32(holder.worker.prefix { $0 != "-" }))
            let index = try #require(workers.firstIndex { $0.process == process })
            let killed = Date()
            workers[index].signal(SIGKILL)
            let next = try await Self.attempt(2, of: id, in: household)
            times.append(Int((next.began.timeIntervalSince(killed) * 1000).rounded()))
            try await workers[index].wait()
            workers[index] = try Self.watch(household)
            try lock.send("COMMIT;\r")
            try await lock.expect("sqlite>")
            try await Self.settled(id, in: household)
        }
        times.sort()
        let p50 = times[times.count / 2], p99 = times[min(times.count - 1, times.count * 99 / 100)]
        print("rescue: \(kills) kills, p50 \(p50) ms, p99 \(p99) ms, longest \(times.last ?? 0) ms")
        #expect(p99 <= 300)
        for worker in workers { worker.signal(SIGTERM) }
        for worker in workers { try await worker.wait() }
    }

    private static func watch(_ household: Household) throws -> PseudoTerminal {
        var program = try household.program([])
        program.arguments = ["-c", "exec \(program.executable) sync --watch --json >/dev/null 2>&1"]
        program.executable = "/bin/sh"
        return try PseudoTerminal(program)
    }

    private static func settled(_ id: String, in household: Household) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await household.sqlite3("SELECT state FROM submissions WHERE id = '\(id)'") != "accepted" {
            guard ContinuousClock.now < end else { throw Failure("\(id) was not delivered") }
        }
    }

    /// The sending with that number, once it has begun.
    private static func attempt(
        _ fence: Int, of id: String, in household: Household
    ) async throws -> (worker: String, began: Date) {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let row = try await household.sqlite3(
                """
                SELECT worker, (julianday(started_at) - 2440587.5) * 86400 FROM submission_attempts
                WHERE submission_id = '\(id)' AND fence = \(fence)
                """)
            let parts = row.split(separator: "|")
            if parts.count == 2, let seconds = Double(parts[1]) {
                return (String(parts[0]), Date(timeIntervalSince1970: seconds))
            }
        }
        throw Failure("sending \(fence) of \(id) did not begin")
    }
}

private let rescueKills = ProcessInfo.processInfo.environment["RESCUE_KILLS"].flatMap { Int($0) }
