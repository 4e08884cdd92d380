import FoyerModel
import FoyerSQLite
import Synchronization

/// The clock of the queue: it counts on from a moment that stands in the database, so that all processes of a machine
/// agree on it, and setting the time of day changes nothing. After a restart of the machine it goes on from the time
/// of day, but never back.
final class QueueClock: Sendable {
    /// How far behind the mark in the database may lag; so much of the time can be lost with the machine.
    private static let markEvery = Duration.seconds(60)

    private struct Anchor {
        let wall: Timestamp
        let boot: Duration

        func time(at uptime: Duration) -> Timestamp { wall + (uptime - boot) }
    }

    private let environment: FoyerEnvironment
    private let known = Mutex<Anchor?>(nil)

    init(environment: FoyerEnvironment) {
        self.environment = environment
    }

    /// The present time, in any transaction.
    func now(in db: Connection) throws -> Timestamp {
        if let anchor = known.withLock({ $0 }) { return anchor.time(at: environment.uptime()) }
        return now(try stored(in: db))
    }

    private func now(_ row: Stored?) -> Timestamp {
        if let anchor = known.withLock({ $0 }) { return anchor.time(at: environment.uptime()) }
        guard let row else { return environment.now() }
        guard row.isOfThisBoot else { return max(environment.now(), row.highWater + Self.markEvery) }
        known.withLock { $0 = row.anchor }
        return row.anchor.time(at: environment.uptime())
    }

    /// The present time, in a transaction that writes: it anchors the clock where that is due, and marks how far it got.
    func mark(in db: Connection) throws -> Timestamp {
        let row = try stored(in: db)
        let now = now(row)
        guard let row, row.isOfThisBoot else {
            try anchor(at: now, in: db)
            return now
        }
        if now - row.highWater >= Self.markEvery {
            try db.run(
                "UPDATE queue_clock SET high_water = max(high_water, ?), high_wall = ?", now.milliseconds,
                environment.now().milliseconds)
        }
        return now
    }

    private func anchor(at now: Timestamp, in db: Connection) throws {
        // It counts for us, too, only once it was read back: this transaction may yet fail.
        try db.run(
            """
            INSERT INTO queue_clock (one, boot_id, wall_anchor, boot_anchor, high_water, high_wall)
            VALUES (1, ?1, ?2, ?3, ?2, ?4)
            ON CONFLICT (one) DO UPDATE SET boot_id = excluded.boot_id, wall_anchor = excluded.wall_anchor,
                boot_anchor = excluded.boot_anchor, high_water = excluded.high_water, high_wall = excluded.high_wall
            """,
            environment.bootID, now.milliseconds, environment.uptime().milliseconds, environment.now().milliseconds)
    }

    private typealias Stored = (anchor: Anchor, highWater: Timestamp, isOfThisBoot: Bool)

    private func stored(in db: Connection) throws -> Stored? {
        try db.first("SELECT boot_id, wall_anchor, boot_anchor, high_water FROM queue_clock") { row in
            let boot = Duration.milliseconds(try row.integer(2))
            // Without a name of the boot nobody can tell whether the machine was restarted meanwhile.
            let isOfThisBoot = try row.text(0) == environment.bootID && !environment.bootID.isEmpty
            return (
                Anchor(wall: try row.milliseconds(1), boot: boot), try row.milliseconds(3),
                isOfThisBoot && environment.uptime() >= boot
            )
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
