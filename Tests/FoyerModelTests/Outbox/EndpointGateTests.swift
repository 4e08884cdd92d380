import FoyerModel
import Testing

@Suite struct EndpointGateTests {
    private static let now = Timestamp(milliseconds: 1_000_000)
    private static let one = WorkerID("one"), two = WorkerID("two")

    private func trouble(
        isSoft: Bool = false, retryAfter: Duration? = nil, jitter: Double = 0.5
    ) -> EndpointReport {
        .troubled(.init(reason: "offline", isSoft: isSoft, retryAfter: retryAfter, jitter: jitter))
    }

    private func closed(at now: Timestamp = now) -> EndpointGate {
        EndpointGate().after(trouble(), from: Self.one, at: now)
    }

    @Test("trouble closes the gate; then one tries, and all others wait for that one")
    func probe() {
        let gate = closed()
        #expect(gate.passage(at: Self.now) == .closed(until: Self.now + .seconds(1)))
        #expect(gate.reason == "offline")
        let due = Self.now + .seconds(1)
        #expect(gate.passage(at: due) == .probe)
        let probed = gate.probed(by: Self.two, until: due + .seconds(45))
        #expect(probed.passage(at: due) == .closed(until: due + .seconds(45)))
        #expect(probed.after(.answered, from: Self.two, at: due) == EndpointGate())
        let failed = probed.after(trouble(), from: Self.two, at: due)
        #expect(failed.failures == 2 && failed.prober == nil)
        #expect(failed.passage(at: due) == .closed(until: due + .seconds(2)))
    }

    @Test("the wait doubles from failure to failure up to five minutes, and is never below a quarter of a second")
    func waits() throws {
        for (jitter, expected) in [(0.5, [1.0, 2, 4, 8, 16, 32, 64, 128, 150, 150]), (0.0, [0.25, 0.25, 0.25])] {
            var gate = EndpointGate(), now = Self.now
            for wait in expected {
                if gate.closedUntil != nil { gate = gate.probed(by: Self.one, until: now) }
                gate = gate.after(trouble(jitter: jitter), from: Self.one, at: now)
                #expect(gate.closedUntil == now + .seconds(wait))
                now = try #require(gate.closedUntil)
            }
        }
    }

    @Test("what was under way when the gate closed neither closes it further nor counts")
    func stragglers() {
        let gate = closed()
        #expect(gate.after(trouble(), from: Self.two, at: Self.now + .milliseconds(1)) == gate)
        let wanted = gate.after(trouble(retryAfter: .seconds(60)), from: Self.two, at: Self.now)
        #expect(wanted.failures == 1 && wanted.closedUntil == Self.now + .seconds(63))
    }

    @Test("a good answer opens the gate, but not before the endpoint's own time unless it was the trial's")
    func goodAnswers() {
        #expect(closed().after(.answered, from: Self.two, at: Self.now) == EndpointGate())
        let asked = EndpointGate().after(trouble(retryAfter: .seconds(60)), from: Self.one, at: Self.now)
        #expect(asked.after(.answered, from: Self.two, at: Self.now) == asked)
        let end = Self.now + .seconds(63)
        #expect(asked.after(.answered, from: Self.two, at: end) == EndpointGate())
        let probed = asked.probed(by: Self.two, until: end + .seconds(45))
        #expect(probed.after(.answered, from: Self.two, at: end) == EndpointGate())
    }

    @Test("failures that may be a submission's own close the gate only when three come in a row")
    func soft() {
        var gate = EndpointGate()
        for _ in 0..<2 { gate = gate.after(trouble(isSoft: true), from: Self.one, at: Self.now) }
        #expect(gate.passage(at: Self.now) == .open)
        #expect(gate.after(.answered, from: Self.one, at: Self.now) == EndpointGate())
        gate = gate.after(trouble(isSoft: true), from: Self.two, at: Self.now)
        #expect(gate.passage(at: Self.now) != .open)
        let probed = gate.probed(by: Self.one, until: Self.now + .seconds(45))
        #expect(probed.after(trouble(isSoft: true), from: Self.one, at: Self.now).failures == 4)
    }

    @Test("who tries and dies, or learns nothing, leaves the trial to the next")
    func abandoned() {
        let probed = closed().probed(by: Self.two, until: Self.now + .seconds(60))
        #expect(probed.abandoned(by: Self.one, at: Self.now) == probed)
        #expect(probed.abandoned(by: Self.two, at: Self.now).passage(at: Self.now) == .probe)
        #expect(probed.after(.silent, from: Self.two, at: Self.now).passage(at: Self.now) == .probe)
        #expect(EndpointGate().after(.silent, from: Self.one, at: Self.now) == EndpointGate())
    }

    @Test("a sign that the network is back lets one try at once, unless somebody does or the endpoint asked for time")
    func hurried() {
        #expect(EndpointGate().hurried(at: Self.now) == EndpointGate())
        #expect(closed().hurried(at: Self.now).passage(at: Self.now) == .probe)
        let probed = closed().probed(by: Self.two, until: Self.now + .seconds(45))
        #expect(probed.hurried(at: Self.now) == probed)
        let asked = EndpointGate().after(trouble(retryAfter: .seconds(60)), from: Self.one, at: Self.now)
        #expect(asked.hurried(at: Self.now).closedUntil == Self.now + .seconds(63))
    }
}
