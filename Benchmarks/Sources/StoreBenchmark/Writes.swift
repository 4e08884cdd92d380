import FoyerModel
import FoyerSQLite
import FoyerStore
import RawSQLite
import TestSupport

/// Work that writes: Foyer does it in one file, and the C side does the same statements, recorded before, in another.
struct Writes: Sendable {
    let scene: Scene
    let sizes: Sizes
    /// The files that both sides begin with.
    let template: String

    /// What a round does before the clock runs, and what is measured.
    private struct Round: Sendable {
        let setup: RawProgram
        let timed: RawProgram
    }

    typealias Setup = @Sendable (Int, Repositories) async throws -> SavedFlow
    typealias Work = @Sendable (SavedFlow, Int, Repositories) async throws -> SavedFlow

    func step() async throws -> Measurement {
        try await oneCaller(
            "answered step", goal: 0.65, { try await scene.begin($0, in: $1) },
            { try await scene.answer($0, $1, in: $2) })
    }

    func finish() async throws -> Measurement {
        try await oneCaller(
            "finish", goal: 0.50, { try await scene.almost($0, in: $1) }, { try await scene.finish($0, $1, in: $2) })
    }

    private func oneCaller(_ name: String, goal: Double, _ setup: Setup, _ work: Work) async throws -> Measurement {
        let rounds = try await record(setup, work)
        try scene.copy(template, to: "raw")
        try scene.copy(template, to: "foyer")
        let raw = try RawDatabase(scene.path("raw"))
        let store = try await scene.open("foyer")
        // The log is emptied after more than these.
        let count = sizes.transactions, fewEnough = min(20, count)
        let measurement = try await compare(
            name, against: "the same statements in C", goal: goal, rounds: sizes.rounds,
            raw: { round in
                try raw.run(rounds[round].setup)
                try raw.checkpoint()
                return try await seconds { try raw.run(rounds[round].timed) } / Double(count)
            },
            foyer: { round in
                var flows: [SavedFlow] = []
                for number in numbers(of: round) { flows.append(try await setup(number, store)) }
                try await store.checkpoint()
                var latencies = Latencies()
                let time = try await seconds {
                    for (flow, number) in zip(flows, numbers(of: round)) {
                        _ = try await latencies.measure { try await work(flow, number, store) }
                        if latencies.all.count == fewEnough {
                            latencies.logBytes = scene.logBytes("foyer") / Double(fewEnough)
                        }
                    }
                }
                return (time / Double(count), latencies)
            })
        try await store.close()
        return measurement
    }

    private func numbers(of round: Int) -> Range<Int> {
        round * sizes.transactions..<(round + 1) * sizes.transactions
    }

    /// Has Foyer do everything once, in a file that is thrown away, and notes the statements.
    private func record(_ setup: Setup, _ work: Work) async throws -> [Round] {
        try scene.copy(template, to: "recorded")
        raw_record("recorded.db")
        let store = try await scene.open("recorded")
        var ranges: [(Range<Int>, Range<Int>)] = []
        for round in 0..<sizes.rounds {
            let start = raw_recorded()
            var flows: [SavedFlow] = []
            for number in numbers(of: round) { flows.append(try await setup(number, store)) }
            let middle = raw_recorded()
            for (flow, number) in zip(flows, numbers(of: round)) { _ = try await work(flow, number, store) }
            ranges.append((start..<middle, middle..<raw_recorded()))
        }
        raw_record_stop()
        try await store.close()
        return try ranges.map { Round(setup: try RawProgram(recorded: $0), timed: try RawProgram(recorded: $1)) }
    }

    // MARK: Many callers

    private static let rows = Migration(
        version: 1, name: "rows", sql: "CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;")

    private static func database(_ path: String) async throws -> Database {
        try await Database.open(
            Database.Configuration(path: path, applicationID: 1, migrations: [rows]))
    }

    private static func insert(_ number: Int, in database: Database) async throws {
        let body = String(repeating: "body \(number) ", count: 24)
        try await database.write { _ = try $0.run("INSERT INTO rows (body) VALUES (?)", body) }
    }

    /// One-row transactions of one C thread: what the rates of many callers are measured with.
    private func oneRowProgram() async throws -> RawProgram {
        raw_record("rows-recorded.db")
        let database = try await Self.database(scene.path("rows-recorded"))
        let start = raw_recorded()
        for number in 0..<sizes.transactions { try await Self.insert(number, in: database) }
        let end = raw_recorded()
        raw_record_stop()
        try await database.close()
        return try RawProgram(recorded: start..<end)
    }

    func concurrentRows() async throws -> Measurement {
        let program = try await oneRowProgram()
        try await Self.database(scene.path("rows-raw")).close()
        let raw = try RawDatabase(scene.path("rows-raw"))
        let database = try await Self.database(scene.path("rows-foyer"))
        let count = sizes.concurrentWrites
        let measurement = try await compare(
            "64 concurrent one-row writes", against: "one-row transactions of one C thread", goal: 8,
            rounds: sizes.rounds,
            raw: { _ in
                try raw.checkpoint()
                return try await seconds { try raw.run(program) } / Double(sizes.transactions)
            },
            foyer: { _ in
                try await database.checkpoint()
                return try await timed(count) { try await Self.insert($0, in: database) }
            })
        try await database.close()
        return measurement
    }

    func concurrentFinishes() async throws -> Measurement {
        let program = try await oneRowProgram()
        try await Self.database(scene.path("rows-raw")).close()
        let raw = try RawDatabase(scene.path("rows-raw"))
        try scene.copy(template, to: "foyer")
        let store = try await scene.open("foyer")
        let count = sizes.concurrentWrites / 4
        let measurement = try await compare(
            "64 concurrent finishes", against: "one-row transactions of one C thread", goal: 4, rounds: sizes.rounds,
            raw: { _ in
                try raw.checkpoint()
                return try await seconds { try raw.run(program) } / Double(sizes.transactions)
            },
            foyer: { round in
                let flows = Shared(count: count)
                try await share(count, among: 64) { number in
                    flows.put(try await scene.almost(round * count + number, in: store), at: number)
                }
                try await store.checkpoint()
                return try await timed(count) { number in
                    guard let flow = flows.take(number) else { return }
                    _ = try await scene.finish(flow, round * count + number, in: store)
                }
            })
        try await store.close()
        return measurement
    }

    private func timed(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> (Double, Latencies) {
        let latencies = SharedLatencies()
        let time = try await seconds {
            try await share(count, among: 64) { number in
                var own = Latencies()
                try await own.measure { try await body(number) }
                latencies.add(own)
            }
        }
        return (time / Double(count), latencies.value)
    }

    // MARK: Import

    func bulkImport() async throws -> Measurement {
        let users = (0..<sizes.importedUsers).map(scene.person)
        raw_record("import-recorded.db")
        let recorded = try await scene.open("import-recorded")
        let start = raw_recorded()
        try await recorded.add(users)
        let end = raw_recorded()
        raw_record_stop()
        try await recorded.close()
        let program = try RawProgram(recorded: start..<end)
        try await scene.open("import-template").close()
        return try await compare(
            "import in one transaction", against: "the same statements in C", goal: 0.80,
            rounds: min(sizes.rounds, 7),
            raw: { _ in
                try scene.copy("import-template", to: "import-raw")
                let raw = try RawDatabase(scene.path("import-raw"))
                return try await seconds { try raw.run(program) } / Double(users.count)
            },
            foyer: { _ in
                try scene.copy("import-template", to: "import-foyer")
                let store = try await scene.open("import-foyer")
                let time = try await seconds { try await store.add(users) } / Double(users.count)
                try await store.close()
                return (time, Latencies())
            })
    }
}
