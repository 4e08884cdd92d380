package import FoyerModel
package import FoyerSQLite
import Synchronization

/// The clock of the queue, by which everything expires, falls due and is leased. It counts the time that the store has
/// seen pass: all processes of a machine agree on it, and setting the time of day changes nothing.
///
/// What it says is decided by `ClockRecord`, which lies in the table `queue_clock`; here it is read and written.
package final class QueueClock: Sendable {
    /// How far behind the mark in the database may lag; so much of the time can be lost with the machine.
    package static let markEvery = Duration.seconds(60)
    /// By how much the time of day may drift from the mark before the mark is made anew.
    private static let drift = Duration.seconds(1)

    private let environment: FoyerEnvironment
    /// The record as it was read last, if it is of this run of the machine.
    private let known = Mutex<ClockRecord?>(nil)

    package init(environment: FoyerEnvironment) {
        self.environment = environment
    }

    /// The present time, in any transaction.
    package func now(in db: Connection) throws -> Timestamp { try moment(in: db).time }

    /// The present time by both clocks, in any transaction.
    package func moment(in db: Connection) throws -> Moment {
        let reading = ClockReading(environment)
        guard let record = try knownRecord(reading) ?? ClockRecord(in: db) else {
            return Moment(wall: reading.wall, time: reading.wall)
        }
        remember(record, at: reading)
        return record.moment(at: reading)
    }

    /// The present time, in a transaction that writes: it anchors the clock where that is due, and marks how far it got.
    @discardableResult
    package func mark(in db: Connection) throws -> Moment {
        let reading = ClockReading(environment)
        if let known = knownRecord(reading) {
            let moment = known.moment(at: reading)
            let isFresh = moment.time - known.highWater < Self.markEvery
            if isFresh, known.drift(at: reading).magnitude < Self.drift { return moment }
        }
        guard let record = try ClockRecord(in: db) else {
            // It counts for us, too, only once it was read back: this transaction may yet fail.
            try ClockRecord(startingAt: reading).put(in: db)
            return Moment(wall: reading.wall, time: reading.wall)
        }
        remember(record, at: reading)
        let time = record.time(at: reading), turn = record.turned(at: reading)
        let isDue = time - record.highWater >= Self.markEvery || record.drift(at: reading).magnitude >= Self.drift
        guard isDue || !record.isOfRun(reading) else { return record.moment(at: reading) }
        try turn.record.put(in: db)
        if let jump = turn.jump {
            try Events.add(.clockJumped(jump.detail), at: reading.wall, in: db)
        }
        if let confirmed = turn.confirmed {
            try Ageing.age(what: confirmed.uncountedSince, by: confirmed.uncounted, at: reading.wall, in: db)
        }
        return turn.record.moment(at: reading)
    }

    /// How the time of day has jumped since it was marked last; nil when it has not, or when nothing was ever marked.
    func jump(in db: Connection) throws -> ClockJump? {
        let reading = ClockReading(environment)
        return try ClockRecord(in: db)?.turned(at: reading).jump
    }

    /// The jumps that are not counted yet.
    func uncounted(in db: Connection) throws -> Duration { try ClockRecord(in: db)?.uncounted ?? .zero }

    /// Counts the jumps that are not counted yet: whatever was there before them ages by as much.
    /// - Returns: how much that is.
    func confirm(in db: Connection) throws -> Duration {
        let now = try mark(in: db)
        guard var record = try ClockRecord(in: db), record.uncounted > .zero else { return .zero }
        let counted = record.uncounted
        try Ageing.age(what: record.uncountedSince, by: counted, at: now.wall, in: db)
        record.uncounted = .zero
        try record.put(in: db)
        return counted
    }

    private func knownRecord(_ reading: ClockReading) -> ClockRecord? {
        known.withLock { $0 }.flatMap { $0.isOfRun(reading) ? $0 : nil }
    }

    private func remember(_ record: ClockRecord, at reading: ClockReading) {
        if record.isOfRun(reading) { known.withLock { $0 = record } }
    }
}

extension ClockReading {
    fileprivate init(_ environment: FoyerEnvironment) {
        self.init(wall: environment.now(), uptime: environment.uptime(), bootID: environment.bootID)
    }
}

extension ClockRecord {
    package init?(in db: Connection) throws {
        let record = try db.first(
            """
            SELECT boot_id, wall_anchor, boot_anchor, high_water, high_wall, uncounted, uncounted_since
            FROM queue_clock
            """
        ) { row in
            ClockRecord(
                bootID: try row.text(0), anchor: try row.milliseconds(1),
                uptimeAtAnchor: .milliseconds(try row.integer(2)), highWater: try row.milliseconds(3),
                highWall: try row.milliseconds(4), uncounted: .milliseconds(try row.integer(5)),
                uncountedSince: try row.milliseconds(6))
        }
        guard let record else { return nil }
        self = record
    }

    func put(in db: Connection) throws {
        try db.run(
            """
            INSERT INTO queue_clock (one, boot_id, wall_anchor, boot_anchor, high_water, high_wall, uncounted,
                uncounted_since)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (one) DO UPDATE SET boot_id = excluded.boot_id, wall_anchor = excluded.wall_anchor,
                boot_anchor = excluded.boot_anchor, high_water = excluded.high_water, high_wall = excluded.high_wall,
                uncounted = excluded.uncounted, uncounted_since = excluded.uncounted_since
            """,
            bootID, anchor.milliseconds, uptimeAtAnchor.milliseconds, highWater.milliseconds, highWall.milliseconds,
            uncounted.milliseconds, uncountedSince.milliseconds)
    }
}
