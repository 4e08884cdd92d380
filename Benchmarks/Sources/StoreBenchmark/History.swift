import FoyerModel
import FoyerStore
import Foundation
import TestSupport

/// The same work in a store with a long past: settled submissions and many people.
struct History: Sendable {
    static let name = "history"

    let scene: Scene
    let sizes: Sizes

    /// Makes the store with a past, once.
    func make() async throws {
        guard !FileManager.default.fileExists(atPath: scene.path(Self.name)) else { return }
        try await Reads.fill(scene, people: sizes.users, name: Self.name)
        let rows = sizes.settledRows
        let sql = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows))
            INSERT INTO submissions (id, kind, lane, due_at, body, created_at)
            SELECT printf('01900000-0000-7000-8000-%012x', n), 'register', printf('lane %d', n), n,
                '{"fields":{"email_field":"person' || n || '@example.org"},"schema":1}', '2026-01-01T00:00:00.000Z'
            FROM numbers;
            UPDATE submissions SET state = 'accepted', claims = 1, fence = 1, settled_at = '2026-01-01T00:00:01.000Z',
                forget_after = 9000000000000;
            COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
            """
        let finished = try await Program("sqlite3", [scene.path(Self.name)]).run(input: .text(sql))
        guard finished.exit == .code(0) else { throw Failure(finished.stderr) }
    }

    /// How fast Foyer is there, against an empty store.
    func all() async throws -> [Measurement] {
        try await make()
        return [
            try await compared("answered step", { try await scene.begin($0, in: $1) }) {
                try await scene.answer($0, $1, in: $2)
            },
            try await compared("finish", { try await scene.almost($0, in: $1) }) {
                try await scene.finish($0, $1, in: $2)
            },
            try await reads(),
            try await drains(),
        ]
    }

    private func compared(
        _ name: String, _ setup: @escaping Writes.Setup, _ work: @escaping Writes.Work
    ) async throws -> Measurement {
        try scene.copy("empty", to: "young")
        let young = try await scene.open("young"), old = try await scene.open(Self.name)
        let count = sizes.transactions
        let time: @Sendable (Int, AccountStore) async throws -> Double = { round, store in
            var flows: [SavedFlow] = []
            let numbers = round * count..<(round + 1) * count
            for number in numbers { flows.append(try await setup(number, store)) }
            try await store.checkpoint()
            return try await seconds {
                for (flow, number) in zip(flows, numbers) { _ = try await work(flow, number, store) }
            } / Double(count)
        }
        let measurement = try await compare(
            "\(name), with history", against: "an empty store", goal: 0.9, rounds: sizes.rounds,
            raw: { try await time($0, young) }, foyer: { (try await time($0, old), Latencies()) })
        try await young.close()
        try await old.close()
        return measurement
    }

    private func reads() async throws -> Measurement {
        let few = min(1000, sizes.users)
        try await Reads.fill(scene, people: few, name: "young-read")
        let young = try await scene.open("young-read"), old = try await scene.open(Self.name)
        let time: @Sendable (AccountStore, Int) throws -> Double = { store, people in
            let start = ContinuousClock.now
            for number in 0..<sizes.reads {
                _ = try store.users(email: "person\(number % 200 * (people / 200) % people)@example.org")
            }
            return (ContinuousClock.now - start) / .seconds(1) / Double(sizes.reads)
        }
        let measurement = try await compare(
            "point read, with history", against: "a small store", goal: 0.9, rounds: sizes.rounds,
            raw: { _ in try time(young, few) }, foyer: { _ in (try time(old, sizes.users), Latencies()) })
        try await young.close()
        try await old.close()
        return measurement
    }

    private func drains() async throws -> Measurement {
        let drain = Drain(scene: scene, sizes: sizes)
        try scene.copy("empty", to: "young")
        return try await compare(
            "drain, with history", against: "an empty store", goal: 0.9, rounds: min(sizes.rounds, 5),
            raw: { try await drain.once("young", $0) },
            foyer: { (try await drain.once(Self.name, $0 + 1000), Latencies()) })
    }
}
