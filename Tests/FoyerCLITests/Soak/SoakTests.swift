import Foundation
import Glibc
import TestSupport
import Testing

/// Several deliverers on one file, killed and stopped at random; `Scripts/soak-outbox` runs it.
@Suite(.timeLimit(.minutes(20)), .enabled(if: soakSeconds != nil)) struct SoakTests {
    private static let settings = ProcessInfo.processInfo.environment
    private static let seed = settings["SOAK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
    private static let lanes = (settings["SOAK_SUBMISSIONS"].flatMap { Int($0) } ?? 20_000) / 4

    @Test("Nothing is lost or done twice, whichever worker is killed")
    func nothingIsLostOrDoneTwiceWhoeverIsKilled() async throws {
        let seconds = try #require(soakSeconds)
        print("soak: SOAK_SEED=\(Self.seed) SOAK_SECONDS=\(seconds) SOAK_SUBMISSIONS=\(Self.lanes * 4)")
        var random = SeededRandom(seed: Self.seed)
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("cancel")
        _ = try await household.sqlite3("DELETE FROM submissions")
        var pack = try await Pack(household, size: 4)
        let end = ContinuousClock.now + .seconds(seconds)
        async let queued: Void = Self.queueAll(until: end, in: household)
        while ContinuousClock.now < end {
            try await pack.disturb(&random)
            // The rhythm of the disturbances, which is part of what the seed brings back.
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
        }
        try await pack.calm()
        try await queued
        try await Self.waitUntilSettled(household)
        try await pack.end()
        print("soak: \(pack.kills) killed, \(pack.stops) stopped, \(pack.late()) late plans and verdicts refused")
        try await Self.check(household)
    }

    /// Queues everything in small parts, early enough that all are busy.
    private static func queueAll(until end: ContinuousClock.Instant, in household: Household) async throws {
        let start = ContinuousClock.now
        var queued = 0
        while queued < lanes {
            let share = (ContinuousClock.now - start) / (end - start) * 8
            let wanted = min(lanes, Int(Double(lanes) * share) + 1)
            if wanted > queued { try await queue(queued..<wanted, in: household) }
            queued = max(queued, wanted)
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Four submissions in each lane: a registration, and three that build on it.
    private static func queue(_ lanes: Range<Int>, in household: Household) async throws {
        let password = #""secrets":{"password":{"mode":"plain","text":"four unrelated words"}}"#
        let statement = """
            PRAGMA wal_autocheckpoint = 0;
            WITH RECURSIVE lanes (lane) AS (
                SELECT \(lanes.lowerBound) UNION ALL SELECT lane + 1 FROM lanes WHERE lane + 1 < \(lanes.upperBound)
            ), places (place) AS (VALUES (0), (1), (2), (3))
            INSERT INTO submissions (id, kind, endpoint, lane, due_at, body, created_at)
            SELECT printf('%08x-0000-7000-8000-%012x', lane, place),
                CASE place WHEN 0 THEN 'register' WHEN 2 THEN 'login' ELSE 'reset' END, 'mock', 'lane ' || lane, place,
                CASE place
                    WHEN 0 THEN '{"fields":{"email_field":"p' || lane || '@example.org","first_name":"Ada","last_name":'
                        || '"Lovelace","user_name":"person' || lane || '"},"schema":1,\(password)}'
                    WHEN 2 THEN '{"fields":{"user_name":"person' || lane || '"},"schema":1,\(password)}'
                    ELSE '{"fields":{"email_field":"p' || lane || '@example.org"},"schema":1}'
                END,
                strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
            FROM lanes, places ORDER BY place, lane
            """
        // Whoever is stopped in the middle of a transaction keeps everybody else waiting.
        for _ in 0..<10 {
            if (try? await household.sqlite3(statement)) != nil { return }
        }
        throw Failure("nothing could be queued")
    }

    private static func waitUntilSettled(_ household: Household) async throws {
        let left = "SELECT count(*) FROM submissions WHERE state IN ('ready', 'sending')"
        try await eventually(within: .seconds(300), "a settled queue") { try await household.sqlite3(left) == "0" }
    }

    private static func check(_ household: Household) async throws {
        let total = "\(lanes * 4)"
        #expect(
            try await household.sqlite3("SELECT state, count(*) FROM submissions GROUP BY state")
                == "accepted|\(total)")
        let network = household.mockNetwork
        #expect(
            try await household.sqlite3("SELECT status, count(*) FROM answers GROUP BY 1", at: network)
                == "201|\(total)")
        #expect(try await household.sqlite3("SELECT count(*) FROM accounts", at: network) == "\(lanes)")
        // The order in which the network answered first is the order of rows there.
        let disorder = try await household.sqlite3(
            """
            ATTACH '\(network)' AS network;
            SELECT count(*) FROM submissions AS a JOIN submissions AS b ON b.lane = a.lane AND b.seq > a.seq
                JOIN network.answers AS first ON first.key = a.id JOIN network.answers AS second ON second.key = b.id
            WHERE first.rowid > second.rowid
            """)
        #expect(disorder == "0")
        for file in [household.database, network] {
            #expect(try await household.sqlite3("PRAGMA integrity_check", at: file) == "ok")
        }
        print(
            "soak: attempts \(try await household.sqlite3("SELECT count(*) FROM submission_attempts")), outcomes ",
            try await household.sqlite3("SELECT outcome, count(*) FROM submission_attempts GROUP BY 1")
                .split(separator: "\n").joined(separator: ", "))
    }
}

private let soakSeconds = ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Int($0) }
