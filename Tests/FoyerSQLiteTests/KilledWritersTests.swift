import Foundation
import FoyerSQLite
import TestSupport
import Testing

/// What is acknowledged and what is refused, when the program is killed among 64 writers; `Scripts/kill-writers` does it
/// 10,000 times.
@Suite(.timeLimit(.minutes(60))) struct KilledWritersTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["WRITER_KILLS"].flatMap { Int($0) } ?? 100
    private static let seed =
        environment["WRITER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<900_000_000)
    /// So many kills hit one file.
    private static let killsPerFile = 200

    @Test(
        "Every acknowledged write of 64 callers is there whole after a kill, and no refused one", arguments: [seed])
    func kills(seed: UInt64) async throws {
        var acknowledged = 0, refused = 0, unknown = 0
        for first in stride(from: 0, to: Self.kills, by: Self.killsPerFile) {
            let scratch = try Scratch()
            var kept: [Int64: Int64] = [:]
            for kill in first..<min(first + Self.killsPerFile, Self.kills) {
                let told = try await Self.outcomes(seed: seed + UInt64(kill), at: scratch.path)
                let found = try Self.pairs(scratch.path).filter { kept[$0.key] == nil }
                #expect(told.wrong == [], "seed \(seed + UInt64(kill))")
                #expect(found.values.allSatisfy { $0 == 2 }, "half a pair; seed \(seed + UInt64(kill))")
                #expect(told.acknowledged.subtracting(found.keys) == [], "seed \(seed + UInt64(kill))")
                #expect(told.refused.intersection(found.keys) == [], "seed \(seed + UInt64(kill))")
                // What was under way may be there or not; more than one of each caller cannot have been.
                let untold = Set(found.keys).subtracting(told.acknowledged)
                #expect(untold.count <= 64, "seed \(seed + UInt64(kill))")
                kept.merge(found) { $1 }
                acknowledged += told.acknowledged.count
                refused += told.refused.count
                unknown += untold.count
            }
            // What one kill has left is not harmed by the next ones.
            #expect(try Self.pairs(scratch.path) == kept)
            let db = try stranger(scratch.path)
            #expect(try db.rows("PRAGMA integrity_check") { try $0.text(0) } == ["ok"])
        }
        #expect(acknowledged > Self.kills && refused > Self.kills)
        print(
            "\(Self.kills) kills, seed \(seed): \(acknowledged) acknowledged, \(refused) refused, "
                + "\(unknown) written and not acknowledged any more")
    }

    private struct Told {
        var acknowledged: Set<Int64> = []
        var refused: Set<Int64> = []
        var wrong: [String] = []
    }

    /// Has the program write until it kills itself.
    private static func outcomes(seed: UInt64, at path: String) async throws -> Told {
        let finished = try await Program(try builtProduct("KilledWriters"), [path, "\(seed)"]).run()
        guard finished.exit == .signal(SIGKILL) else { throw Failure("\(finished)") }
        var told = Told()
        for line in finished.stdout.split(separator: "\n") {
            guard let id = Int64(line.dropFirst()) else { throw Failure("\(line)") }
            switch line.first {
            case "+": told.acknowledged.insert(id)
            case "-": told.refused.insert(id)
            default: told.wrong.append(String(line))
            }
        }
        return told
    }

    /// How many rows each pair has.
    private static func pairs(_ path: String) throws -> [Int64: Int64] {
        let db = try stranger(path, timeout: .seconds(10))
        let rows = try db.rows("SELECT id, count(*) FROM pairs GROUP BY id") { (try $0.integer(0), try $0.integer(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
