import FoyerSQLite
import Synchronization
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Usage: KilledWriters PATH SEED
///
/// 64 callers write at the same time, each pair of rows in a write of its own, until the program kills itself at a
/// moment that the seed names. Many writes fail, in different ways. Each outcome is told in a line as soon as it is
/// known: `+ID` for a pair that is on the disk, `-ID` for one that is not, `?ID` where it should have been the other.
@main
struct KilledWriters {
    private static let callers = 64
    private static let schema = Migration(
        version: 1, name: "pairs",
        sql: """
            CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE pairs (
                id INTEGER NOT NULL, half INTEGER NOT NULL,
                parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED,
                PRIMARY KEY (id, half)) STRICT;
            """)

    static func main() async throws {
        guard CommandLine.arguments.count == 3, let seed = UInt64(CommandLine.arguments[2]) else { exit(64) }
        let database = try await Database.open(
            Database.Configuration(path: CommandLine.arguments[1], applicationID: 1, migrations: [schema]))
        let fate = Fate(seed: seed)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers { group.addTask { while true { await write(fate.next(), to: database, fate) } } }
        }
    }

    private static func write(_ attempt: Attempt, to database: Database, _ fate: Fate) async {
        var isKept = true
        do {
            try await database.write { db in
                try attempt.run(in: db) { if fate.isInside(attempt) { die() } }
            }
        } catch {
            isKept = false
        }
        let sign = isKept == (attempt.deed == .kept) ? (isKept ? "+" : "-") : "?"
        tell("\(sign)\(attempt.id)\n")
        if fate.isReached() { die() }
    }

    private static func tell(_ line: String) {
        let bytes = Array(line.utf8)
        // One call: what stands in the pipe are whole lines.
        guard systemWrite(bytes) == bytes.count else { exit(74) }
    }

    private static func die() { kill(getpid(), SIGKILL) }
}

private func systemWrite(_ bytes: [UInt8]) -> Int { write(1, bytes, bytes.count) }

/// A pair of rows, and what shall become of it.
private struct Attempt: Sendable {
    /// How a write ends: as it should, or in one of the ways in which it can fail.
    enum Deed: Sendable {
        case kept
        /// The caller changes its mind.
        case thrown
        /// A statement fails.
        case doubled
        /// The commit fails.
        case dangling
        /// SQLite gives up the whole transaction.
        case rolledBack
    }

    struct Refused: Error {}

    let number: Int
    let id: Int64
    let deed: Deed

    /// - Parameter halfway: called between the two rows.
    func run(in db: Connection, halfway: () -> Void) throws {
        try db.run("INSERT INTO pairs (id, half) VALUES (?, 0)", id)
        halfway()
        switch deed {
        case .doubled: try db.run("INSERT INTO pairs (id, half) VALUES (?, 0)", id)
        case .dangling: try db.run("INSERT INTO pairs (id, half, parent) VALUES (?, 1, 1)", id)
        case .rolledBack: try db.run("INSERT OR ROLLBACK INTO pairs (id, half) VALUES (?, 0)", id)
        case .kept, .thrown: try db.run("INSERT INTO pairs (id, half) VALUES (?, 1)", id)
        }
        if deed == .thrown { throw Refused() }
    }
}

/// What the seed has in store: which write fails, and when the program ends.
private final class Fate: Sendable {
    private struct State {
        var random: SeededRandom
        var attempts = 0
        var outcomes = 0
    }

    private let firstID: Int64
    private let moment: Int
    private let isHalfway: Bool
    private let state: Mutex<State>

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        moment = random.below(400)
        isHalfway = random.isIn(500)
        firstID = Int64(seed % 1_000_000_000) * 1_000_000
        state = Mutex(State(random: random))
    }

    func next() -> Attempt {
        state.withLock { state in
            defer { state.attempts += 1 }
            let deed: Attempt.Deed =
                switch state.random.below(100) {
                case 0..<70: .kept
                case 70..<85: .thrown
                case 85..<96: .doubled
                case 96..<98: .dangling
                default: .rolledBack
                }
            return Attempt(number: state.attempts, id: firstID + Int64(state.attempts), deed: deed)
        }
    }

    /// Whether the program ends in the middle of this write.
    func isInside(_ attempt: Attempt) -> Bool { isHalfway && attempt.number == moment }

    /// Whether it ends now that one more outcome is told.
    func isReached() -> Bool {
        state.withLock { state in
            state.outcomes += 1
            return !isHalfway && state.outcomes > moment
        }
    }
}
