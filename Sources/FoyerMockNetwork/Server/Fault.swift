/// One way in which the mock server misbehaves, and when; written as text, such as `lost:30%` or
/// `status=503,retry-after=2:#3`. `Documentation/wire.md` lists all of them.
public struct Fault: Sendable, Equatable {
    /// What goes wrong.
    public enum Action: Sendable, Equatable {
        // In place of an answer, and without any effect:

        /// Answers this status, from 100 to 599, and with `Retry-After` where one is given.
        case status(Int, retryAfter: String?)
        /// Answers 200 with a page for people, as the login page of a public network does.
        case html
        /// Sends bytes that are no HTTP.
        case garbage
        /// Answers 200 with a body of so many bytes.
        case huge(Int)
        /// Says nothing until the client gives up.
        case hang
        /// Closes the connection.
        case fin
        /// Resets the connection.
        case rst

        // With the effect, and with an answer that suffers:

        /// Answers later.
        case delay(Duration)
        /// Closes the connection without an answer.
        case lost
        /// Sends the answer two times.
        case twice
        /// Closes the connection after so many bytes of the body.
        case truncate(Int)
        /// Closes the connection in the middle of a header.
        case halfHeader
        /// Sends the answer byte by byte, with such a pause before each.
        case drip(Duration)
    }

    /// Which requests it befalls.
    public enum Occasion: Sendable, Equatable {
        /// Each one.
        case always
        /// Those that come as the first, second, … at this server; counted from 1.
        case numbers(ClosedRange<Int>)
        /// A share of all requests, from 0 to 100 per cent.
        case share(Double)
    }

    /// What goes wrong.
    public let action: Action
    /// When it does.
    public let occasion: Occasion

    /// Makes the value.
    public init(_ action: Action, _ occasion: Occasion = .always) {
        self.action = action
        self.occasion = occasion
    }

    /// A text that names no fault, or faults that cannot be had together.
    public struct SpecError: Error, Sendable, Equatable {
        /// What is wrong, and what would be right.
        public let message: String
    }
}

/// Decides which request meets which fault; the same seed, faults and numbers give the same decisions.
struct FaultPlan: Sendable {
    private let faults: [Fault]
    private let seed: UInt64

    /// - Throws: when the shares are more than everything.
    init(_ faults: [Fault], seed: UInt64) throws(Fault.SpecError) {
        let shares = faults.map(\.share).reduce(0, +)
        guard shares <= 100 else {
            throw Fault.SpecError(
                message: "The shares of all faults are \(shares)% together; they can be 100% at most.")
        }
        self.faults = faults
        self.seed = seed
    }

    /// What befalls the request that came as this one: a fault for its number, else for its share, else for all.
    func action(for number: Int) -> Fault.Action? {
        var drawn = Self.fraction(of: seed, number) * 100
        var share: Fault.Action?, always: Fault.Action?
        for fault in faults {
            switch fault.occasion {
            case .numbers(let numbers): if numbers.contains(number) { return fault.action }
            case .share(let part):
                if share == nil, drawn < part { share = fault.action }
                drawn -= part
            case .always: always = always ?? fault.action
            }
        }
        return share ?? always
    }

    /// A number from 0 to below 1 that belongs to this request (SplitMix64).
    private static func fraction(of seed: UInt64, _ number: Int) -> Double {
        var mixed = seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53)
    }
}

extension Fault {
    fileprivate var share: Double {
        if case .share(let percent) = occasion { percent } else { 0 }
    }
}
