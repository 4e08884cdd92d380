import FoyerModel
import FoyerStore
import Foundation
import TestSupport

/// What single pieces of work cost in a store of some size, in microseconds.
struct Growth: Sendable {
    let people: Int
    let step: Double
    let finish: Double
    let read: Double
}

/// The same work in a store with a long past: settled submissions and many people.
struct History: Sendable {
    static let name = "history"

    let scene: Scene
    let sizes: Sizes

    /// Whether there is a store with a past already.
    var isMade: Bool { FileManager.default.fileExists(atPath: scene.path(Self.name)) }

    /// Makes the store with a past, and measures what work costs on the way there.
    func grow() async throws -> [Growth] {
        var growth: [Growth] = [], people = 0
        for size in [1000, 10_000, 100_000, sizes.users] where size > people && size <= sizes.users {
            try await Reads.fill(scene, people: people..<size, name: Self.name)
            let settled = { people in people * sizes.settledRows / sizes.users }
            try await settle(settled(people)..<settled(size))
            people = size
            growth.append(try await cost(people))
        }
        return growth
    }

    private func settle(_ rows: Range<Int>) async throws {
        let sql = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;
            WITH RECURSIVE numbers (n) AS
                (SELECT \(rows.lowerBound + 1) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows.upperBound))
            INSERT INTO submissions (id, kind, endpoint, lane, due_at, body, created_at)
            SELECT printf('01900000-0000-7000-8000-%012x', n), 'register', 'instant', printf('lane %d', n), n,
                '{"fields":{"email_field":"person' || n || '@example.org"},"schema":1}', '2026-01-01T00:00:00.000Z'
            FROM numbers;
            UPDATE submissions SET state = 'accepted', claims = 1, fence = 1, settled_at = '2026-01-01T00:00:01.000Z',
                forget_after = 9000000000000 WHERE state = 'ready' AND lane LIKE 'lane %';
            COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
            """
        let finished = try await Program("sqlite3", [scene.path(Self.name)]).run(input: .text(sql))
        guard finished.exit == .code(0) else { throw Failure(finished.stderr) }
    }

    private func cost(_ people: Int) async throws -> Growth {
        let store = try await scene.open(Self.name)
        let count = sizes.transactions
        var begun: [SavedFlow] = [], almost: [SavedFlow] = []
        for number in 0..<count {
            begun.append(try await scene.begin(people + number, in: store))
            almost.append(try await scene.almost(people + count + number, in: store))
        }
        try await store.checkpoint()
        var steps = Latencies(), finishes = Latencies()
        for number in 0..<count {
            _ = try await steps.measure { try await scene.answer(begun[number], number, in: store) }
            _ = try await finishes.measure { try await scene.finish(almost[number], number, in: store) }
        }
        let reads = try readSeconds(store, people)
        try await store.close()
        return Growth(
            people: people, step: median(steps.all) * 1e6, finish: median(finishes.all) * 1e6, read: reads * 1e6)
    }

    /// The seconds of one reading, of people spread over the store.
    private func readSeconds(_ store: Repositories, _ people: Int) throws -> Double {
        let start = ContinuousClock.now
        for number in 0..<sizes.reads {
            _ = try store.users(email: "person\(number % 200 * max(1, people / 200) % people)@example.org")
        }
        return (ContinuousClock.now - start) / .seconds(1) / Double(sizes.reads)
    }

    /// How fast Foyer is there, against an empty store.
    func all() async throws -> [Measurement] {
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
        let time: @Sendable (Int, Repositories) async throws -> Double = { round, store in
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
        try await Reads.fill(scene, people: 0..<few, name: "young-read")
        let young = try await scene.open("young-read"), old = try await scene.open(Self.name)
        let measurement = try await compare(
            "point read, with history", against: "a small store", goal: 0.9, rounds: sizes.rounds,
            raw: { _ in try readSeconds(young, few) },
            foyer: { _ in (try readSeconds(old, sizes.users), Latencies()) })
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
