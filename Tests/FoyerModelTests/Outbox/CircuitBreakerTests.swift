import FoyerModel
import Testing

@Suite struct CircuitBreakerTests {
    private static let now = Timestamp(milliseconds: 1_000_000)
    private static let one = WorkerID("one"), two = WorkerID("two")

    private func trouble(
        isSoft: Bool = false, retryAfter: Duration? = nil, jitter: Double = 0.5
    ) -> EndpointReport {
        .troubled(.init(reason: "offline", isSoft: isSoft, retryAfter: retryAfter, jitter: jitter))
    }

    private func opened(at now: Timestamp = now) -> CircuitBreaker {
        CircuitBreaker().after(trouble(), from: Self.one, at: now)
    }

    @Test("Trouble opens the breaker; then one worker probes, and all others wait for it")
    func probe() {
        let breaker = opened()
        #expect(breaker.permission(at: Self.now) == .nobody(until: Self.now + .seconds(1)))
        #expect(breaker.pause?.reason == "offline")
        let due = Self.now + .seconds(1)
        #expect(breaker.permission(at: due) == .oneProbe)
        let probed = breaker.probed(by: Self.two, until: due + .seconds(45))
        #expect(probed.permission(at: due) == .nobody(until: due + .seconds(45)))
        #expect(probed.after(.answered, from: Self.two, at: due) == CircuitBreaker())
        let failed = probed.after(trouble(), from: Self.two, at: due)
        #expect(failed.failures == 2 && failed.prober == nil)
        #expect(failed.permission(at: due) == .nobody(until: due + .seconds(2)))
    }

    @Test("The wait doubles from failure to failure up to five minutes, and is never below a quarter of a second")
    func waits() throws {
        for (jitter, expected) in [(0.5, [1.0, 2, 4, 8, 16, 32, 64, 128, 150, 150]), (0.0, [0.25, 0.25, 0.25])] {
            var breaker = CircuitBreaker(), now = Self.now
            for wait in expected {
                if breaker.pause?.until != nil { breaker = breaker.probed(by: Self.one, until: now) }
                breaker = breaker.after(trouble(jitter: jitter), from: Self.one, at: now)
                #expect(breaker.pause?.until == now + .seconds(wait))
                now = try #require(breaker.pause?.until)
            }
        }
    }

    @Test("What was under way when the breaker opened neither opens it longer nor counts")
    func stragglers() {
        let breaker = opened()
        #expect(breaker.after(trouble(), from: Self.two, at: Self.now + .milliseconds(1)) == breaker)
        let wanted = breaker.after(trouble(retryAfter: .seconds(60)), from: Self.two, at: Self.now)
        #expect(wanted.failures == 1 && wanted.pause?.until == Self.now + .seconds(63))
    }

    @Test("A good answer closes the breaker, but not before the endpoint's own time unless it was the trial's")
    func goodAnswers() {
        #expect(opened().after(.answered, from: Self.two, at: Self.now) == CircuitBreaker())
        let asked = CircuitBreaker().after(trouble(retryAfter: .seconds(60)), from: Self.one, at: Self.now)
        #expect(asked.after(.answered, from: Self.two, at: Self.now) == asked)
        let end = Self.now + .seconds(63)
        #expect(asked.after(.answered, from: Self.two, at: end) == CircuitBreaker())
        let probed = asked.probed(by: Self.two, until: end + .seconds(45))
        #expect(probed.after(.answered, from: Self.two, at: end) == CircuitBreaker())
    }

    @Test("Failures that may be a submission's own open the breaker only when three come in a row")
    func soft() {
        var breaker = CircuitBreaker()
        for _ in 0..<2 { breaker = breaker.after(trouble(isSoft: true), from: Self.one, at: Self.now) }
        #expect(breaker.permission(at: Self.now) == .everybody)
        #expect(breaker.after(.answered, from: Self.one, at: Self.now) == CircuitBreaker())
        breaker = breaker.after(trouble(isSoft: true), from: Self.two, at: Self.now)
        #expect(breaker.permission(at: Self.now) != .everybody)
        let probed = breaker.probed(by: Self.one, until: Self.now + .seconds(45))
        #expect(probed.after(trouble(isSoft: true), from: Self.one, at: Self.now).failures == 4)
    }

    @Test("Who tries and dies, or learns nothing, leaves the trial to the next")
    func abandoned() {
        let probed = opened().probed(by: Self.two, until: Self.now + .seconds(60))
        #expect(probed.abandoned(by: Self.one, at: Self.now) == probed)
        #expect(probed.abandoned(by: Self.two, at: Self.now).permission(at: Self.now) == .oneProbe)
        #expect(probed.after(.silent, from: Self.two, at: Self.now).permission(at: Self.now) == .oneProbe)
        #expect(CircuitBreaker().after(.silent, from: Self.one, at: Self.now) == CircuitBreaker())
    }

    @Test("A sign that the network is back lets one try at once, unless somebody does or the endpoint asked for time")
    func probedNow() {
        #expect(CircuitBreaker().probedNow(at: Self.now) == CircuitBreaker())
        #expect(opened().probedNow(at: Self.now).permission(at: Self.now) == .oneProbe)
        let probed = opened().probed(by: Self.two, until: Self.now + .seconds(45))
        #expect(probed.probedNow(at: Self.now) == probed)
        let asked = CircuitBreaker().after(trouble(retryAfter: .seconds(60)), from: Self.one, at: Self.now)
        #expect(asked.probedNow(at: Self.now).pause?.until == Self.now + .seconds(63))
    }
}
