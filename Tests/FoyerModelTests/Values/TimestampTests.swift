import FoyerModel
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct TimestampTests {
    @Test(
        "A moment is written in ISO 8601 and read back",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_210_096_789, "2024-02-29T12:34:56.789Z"),
            (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
            (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func known(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test("Any moment of the years 0 to 9999 is read back as it was, and says the date that the system's calendar says")
    func roundTrip() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let moment = Self.moment(using: &random)
            #expect(Timestamp(moment.description) == moment)
            #expect(moment.description.hasPrefix(Self.systemDate(moment)))
        }
    }

    @Test("Arithmetic ends at the edges of time, such as those of a number that somebody wrote into the database")
    func edges() {
        let first = Timestamp(milliseconds: .min), last = Timestamp(milliseconds: .max)
        #expect(last + .seconds(1) == last)
        #expect(first + .seconds(-1) == first)
        #expect(Timestamp(milliseconds: 0) + .seconds(Int64.max) == last)
        #expect(first - last == .milliseconds(Int64.min))
        #expect(last - first == .milliseconds(Int64.max))
    }

    @Test("What a wrong clock shows is written so that it can be read again, at the first or the last of all years")
    func farAway() {
        for milliseconds in [Int64.min, Int64.min / 2, -62_167_219_200_001] {
            #expect(Timestamp(milliseconds: milliseconds).description == "0000-01-01T00:00:00.000Z")
        }
        for milliseconds in [Int64.max, 253_402_300_800_000, 281_474_976_710_655] {
            #expect(Timestamp(milliseconds: milliseconds).description == "9999-12-31T23:59:59.999Z")
        }
    }

    @Test("Texts sort as the moments do")
    func order() {
        var random = SeededRandom(seed: 2)
        let moments = (0..<5_000).map { _ in Self.moment(using: &random) }
        #expect(moments.sorted().map(\.description) == moments.map(\.description).sorted())
    }

    @Test(
        "A text of another form is no moment",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T06:54:02Z", "2026-11-21T06:54:02.123", "2026-11-21 06:54:02.123Z",
            "2026-11-21T06:54:02.123z", "2026-11-21T06:54:02,123Z", "2026-11-21T06:54:02.12Z",
            "2026-11-21T06:54:02.123+00:00", "2026-11-21T06:54:02.123ZZ", " 2026-11-21T06:54:02.123Z",
            "2026-00-21T06:54:02.123Z", "2026-13-21T06:54:02.123Z", "2026-11-00T06:54:02.123Z",
            "2026-11-32T06:54:02.123Z", "2026-11-21T24:00:00.000Z", "2026-11-21T06:60:02.123Z",
            "2026-11-21T06:54:60.123Z", "2026-11-21T06:54:02.-12Z", "+026-11-21T06:54:02.123Z",
            "2026-1A-21T06:54:02.123Z", "２026-11-21T06:54:02.1Z", "-001-11-21T06:54:02.123Z",
        ])
    func malformed(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "A day that its month does not have is no moment",
        arguments: [
            "2026-02-29T00:00:00.000Z", "2024-02-30T00:00:00.000Z", "1900-02-29T00:00:00.000Z",
            "2026-04-31T00:00:00.000Z", "2026-02-31T00:00:00.000Z",
        ])
    func noSuchDay(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "A duration is added in whole milliseconds, and is what lies between two moments",
        arguments: [
            (.seconds(1), 1000), (.milliseconds(-1), -1), (.microseconds(999), 0), (.seconds(-86400), -86_400_000),
            (.seconds(3) + .milliseconds(25), 3025), (.milliseconds(-1500), -1500), (.zero, 0),
        ] as [(Duration, Int64)])
    func arithmetic(duration: Duration, milliseconds: Int64) {
        for start in [Int64.zero, -5, 1_700_000_000_123] {
            let later = Timestamp(milliseconds: start) + duration
            #expect(later.milliseconds == start + milliseconds)
            #expect(later - Timestamp(milliseconds: start) == .milliseconds(milliseconds))
        }
    }

    private static func moment(using random: inout SeededRandom) -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
    }

    private static func systemDate(_ moment: Timestamp) -> String {
        var seconds = time_t(moment.milliseconds / 1000 - (moment.milliseconds % 1000 < 0 ? 1 : 0))
        var date = tm()
        gmtime_r(&seconds, &date)
        func padded(_ number: Int32, _ width: Int) -> String {
            String(repeating: "0", count: width - "\(number)".count) + "\(number)"
        }
        return padded(date.tm_year + 1900, 4) + "-" + padded(date.tm_mon + 1, 2) + "-" + padded(date.tm_mday, 2) + "T"
            + padded(date.tm_hour, 2) + ":" + padded(date.tm_min, 2) + ":" + padded(date.tm_sec, 2)
    }
}
