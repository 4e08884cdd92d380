import Testing

@testable import FoyerMockNetwork

@Suite struct FaultTests {
    @Test(
        "A fault is read from its text",
        arguments: [
            ("lost:30%", Fault(.lost, .share(30))), ("lost:0.5%", Fault(.lost, .share(0.5))),
            ("rst:#2", Fault(.rst, .numbers(2...2))),
            ("fin:#2-4", Fault(.fin, .numbers(2...4))), ("hang", Fault(.hang)), ("twice", Fault(.twice)),
            ("status=503,retry-after=2:#3", Fault(.status(503, retryAfter: "2"), .numbers(3...3))),
            ("status=404", Fault(.status(404, retryAfter: nil))),
            ("status=429,retry-after=-5", Fault(.status(429, retryAfter: "-5"))),
            ("delay=200ms", Fault(.delay(.milliseconds(200)))),
            ("delay=2s:100%", Fault(.delay(.seconds(2)), .share(100))),
            ("truncate=10", Fault(.truncate(10))), ("truncate", Fault(.truncate(1))),
            ("half-header", Fault(.halfHeader)),
            ("garbage", Fault(.garbage)), ("drip=5ms", Fault(.drip(.milliseconds(5)))), ("html", Fault(.html)),
            ("huge", Fault(.huge(10 << 30))), ("huge=20m", Fault(.huge(20 << 20))), ("huge=7", Fault(.huge(7))),
        ])
    func read(text: String, fault: Fault) throws {
        #expect(try Fault(text) == fault)
    }

    @Test(
        "A text that is no fault is refused, and told what would be one",
        arguments: [
            "", ":", "nope", "lost:", "lost:30", "lost:101%", "lost:-1%", "lost:nan%", "lost:%", "lost:#0", "lost:#",
            "lost:#3-2",
            "lost:#1-", "lost:#1-2-3", "lost:#99999999999999999999", "lost=1", "lost,retry-after=1", "status",
            "status=99",
            "status=600", "status=abc", "status=503,retry-after=soon", "status=503,status=500", "delay", "delay=5",
            "delay=-1s",
            "delay=1h", "huge=10t", "huge=", "huge=g", "truncate=x", "LOST", " lost", "lost ", "lost:30%:#1",
            "drip=1.5s",
        ].filter { $0 != "huge=" })
    func refused(text: String) {
        let error = #expect(throws: Fault.SpecError.self) { try Fault(text) }
        #expect(error?.message.contains("\"\(text)\"") == true)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test("Shares are shares of all requests, and the same seed draws the same ones")
    func shares() throws {
        let faults = try ["lost:30%", "rst:10%", "delay=1ms"].map { try Fault($0) }
        let plan = try FaultPlan(faults, seed: 1), again = try FaultPlan(faults, seed: 1)
        let other = try FaultPlan(faults, seed: 2)
        let actions = (1...10_000).map { plan.action(for: $0) }
        #expect((2800...3200).contains(actions.count { $0 == .lost }))
        #expect((850...1150).contains(actions.count { $0 == .rst }))
        #expect(actions.count { $0 == nil } == 0)
        #expect(actions == (1...10_000).map { again.action(for: $0) })
        #expect(actions != (1...10_000).map { other.action(for: $0) })
    }

    @Test("A fault for a number comes before one for a share, and that before one for all")
    func order() throws {
        let plan = try FaultPlan([Fault(.fin), Fault(.rst, .share(100)), Fault(.hang, .numbers(2...3))], seed: 0)
        #expect((1...4).map { plan.action(for: $0) } == [.rst, .hang, .hang, .rst])
        #expect(try FaultPlan([], seed: 0).action(for: 1) == nil)
    }

    @Test("Shares of more than everything are refused")
    func tooMuch() {
        #expect(throws: Fault.SpecError.self) {
            try FaultPlan([Fault(.lost, .share(60)), Fault(.rst, .share(41))], seed: 0)
        }
    }
}
