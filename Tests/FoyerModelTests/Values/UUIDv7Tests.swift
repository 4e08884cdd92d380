import Dispatch
import FoyerModel
import Synchronization
import TestSupport
import Testing

@Suite struct UUIDv7Tests {
    @Test("An identifier shows its moment, the version and the variant, and is read back as it was")
    func form() throws {
        var maker = UUIDv7.Maker()
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let moment = Int64.random(in: 1...0xFFFF_FFFF_FFFF, using: &random)
            var fresh = UUIDv7.Maker()
            let id = fresh.next(at: Timestamp(milliseconds: moment), using: &random)
            let text = Array(id.text)
            #expect(text.count == 36 && text[14] == "7" && "89ab".contains(text[19]))
            let digits = String(text[0..<8] + text[9..<13])
            #expect(Int64(digits, radix: 16) == moment)
            #expect(UUIDv7(id.text) == id && "\(id)" == id.text)
        }
        let early = maker.next(at: Timestamp(milliseconds: -5), using: &random)
        #expect(early.text.hasPrefix("00000000-000"), "a moment before 1970 counts as 1970")
    }

    @Test("Identifiers rise inside a millisecond, also when there are more than the counter can hold")
    func rising() {
        let ids = Self.ids(at: Array(repeating: 1_700_000_000_000, count: 10_000))
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        #expect(ids.map(\.text) == ids.map(\.text).sorted())
    }

    @Test("Identifiers rise also when the clock goes back, and follow it again when it has caught up")
    func clockGoesBack() {
        let ids = Self.ids(at: [2_000, 1_000, 0, -1_000, 1_999, 2_000, 2_001, 5_000])
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        #expect(ids.last?.text.hasPrefix("00000000-1388-7") == true)
    }

    @Test("Moments before 1970 and after 10889 trap nothing, and identifiers still rise and differ")
    func edges() {
        let last: Int64 = 0xFFFF_FFFF_FFFF
        let ids = Self.ids(at: [.min, -1, 0, 1_700_000_000_000, last - 1, last, last + 1, .max])
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        #expect(ids.last?.text.hasPrefix("ffffffff-ffff-7") == true)
        #expect(Set(Self.ids(at: Array(repeating: .max, count: 10_000))).count == 10_000)
    }

    @Test("Two makers at one moment give different identifiers")
    func twoMakers() {
        var random = SystemRandomNumberGenerator()
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        let ids = (0..<2_000).map { _ in
            var maker = UUIDv7.Maker()
            return maker.next(at: now, using: &random)
        }
        #expect(Set(ids).count == ids.count)
    }

    @Test("Several threads never get the same identifier from one environment, and each gets rising ones")
    func threads() {
        let environment = FoyerEnvironment(now: { Timestamp(milliseconds: 1_700_000_000_000) })
        let all = Mutex<[UUIDv7]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let ids = (0..<2_000).map { _ in environment.makeID() }
            #expect(ids == ids.sorted())
            all.withLock { $0 += ids }
        }
        #expect(Set(all.withLock { $0 }).count == 16_000)
    }

    @Test(
        "A text of another form is no identifier",
        arguments: [
            "", "0192f0c1", "0192f0c1-7a3b-7c4d-8e5f-0123456789a", "0192f0c1-7a3b-7c4d-8e5f-0123456789abc",
            "0192F0C1-7A3B-7C4D-8E5F-0123456789AB", "0192f0c1 7a3b-7c4d-8e5f-0123456789ab",
            "0192f0c17-a3b-7c4d-8e5f-0123456789ab", "0192f0c1-7a3b-7c4d-8e5f-0123456789ag",
            "0192f0c1-7a3b-7c4d-8e5f-01234567-9ab", "{192f0c1-7a3b-7c4d-8e5f-0123456789ab",
            "0192f0c1-7a3b-7c4d-8e5f-0123456789é", "0192f0c17a3b7c4d8e5f0123456789abcdef",
        ])
    func malformed(text: String) {
        #expect(UUIDv7(text) == nil)
    }

    private static func ids(at moments: [Int64]) -> [UUIDv7] {
        var maker = UUIDv7.Maker()
        var random = SeededRandom(seed: 4)
        return moments.map { maker.next(at: Timestamp(milliseconds: $0), using: &random) }
    }
}
