/// Random numbers that a seed determines (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins with a seed; the same one gives the same numbers again.
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True in so many of a thousand cases.
    public mutating func isIn(_ thousandths: Int) -> Bool { below(1000) < thousandths }

    /// A number from 0 to below `limit`.
    public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
