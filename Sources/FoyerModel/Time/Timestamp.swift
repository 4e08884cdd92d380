/// A moment in milliseconds since 1970 (UTC), written as ISO 8601 text for people.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let milliseconds: Int64

    /// Makes the moment that many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds < b.milliseconds
    }

    // Both end at the edges of `Int64`, because any number can stand in a database.

    /// The moment `duration` later; whole milliseconds.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let whole = seconds.multipliedReportingOverflow(by: 1000)
        let step = whole.overflow ? (seconds < 0 ? .min : .max) : whole.partialValue
        return Timestamp(
            milliseconds: moment.milliseconds.addingOrEdge(step).addingOrEdge(attoseconds / 1_000_000_000_000_000))
    }

    /// The time from `earlier` to `later`; negative when they are the other way round.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }

    /// The time between two moments, whichever is the later.
    package func distance(from other: Timestamp) -> Duration { max(self - other, other - self) }
}

extension Timestamp: CustomStringConvertible {
    /// `2026-11-21T06:54:02.123Z`: always 24 characters, so that text sorts as time does. A moment before the year 0 or
    /// after 9999 is written as the first or last of those years: what a wrong clock writes can still be read.
    public var description: String {
        let moment = min(max(milliseconds, Self.yearZero), Self.endOfYear9999)
        let day = moment.floorDivided(by: 86_400_000)
        let (year, month, dayOfMonth) = Self.civil(fromDays: day)
        return Self.text(year, month, dayOfMonth, moment - day * 86_400_000)
    }

    private static let yearZero: Int64 = -62_167_219_200_000
    private static let endOfYear9999: Int64 = 253_402_300_799_999

    // One is read or written for nearly every row: nothing is allocated on the way but the text itself.

    /// The 24 characters for a year of four digits.
    private static func text(_ year: Int64, _ month: Int64, _ day: Int64, _ ofDay: Int64) -> String {
        String(unsafeUninitializedCapacity: 24) { bytes in
            var end = 0
            func put(_ number: Int64, _ width: Int, before separator: Unicode.Scalar) {
                var rest = number
                for place in stride(from: end + width - 1, through: end, by: -1) {
                    bytes[place] = UInt8(truncatingIfNeeded: rest % 10) + 48
                    rest /= 10
                }
                bytes[end + width] = UInt8(ascii: separator)
                end += width + 1
            }
            put(year, 4, before: "-")
            put(month, 2, before: "-")
            put(day, 2, before: "T")
            put(ofDay / 3_600_000, 2, before: ":")
            put(ofDay / 60_000 % 60, 2, before: ":")
            put(ofDay / 1000 % 60, 2, before: ".")
            put(ofDay % 1000, 3, before: "Z")
            return end
        }
    }

    /// Reads the form that `description` writes; nil for any other text.
    public init?(_ text: String) {
        var text = text
        guard let milliseconds = text.withUTF8(Self.milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// Reads the same from the bytes of a text.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let milliseconds = Self.milliseconds(text) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    private static func milliseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count == 24, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "."), bytes[23] == UInt8(ascii: "Z")
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for place in range {
                guard (48...57).contains(bytes[place]) else { return nil }
                value = value * 10 + Int64(bytes[place] - 48)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month),
            let day = number(8..<10), (1...31).contains(day), let hour = number(11..<13), hour < 24,
            let minute = number(14..<16), minute < 60, let second = number(17..<19), second < 60,
            let fraction = number(20..<23)
        else { return nil }
        let days = days(fromCivil: year, month, day)
        guard civil(fromDays: days).day == day else { return nil }  // The month is shorter.
        return (days * 86400 + hour * 3600 + minute * 60 + second) * 1000 + fraction
    }

    // The proleptic Gregorian calendar in days since 1970-01-01; years are counted from March, so that the leap day
    // is the last of its year (algorithms of Howard Hinnant, "chrono-compatible low-level date algorithms").

    private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floorDivided(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func addingOrEdge(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Division that rounds towards minus infinity, so that moments before 1970 fall on the right day.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
