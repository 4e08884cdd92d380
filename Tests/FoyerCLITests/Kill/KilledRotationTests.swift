import FoyerModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FoyerStore

/// `foyer key rotate`, killed anywhere.
@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(5))) struct KilledRotationTests {
    /// An open registration with its password, and a finished one that waits.
    private static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", lines: Array(Person.grace.answers[..<4]))
        return household
    }

    private static func keys(of household: Household) throws -> [DeviceKey] {
        let folder = household.folder.appending("state/foyer")
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            // A file that a killed maker left half-written is no key.
            try? KeyFile(path: "\(folder)/\(name)").load()
        }
    }

    /// How many of the keys that are there open each secret.
    private static func openings(in household: Household) async throws -> [Int] {
        let keys = try keys(of: household)
        let store = try await household.sqlite3("SELECT id FROM store")
        let rows = try await household.sqlite3("SELECT flow_id || '/' || step, version, substr(box, 3) FROM secrets")
        return try rows.split(separator: "\n").map { line in
            let parts = line.split(separator: "|").map(String.init)
            let place = SealedBox.Place(
                store: store, table: "secrets", column: "box", row: parts[0], version: try #require(Int64(parts[1])))
            let box = try #require(Base64.bytes(parts[2]))
            return keys.count { (try? SealedBox.open(box, with: $0, at: place)) != nil }
        }
    }

    @Test("Wherever it is killed, each secret opens with exactly one key, and the next rotation leaves one key")
    func atEachCall() async throws {
        let golden = try await Self.household()
        let old = try #require(try Self.keys(of: golden).first).name
        let kinds: Set<KillPoint.Call> = [.write, .sync, .create, .rename, .remove, .truncate]
        let points = try await KillPoint.each(of: kinds) { point in
            let household = try Household(copying: golden)
            let killed = try await household.foyer("key", "rotate", adding: point.environment)
            if try !point.wasReached { #expect(killed.exit == .code(0), "\(killed.stderr)") }
            #expect(try await Self.openings(in: household) == [1, 1], "\(point)")
            // Whoever needs the key next finishes what was begun.
            let finished = try await household.foyer("key", "rotate")
            #expect(finished.exit == .code(0), "\(point): \(finished.stderr)")
            #expect(try await Self.openings(in: household) == [1, 1], "\(point)")
            let keys = try Self.keys(of: household)
            #expect(keys.count == 1 && keys.first?.name != old, "\(point)")
            #expect(try household.strayFiles() == [], "\(point)")
            try await household.checkInvariants()
        }
        #expect(points > 20)
        print("key rotate: \(points) kill points")
    }

    @Test("Rotations at the same moment follow each other, and leave one key that opens everything")
    func atOnce() async throws {
        let household = try await Self.household()
        try await withThrowingTaskGroup(of: Program.Finished.self) { group in
            for _ in 0..<6 { group.addTask { try await household.foyer("key", "rotate") } }
            for try await finished in group { #expect(finished.exit == .code(0), "\(finished.stderr)") }
        }
        #expect(try await household.sqlite3("SELECT count(*) FROM events WHERE what = 'key changed'") == "6")
        #expect(try Self.keys(of: household).count == 1)
        #expect(try await Self.openings(in: household) == [1, 1])
        #expect(try household.strayFiles() == [])
        try await household.checkInvariants()
    }

    @Test("Wherever it is killed, the program goes on without another rotation, and delivers every password")
    func goesOn() async throws {
        let golden = try await Self.household()
        var number = 1
        while true {
            let point = try await KillPoint(number: number)
            let household = try Household(copying: golden)
            try await household.foyer("key", "rotate", adding: point.environment)
            let resumed = try await household.foyer("resume", lines: [Person.grace.answers[4]])
            #expect(resumed.exit == .code(0), "\(point): \(resumed.stderr)")
            try await household.foyer("sync")
            #expect(try await household.canSignIn(.ada), "\(point)")
            #expect(try await household.canSignIn(.grace), "\(point)")
            try await household.checkInvariants()
            guard try point.wasReached else { break }
            number += 5
        }
        #expect(number > 20)
    }
}
