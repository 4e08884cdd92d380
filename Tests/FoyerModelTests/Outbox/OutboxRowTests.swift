import FoyerModel
import Testing

/// Every event at every state: what applies is named here, what is not named changes nothing.
@Suite struct OutboxRowTests {
    private static let now = Timestamp(milliseconds: 1_000_000)
    private static let worker = WorkerID("one")

    /// A submission in a state, as it may stand in the table.
    private static func row(
        _ name: Submission.State.Name, kind: FlowKind = .register, maybeSent: Bool = false, hasBegun: Bool = false
    ) -> OutboxRow {
        var row = OutboxRow(kind: kind, state: state(name, hasBegun: hasBegun), expiresAt: now + .seconds(60))
        row.maybeSent = maybeSent
        if name == .sending { (row.claims, row.fence) = (1, 1) }
        return row
    }

    private static func state(_ name: Submission.State.Name, hasBegun: Bool) -> Submission.State {
        switch name {
        case .ready: .ready(due: now)
        case .sending: .sending(.init(worker: worker, until: now + .seconds(45)), begun: hasBegun)
        case .parked: .parked(reason: "help")
        case .accepted: .ended(.accepted, reason: nil)
        case .rejected: .ended(.rejected, reason: "no")
        case .cancelled: .ended(.cancelled, reason: "given up")
        case .expired: .ended(.expired, reason: "too old")
        }
    }

    private static let retry = Settlement.Retry(
        delay: .zero, reason: "no answer", countsAsFailure: true, isUnsent: false)
    private static let later = now + .seconds(60)

    /// Each event once, with a name for messages.
    private static let events: [(name: String, event: OutboxEvent)] = [
        ("claimed", .claimed(Submission.State.Lease(worker: worker, until: later), at: now)),
        ("begun", .begun(fence: 1, at: now, until: later)),
        ("begun late", .begun(fence: 0, at: now, until: later)),
        ("begun after its lease", .begun(fence: 1, at: now + .seconds(46), until: later)),
        ("retired", .holderRetired(worker, at: now)),
        ("another retired", .holderRetired(WorkerID("two"), at: now)),
        ("accepted", .settled(.verdict(.accepted(remoteID: nil)), fence: 0, at: now)),
        ("rejected", .settled(.verdict(.rejected([])), fence: 0, at: now)),
        ("postponed", .settled(.retry(retry), fence: 1, at: later)),
        ("postponed late", .settled(.retry(retry), fence: 0, at: later)),
        ("parked", .settled(.parked(reason: "help", isUnsent: false), fence: 1, at: now)),
        ("parked late", .settled(.parked(reason: "help", isUnsent: false), fence: 2, at: now)),
        ("died", .holderDied(worker, at: now)),
        ("another died", .holderDied(WorkerID("two"), at: now)),
        ("lease looked at", .leaseChecked(at: now + .seconds(45))),
        ("lease over", .leaseChecked(at: now + .seconds(46))),
        ("lifetime looked at", .lifetimeChecked(at: now + .seconds(59))),
        ("lifetime over", .lifetimeChecked(at: later)),
        ("retry wanted", .retryWanted(at: later)),
        ("cancel wanted", .cancelWanted(at: later)),
        ("foundation refused", .foundationRefused),
    ]

    /// What a state becomes by the events that apply to it; `*` after it where taking back is still wanted.
    private static let table: [(row: OutboxRow, becomes: [String: String])] = [
        (
            row(.ready),
            [
                "claimed": "sending", "accepted": "accepted", "rejected": "rejected", "lifetime over": "expired",
                "retry wanted": "ready", "cancel wanted": "cancelled", "foundation refused": "cancelled",
            ]
        ),
        (
            row(.ready, maybeSent: true),
            [
                "claimed": "sending", "accepted": "accepted", "rejected": "rejected", "retry wanted": "ready",
                "cancel wanted": "ready*", "foundation refused": "ready*",
            ]
        ),
        (
            row(.sending),
            [
                "begun": "sending", "retired": "ready", "accepted": "accepted", "rejected": "rejected",
                "postponed": "ready", "parked": "parked", "died": "ready", "lease over": "ready",
                "cancel wanted": "sending*",
            ]
        ),
        (
            row(.sending, hasBegun: true),
            [
                "begun": "sending", "retired": "ready", "accepted": "accepted", "rejected": "rejected",
                "postponed": "ready", "parked": "parked", "died": "ready", "lease over": "ready",
                "cancel wanted": "sending*",
            ]
        ),
        (
            row(.parked),
            [
                "accepted": "accepted", "rejected": "rejected", "lifetime over": "expired", "retry wanted": "ready",
                "cancel wanted": "cancelled", "foundation refused": "cancelled",
            ]
        ),
        (
            row(.parked, maybeSent: true),
            [
                "accepted": "accepted", "rejected": "rejected", "lifetime over": "ready", "retry wanted": "ready",
                "cancel wanted": "ready*", "foundation refused": "parked*",
            ]
        ),
        (row(.accepted), [:]), (row(.rejected), [:]), (row(.cancelled), [:]), (row(.expired), [:]),
    ]

    @Test("The table of states and events", arguments: 0..<table.count)
    func transitions(number: Int) {
        let (row, becomes) = Self.table[number]
        for (name, event) in Self.events {
            let after = row.after(event).map { $0.state.name.rawValue + ($0.isCancelWanted ? "*" : "") }
            #expect(after == becomes[name], "\(row.state.name) by \(name)")
        }
    }

    @Test("What was begun may have been sent, what was not begun is as it was before")
    func doubt() throws {
        for hasBegun in [true, false] {
            let row = Self.row(.sending, hasBegun: hasBegun)
            for event in [OutboxEvent.holderDied(Self.worker, at: Self.now), .leaseChecked(at: Self.later)] {
                #expect(try #require(row.after(event)).maybeSent == hasBegun)
            }
            let retired = try #require(row.after(.holderRetired(Self.worker, at: Self.now)))
            #expect(retired.maybeSent == hasBegun && retired.claims == (hasBegun ? 1 : 0))
        }
        let unsent = Settlement.Retry(delay: .zero, reason: "offline", countsAsFailure: false, isUnsent: true)
        for maybeSent in [true, false] {
            let row = Self.row(.sending, maybeSent: maybeSent, hasBegun: true)
            let after = try #require(row.after(.settled(.retry(unsent), fence: 1, at: Self.later)))
            #expect(after.maybeSent == maybeSent && !after.state.hasBegun && after.failures == 0)
        }
    }

    @Test("A sign-in that is over its time is given up even if it may have been sent")
    func login() {
        let row = Self.row(.ready, kind: .login, maybeSent: true)
        #expect(row.after(.lifetimeChecked(at: Self.later))?.state.name == .expired)
    }

    @Test("What is to be taken back and turns out unsent is given up at once")
    func unsentAfterAll() throws {
        var row = Self.row(.sending, hasBegun: true)
        row.isCancelWanted = true
        let unsent = Settlement.Retry(delay: .zero, reason: "offline", countsAsFailure: false, isUnsent: true)
        #expect(row.after(.settled(.retry(unsent), fence: 1, at: Self.later))?.state.name == .cancelled)
        #expect(
            row.after(.settled(.parked(reason: "help", isUnsent: true), fence: 1, at: Self.now))?.state.name
                == .cancelled)
        #expect(row.after(.settled(.retry(Self.retry), fence: 1, at: Self.later))?.state.name == .ready)
    }

    @Test("Too many failures park a submission, and help gives it all its chances again")
    func failures() throws {
        var row = Self.row(.ready)
        for failure in 1...OutboxRow.failuresBeforeParking {
            row = try #require(
                row.after(.claimed(Submission.State.Lease(worker: Self.worker, until: Self.later), at: Self.now)))
            row = try #require(row.after(.settled(.retry(Self.retry), fence: row.fence, at: Self.now)))
            #expect(row.state.name == (failure < OutboxRow.failuresBeforeParking ? .ready : .parked))
        }
        #expect(row.state.reason == "it failed 25 times: no answer")
        let again = try #require(row.after(.retryWanted(at: Self.later)))
        #expect(again.failures == 0 && again.state == .ready(due: Self.later))
    }

    @Test("Only a death over a sending counts, and only those over one sent alone lead to parking")
    func crashes() throws {
        var row = Self.row(.sending)
        row = try #require(row.after(.holderDied(Self.worker, at: Self.now)))
        #expect(row.workerDeaths == 0 && !row.isSuspect)
        for crash in 1...(1 + OutboxRow.soloDeathsBeforeParking) {
            row = try #require(
                row.after(.claimed(Submission.State.Lease(worker: Self.worker, until: Self.later), at: Self.now)))
            row = try #require(row.after(.begun(fence: row.fence, at: Self.now, until: Self.later)))
            row = try #require(row.after(.holderDied(Self.worker, at: Self.now)))
            #expect(row.workerDeaths == crash && row.isSuspect)
            #expect(row.state.name == (crash <= OutboxRow.soloDeathsBeforeParking ? .ready : .parked))
        }
        let again = try #require(row.after(.retryWanted(at: Self.later)))
        #expect(again.isSuspect, "it is still sent alone")
    }

    @Test("No number that another program has put in traps: a claim beyond the limit parks, and can be taken back")
    func limits() throws {
        let claim = OutboxEvent.claimed(Submission.State.Lease(worker: Self.worker, until: Self.later), at: Self.now)
        for (claims, fence) in [(Int.max, Int64(1)), (1, .max)] {
            var row = Self.row(.ready)
            (row.claims, row.fence) = (claims, fence)
            let parked = try #require(row.after(claim))
            #expect(parked.state.name == .parked && parked.state.reason?.contains("at their limit") == true)
            #expect(parked.after(.cancelWanted(at: Self.now))?.state.name == .cancelled)
        }
        var held = Self.row(.sending, hasBegun: true)
        (held.failures, held.workerDeaths, held.claims) = (.max, .max, .min)
        #expect(held.after(.settled(.retry(Self.retry), fence: 1, at: Self.now))?.state.name == .parked)
        #expect(held.after(.holderDied(Self.worker, at: Self.now))?.state.name == .parked)
        held.state = Self.state(.sending, hasBegun: false)
        #expect(held.after(.holderRetired(Self.worker, at: Self.now))?.claims == .min)
    }

    @Test("What is done with it: take it back before all else, ask once its time is over, else send")
    func tasks() {
        var row = Self.row(.ready)
        #expect(row.task(at: Self.now) == .submit && row.task(at: Self.later) == .submit)
        row.maybeSent = true
        #expect(row.task(at: Self.now) == .submit && row.task(at: Self.later) == .askOutcome)
        row.isCancelWanted = true
        #expect(row.task(at: Self.now) == .cancel && row.task(at: Self.later) == .cancel)
    }
}
