import FoyerModel
import TestSupport
import Testing

@Suite struct ClockRecordTests {
    private static let start = Timestamp(milliseconds: 1_767_323_045_000)
    private static let day: Int64 = 86400

    /// The record of a machine that was started a quarter of an hour ago, and what it reads later.
    private static let record = ClockRecord(startingAt: reading(0))

    private static func reading(_ wall: Int64, uptime: Int64 = 0, boot: String = "a") -> ClockReading {
        ClockReading(wall: start + .seconds(wall), uptime: .seconds(900 + uptime), bootID: boot)
    }

    private static func seconds(_ time: Timestamp) -> Int64 { (time - start).components.seconds }

    @Test(
        "While the machine runs, its uptime counts, whatever the time of day says",
        arguments: [-40 * 365 * day, -day, -3600, 0, 3600, day, 32 * day, 10 * 365 * day])
    func running(wall: Int64) {
        let turn = Self.record.turned(at: Self.reading(wall, uptime: 600))
        #expect(Self.seconds(turn.record.highWater) == 600 && turn.record.uncounted == .zero && turn.confirmed == nil)
        let jump = wall - 600
        #expect(turn.jump == (abs(jump) > Self.day ? ClockJump(by: .seconds(jump), mayHavePassed: false) : nil))
    }

    @Test(
        "Between two runs up to a day counts, nothing counts back, and more than a day waits",
        arguments: [
            (-40 * 365 * day, 60, 0), (-day + 60, 60, 0), (0, 60, 0), (59, 60, 0), (61, 61, 0), (day, day, 0),
            (2 * day, 60, 2 * day - 60), (3650 * day, 60, 3650 * day - 60),
        ] as [(Int64, Int64, Int64)])
    func restarted(wall: Int64, counted: Int64, waiting: Int64) {
        let turn = Self.record.turned(at: Self.reading(wall, uptime: -890, boot: "b"))
        #expect(Self.seconds(turn.record.highWater) == counted && turn.record.uncounted == .seconds(waiting))
        #expect(turn.jump?.mayHavePassed == (waiting > 0 ? true : wall < -Self.day ? false : nil))
    }

    @Test("A jump is confirmed when as much time has passed again, and not before")
    func confirmed() {
        let found = Self.record.turned(at: Self.reading(3 * Self.day, uptime: -890, boot: "b")).record
        func later(_ seconds: Int64) -> ClockRecord.Turn {
            found.turned(at: Self.reading(3 * Self.day + seconds, uptime: seconds - 890, boot: "b"))
        }
        #expect(later(3 * Self.day - 61).confirmed == nil)
        let turn = later(3 * Self.day - 60)
        #expect(turn.confirmed?.uncounted == .seconds(3 * Self.day - 60) && turn.record.uncounted == .zero)
        #expect(turn.confirmed?.uncountedSince == found.uncountedSince)
    }

    @Test("A jump is forgotten when the clock goes back again", arguments: [true, false])
    func withdrawn(restarted: Bool) {
        let found = Self.record.turned(at: Self.reading(32 * Self.day, uptime: -890, boot: "b")).record
        #expect(found.uncounted > .seconds(31 * Self.day))
        let back = found.turned(at: Self.reading(60, uptime: -800, boot: restarted ? "c" : "b"))
        #expect(back.record.uncounted == .zero && back.confirmed == nil)
    }

    @Test("Without a name of the run, the time of day counts from mark to mark, and is never gone back")
    func nameless() {
        var record = ClockRecord(startingAt: Self.reading(0, boot: ""))
        for (wall, expected) in [(10, 10), (20, 20), (-500, 20), (-490, 30), (10 * Self.day, 30)] as [(Int64, Int64)] {
            record = record.turned(at: Self.reading(wall, boot: "")).record
            #expect(Self.seconds(record.highWater) == expected)
        }
    }

    @Test(
        "Whatever happens to the clocks, the queue's clock never goes back, and nothing counts that was not half seen")
    func any() {
        let seed = UInt64.random(in: 1...999_999)
        var random = SeededRandom(seed: seed)
        var wall = Self.start, uptime = Duration.seconds(900), boot = 1, seen = Duration.zero
        var record = Self.record, seenAtJump = Duration.zero
        for step in 0..<20_000 {
            switch random.below(10) {
            case 0: wall = wall + .seconds(random.below(4_000_000_000) - 2_000_000_000)
            case 1: (boot, uptime) = (boot + 1, .zero)
            default:
                let time = Duration.seconds(random.below(200_000))
                (wall, uptime, seen) = (wall + time, uptime + time, seen + time)
            }
            let reading = ClockReading(wall: wall, uptime: uptime, bootID: "boot \(boot)")
            let turn = record.turned(at: reading), comment: Comment = "seed \(seed), step \(step)"
            #expect(turn.record.highWater >= record.highWater, comment)
            if record.uncounted == .zero { seenAtJump = seen }
            if let confirmed = turn.confirmed {
                // A restart counts a minute, and up to a day, that nobody has seen.
                #expect(turn.record.highWater - confirmed.uncountedSince >= confirmed.uncounted, comment)
                #expect(seen - seenAtJump > .zero, comment)
            }
            record = turn.record
        }
    }

    @Test("Numbers that somebody wrote into the table trap nothing")
    func edges() {
        let edges: [Int64] = [.min, -1, 0, 1, .max]
        for anchor in edges {
            for boot in edges {
                for high in edges {
                    let record = ClockRecord(
                        bootID: "a", anchor: Timestamp(milliseconds: anchor), uptimeAtAnchor: .milliseconds(boot),
                        highWater: Timestamp(milliseconds: high), highWall: Timestamp(milliseconds: -(high / 2)),
                        uncounted: .milliseconds(max(0, high)), uncountedSince: Timestamp(milliseconds: anchor))
                    for name in ["a", "b", ""] {
                        let reading = Self.reading(0, boot: name)
                        let moment = record.turned(at: reading).record.moment(at: reading)
                        _ = moment.wall(at: Timestamp(milliseconds: high)).description
                    }
                }
            }
        }
    }
}
