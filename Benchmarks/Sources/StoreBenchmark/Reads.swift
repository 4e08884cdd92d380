import FoyerModel
import FoyerStore
import RawSQLite
import TestSupport

/// Reading one person by the e-mail address, from a store that lies in memory by then.
struct Reads: Sendable {
    let scene: Scene
    let sizes: Sizes
    /// How many people the store has.
    let people: Int

    private static let distinct = 200

    /// Adds people with these numbers to a store.
    static func fill(_ scene: Scene, people: Range<Int>, name: String) async throws {
        let store = try await scene.open(name)
        for start in stride(from: people.lowerBound, to: people.upperBound, by: 50_000) {
            try await store.add((start..<min(start + 50_000, people.upperBound)).map(scene.person))
        }
        try await store.close()
    }

    private func email(_ number: Int) -> String {
        "person\(number % Self.distinct * (people / min(people, Self.distinct)) % people)@example.org"
    }

    /// The readings in C: one thread reads as often as Foyer does.
    private func program(_ name: String) async throws -> RawProgram {
        raw_record("\(name).db")
        let store = try await scene.open(name)
        _ = try store.users(email: email(0))
        let start = raw_recorded()
        for number in 0..<Self.distinct { _ = try store.users(email: email(number)) }
        let end = raw_recorded()
        raw_record_stop()
        try await store.close()
        return try RawProgram(recorded: start..<end)
    }

    private func rawSeconds(_ raw: RawDatabase, _ program: RawProgram) throws -> Double {
        let times = max(1, sizes.reads / Self.distinct)
        let start = ContinuousClock.now
        for _ in 0..<times { try raw.run(program) }
        return (ContinuousClock.now - start) / .seconds(1) / Double(times * Self.distinct)
    }

    func all(_ name: String) async throws -> [Measurement] {
        let program = try await program(name)
        let store = try await scene.open(name)
        let raw = try RawDatabase(scene.path(name), queryOnly: true)
        _ = try rawSeconds(raw, program)
        var found: [Measurement] = []
        found.append(
            try await measure("point read on the caller's thread", 0.75, raw, program) {
                try inPlace(store, 0..<sizes.reads)
            })
        found.append(
            try await measure("point read from an async caller", 0.35, raw, program) {
                for number in 0..<sizes.reads { _ = try await asynchronously(store, number) }
            })
        found.append(
            try await measure("point reads from 8 tasks", 0.45, raw, program) {
                try await share(sizes.reads, among: 8) { _ = try await asynchronously(store, $0) }
            })
        found.append(try await twoReaders(store))
        try await store.close()
        return found
    }

    private func measure(
        _ name: String, _ goal: Double, _ raw: RawDatabase, _ program: RawProgram, _ work: () async throws -> Void
    ) async throws -> Measurement {
        try await compare(
            name, against: "the same queries of one C thread", goal: goal, rounds: sizes.rounds,
            raw: { _ in try rawSeconds(raw, program) },
            foyer: { _ in (try await seconds(work) / Double(sizes.reads), Latencies()) })
    }

    /// As who has the repository behind its protocol calls it.
    private func asynchronously(_ users: any UserRepository, _ number: Int) async throws -> [User] {
        try await users.users(email: email(number))
    }

    private func inPlace(_ store: Repositories, _ numbers: Range<Int>) throws {
        for number in numbers { _ = try store.users(email: email(number)) }
    }

    private func twoReaders(_ store: Repositories) async throws -> Measurement {
        let half = sizes.reads / 2
        return try await compare(
            "two readers", against: "one reader of Foyer", goal: 1.6, rounds: sizes.rounds,
            raw: { _ in try await seconds { try inPlace(store, 0..<sizes.reads) } / Double(sizes.reads) },
            foyer: { _ in
                let time = try await seconds {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for reader in 0..<2 {
                            group.addTask { try inPlace(store, reader * half..<(reader + 1) * half) }
                        }
                        try await group.waitForAll()
                    }
                }
                return (time / Double(half * 2), Latencies())
            })
    }
}
