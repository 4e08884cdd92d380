/// What the clocks of the machine say at one moment.
package struct ClockReading: Sendable {
    /// The time of day: anybody can set it.
    package let wall: Timestamp
    /// The time since the machine was started: nobody can set it.
    package let uptime: Duration
    /// Names this run of the machine; empty where it is not known.
    package let bootID: String

    /// Makes the value.
    package init(wall: Timestamp, uptime: Duration, bootID: String) {
        self.wall = wall
        self.uptime = uptime
        self.bootID = bootID
    }
}

/// The present moment by the time of day, and by the queue's clock.
package struct Moment: Sendable, Equatable {
    /// The time of day.
    package let wall: Timestamp
    /// The queue's time.
    package let time: Timestamp
    /// How far the time of day is ahead.
    private let lead: Duration

    /// Makes the value.
    package init(wall: Timestamp, time: Timestamp) { self.init(wall: wall, time: time, lead: wall - time) }

    fileprivate init(wall: Timestamp, time: Timestamp, lead: Duration) {
        self.wall = wall
        self.time = time
        self.lead = lead
    }

    /// What the time of day is, as it is set now, at a moment of the queue's clock.
    package func wall(at time: Timestamp) -> Timestamp { time + lead }
}

/// What is kept of the queue's clock, and what it says from then on: the one place that decides how time is counted.
///
/// While the machine runs, its uptime counts. Between two runs only the time of day can tell how much time has passed.
/// Up to a day it is believed. A longer jump may be a clock that is wrong: it is not counted until as much time has
/// passed again, or a person has confirmed it; then only what is older than the jump ages by it. So nothing expires
/// before the store has seen half of its time pass, however the clock is set.
package struct ClockRecord: Equatable, Sendable {
    /// How much may pass between two runs of the machine without a doubt.
    package static let longestGap = Duration.seconds(86400)
    /// How far the record may lag behind the clock; the clock is sure to be past it after a restart.
    private static let lag = Duration.seconds(60)

    /// The run of the machine that the anchor belongs to.
    package var bootID: String
    /// The queue's time at the anchor.
    package var anchor: Timestamp
    /// The machine's uptime at the anchor.
    package var uptimeAtAnchor: Duration
    /// The queue's time at the last mark.
    package var highWater: Timestamp
    /// The time of day at the last mark.
    package var highWall: Timestamp
    /// The jumps that are not counted yet.
    package var uncounted: Duration
    /// The queue's time when the first of them was found.
    package var uncountedSince: Timestamp

    /// Makes the value.
    package init(
        bootID: String, anchor: Timestamp, uptimeAtAnchor: Duration, highWater: Timestamp, highWall: Timestamp,
        uncounted: Duration, uncountedSince: Timestamp
    ) {
        self.bootID = bootID
        self.anchor = anchor
        self.uptimeAtAnchor = uptimeAtAnchor
        self.highWater = highWater
        self.highWall = highWall
        self.uncounted = uncounted
        self.uncountedSince = uncountedSince
    }

    /// The record of a clock that starts, at the time of day as it is set.
    package init(startingAt reading: ClockReading) {
        self.init(
            bootID: reading.bootID, anchor: reading.wall, uptimeAtAnchor: reading.uptime, highWater: reading.wall,
            highWall: reading.wall, uncounted: .zero, uncountedSince: reading.wall)
    }

    /// Whether the machine still runs since the anchor; without a name of the run nobody can tell.
    package func isOfRun(_ reading: ClockReading) -> Bool {
        bootID == reading.bootID && !bootID.isEmpty && reading.uptime >= uptimeAtAnchor
    }

    /// What the clock says.
    package func time(at reading: ClockReading) -> Timestamp {
        if isOfRun(reading) { return anchor + (reading.uptime - uptimeAtAnchor) }
        let gap = reading.wall - highWall
        let counted = gap > Self.longestGap + Self.lag ? .zero : max(.zero, gap)
        // Without a name of the run each mark is the last moment, and lags behind nothing.
        return highWater + (bootID.isEmpty ? counted : max(counted, Self.lag))
    }

    /// By how much the time of day has gone another way than the queue's clock since the last mark.
    package func drift(at reading: ClockReading) -> Duration {
        (reading.wall - highWall) - (time(at: reading) - highWater)
    }

    /// The present moment by both clocks. A lead that is nearly that of the last mark is the same: the clocks are never
    /// read at quite the same instant.
    package func moment(at reading: ClockReading) -> Moment {
        let time = time(at: reading)
        let isSteady = drift(at: reading).magnitude < .seconds(1)
        return Moment(wall: reading.wall, time: time, lead: isSteady ? highWall - highWater : reading.wall - time)
    }

    /// What a look at the clocks makes of the record.
    package struct Turn: Equatable, Sendable {
        /// The record from now on.
        package let record: ClockRecord
        /// How the time of day has jumped since the last mark; nil when it has not by more than a day.
        package let jump: ClockJump?
        /// The record whose uncounted jumps are confirmed by the time that has passed since; nil when none are.
        package let confirmed: ClockRecord?
    }

    /// The record after a look at the clocks.
    package func turned(at reading: ClockReading) -> Turn {
        let time = time(at: reading), drift = drift(at: reading), isOfRun = isOfRun(reading)
        var next = self
        if !isOfRun { (next.bootID, next.anchor, next.uptimeAtAnchor) = (reading.bootID, time, reading.uptime) }
        next.highWater = max(highWater, time)
        next.highWall = reading.wall
        guard drift.magnitude > Self.longestGap else { return next.confirmingByTime(jump: nil) }
        if drift < .zero {
            // The clock was wrong then, or is now: what it said between two runs is not believed any more.
            next.uncounted = .zero
        } else if !isOfRun {
            if uncounted == .zero { next.uncountedSince = next.highWater }
            next.uncounted += drift
        }
        return next.confirmingByTime(jump: ClockJump(by: drift, mayHavePassed: !isOfRun && drift > .zero))
    }

    private func confirmingByTime(jump: ClockJump?) -> Turn {
        guard uncounted > .zero, highWater - uncountedSince >= uncounted else {
            return Turn(record: self, jump: jump, confirmed: nil)
        }
        var record = self
        record.uncounted = .zero
        return Turn(record: record, jump: jump, confirmed: self)
    }
}

/// A jump of the time of day by more than a day, while the store looked elsewhere.
public struct ClockJump: Equatable, Sendable {
    /// By how much the time of day is ahead of what was expected; negative when it went back.
    public let by: Duration
    /// Whether the machine was restarted meanwhile, so that so much time may indeed have passed.
    public let mayHavePassed: Bool

    /// Makes the value.
    package init(by: Duration, mayHavePassed: Bool) {
        self.by = by
        self.mayHavePassed = mayHavePassed
    }

    /// Such as `+32 days`.
    package var detail: String {
        // To the nearest day: two clocks that are read one after the other are milliseconds apart.
        let days = Int((by / .seconds(86400)).rounded())
        return "\(days < 0 ? "" : "+")\(days) days"
    }
}

extension Duration {
    /// The duration without its sign.
    package var magnitude: Duration { self < .zero ? .zero - self : self }

    /// Whole milliseconds; those at the edges of `Int64` where there are more.
    package var milliseconds: Int64 { (Timestamp(milliseconds: 0) + self).milliseconds }
}
