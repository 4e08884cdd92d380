import FoyerModel
import TestSupport

import FoyerSQLite
import FoyerStore
import FoyerSync

/// Workers, people, a network and a machine, all driven by one seed; the store's real code on one side, the model on
/// the other, compared after every step.
final class Simulation {
    private static let mostLive = 10
    private static let weathers: [SimulatedServer.Weather] = [
        .fine, .fine, .fine, .flaky, .flaky, .flaky, .down, .captive, .overloaded,
    ]

    var random: SeededRandom
    let machine: SimulatedMachine
    var server = SimulatedServer()
    var model = OutboxModel()
    var workers: [SimulatedWorker] = []
    /// How each submission ended that has its verdict.
    private(set) var verdicts: [UUIDv7: String] = [:]
    private let plan = SettlementPlan(
        definitions: FlowKind.allCases.reduce(into: [:]) { $0[$1] = FlowDefinition.standard(for: $1) })
    /// Stands for all processes that only queue.
    private var front: SimulatedWorker
    private var workersMade = 0
    private var hasCrashed = false
    /// Whether the store was written to since it was last compared.
    private var hasChanged = false
    private var enqueued: Int64 = 0
    private var lastTime = Timestamp(milliseconds: 0)
    /// How often what happened, for the reader of a run.
    private(set) var counts: [String: Int] = [:]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        machine = try SimulatedMachine()
        front = SimulatedWorker(0, machine.environment())
        for _ in 0..<3 { workers.append(makeWorker()) }
    }

    private func makeWorker() -> SimulatedWorker {
        workersMade += 1
        return SimulatedWorker(workersMade, machine.environment())
    }

    func count(_ what: String) { counts[what, default: 0] += 1 }

    // MARK: Transactions, and what ends them early

    private struct Killed: Error {}

    /// Runs one transaction of the store; the process may be killed before it is committed, or right after.
    ///
    /// - Returns: what it gave and when by the queue's clock; nil when nothing was committed.
    func transact<T>(
        by worker: SimulatedWorker, mayDie: Bool = true, _ body: (Outbox) throws -> T
    ) throws -> (T, Timestamp)? {
        let fate = mayDie ? random.below(100) : 99
        hasChanged = true
        do {
            let uncounted = try ClockRecord(in: machine.db)?.uncounted ?? .zero
            let result = try machine.db.transaction {
                let outbox = try Outbox(machine.db, clock: worker.clock, environment: worker.environment)
                let result = (try body(outbox), outbox.time)
                if fate < 2 { throw Killed() }
                return result
            }
            guard result.1 >= lastTime else { throw Failure("the queue's clock went back") }
            lastTime = result.1
            // Time off was counted: what was there before is older now.
            if uncounted > .zero, try ClockRecord(in: machine.db)?.uncounted == .zero { try takeExpiries() }
            if fate < 4 { die(worker) }
            return result
        } catch is Killed {
            die(worker)
            return nil
        }
    }

    private func takeExpiries() throws {
        count("time off confirmed or withdrawn")
        for id in model.live.map(\.id) {
            let end = try machine.db.first("SELECT expires_at FROM submissions WHERE id = ?", id.text) {
                try $0.milliseconds(0)
            }
            if let end { model.expire(id, at: end) }
        }
    }

    private func die(_ worker: SimulatedWorker) {
        count("crash")
        hasCrashed = true
        if let index = workers.firstIndex(where: { $0 === worker }) { workers[index] = makeWorker() }
    }

    private func isAlive(_ id: WorkerID) -> Bool { workers.contains { $0.id == id } }

    // MARK: Steps

    func step() throws {
        server.arrive(at: machine.passed, &random)
        switch random.below(1000) {
        case ..<200: try enqueue()
        case ..<330: try withWorker { try claim($0) }
        case ..<500: try withWorker { try begin($0) }
        case ..<670: withWorker { send($0) }
        case ..<840: try withWorker { try settle($0) }
        case ..<928: machine.pass(.milliseconds(random.below(2000)))
        case ..<935: machine.pass(.seconds(random.below(120)))
        case ..<945: try cancelOne()
        case ..<960: try retryOne()
        case ..<970: withWorker { $0.stoppedUntil = machine.uptime + .seconds(random.below(120)) }
        case ..<980: server.weather = Self.weathers[random.below(Self.weathers.count)]
        case ..<985: try probeNow()
        case ..<990: try withWorker { try retire($0) }
        case ..<995: machine.setTime(by: .seconds(random.below(2_000_000_000) - 1_000_000_000))
        default: try rarely()
        }
        if hasChanged { try checkStep() }
        hasChanged = false
        if hasCrashed { try checkAfterCrash() }
        hasCrashed = false
    }

    private func rarely() throws {
        switch random.below(40) {
        case 0:
            machine.pass(.seconds(random.below(40) * 86400))
            try forget()
        case 1:
            machine.restart()
            count("restart")
            workers = workers.map { _ in makeWorker() }
            front = SimulatedWorker(0, machine.environment())
            hasCrashed = true
        case ..<10: machine.pass(.seconds(random.below(7200)))
        default: break
        }
    }

    private func withWorker(_ body: (SimulatedWorker) throws -> Void) rethrows {
        let worker = workers[random.below(workers.count)]
        if worker.stoppedUntil <= machine.uptime { try body(worker) }
    }

    private func enqueue() throws {
        guard model.live.count < Self.mostLive else { return }
        let kind = FlowKind.allCases[random.below(3)]
        let lane = random.isIn(500) ? "lane \(random.below(4))" : "lane of \(enqueued + 1)"
        let new = NewSubmission(id: front.environment.makeID(), kind: kind, lane: lane, body: "{}")
        let done = try transact(by: front) { try $0.enqueue(new) }
        guard let (seq, time) = done else { return }
        enqueued += 1
        model.add(
            OutboxModel.Row(
                seq: seq, id: new.id, lane: lane, kind: kind, expires: time + kind.submissionLifetime, due: time))
    }

    private func claim(_ worker: SimulatedWorker, mayDie: Bool = true) throws {
        guard worker.holds.count < 4, !worker.holds.contains(where: { $0.claimed.isAlone }) else { return }
        let limit = 1 + random.below(4), isIdle = worker.holds.isEmpty
        let done = try transact(by: worker, mayDie: mayDie) { outbox in
            try outbox.rescue(except: worker.id, isDead: { !isAlive(WorkerID($0)) })
            try outbox.expire()
            return try outbox.claim(limit, by: worker.id, for: "server", isIdle: isIdle)
        }
        guard let (claimed, time) = done else { return }
        model.sweep(by: worker.id, isAlive: { $0 == worker.id || isAlive($0) }, at: time)
        let expected = model.claim(limit, by: worker.id, isIdle: isIdle, at: time)
        guard claimed.map(\.id) == expected else { throw Failure("claimed \(claimed), expected \(expected)") }
        for claimed in claimed {
            guard let row = model.row(claimed.id) else { continue }
            worker.holds.append(SimulatedWorker.Hold(claimed: claimed, seq: row.seq, lane: row.lane))
        }
    }

    private func begin(_ worker: SimulatedWorker, mayDie: Bool = true) throws {
        guard let index = worker.holds.firstIndex(where: { if case .claimed = $0.phase { true } else { false } })
        else { return }
        let claimed = worker.holds[index].claimed, start = machine.uptime
        guard let (isBegun, time) = try transact(by: worker, mayDie: mayDie, { try $0.begin(claimed) }) else { return }
        guard model.begin(claimed.id, claimed.fence, at: time) == isBegun else { throw Failure("begin differs") }
        if isBegun {
            worker.holds[index].phase = .begun(at: start)
        } else {
            count("lost before it was begun")
            worker.holds.remove(at: index)
        }
    }

    private func send(_ worker: SimulatedWorker) {
        for (index, hold) in worker.holds.enumerated() {
            guard case .begun(let start) = hold.phase else { continue }
            let answer: SimulatedServer.Answer
            if machine.uptime - start >= .seconds(15) {
                answer = .failure(.unreachable("too slow"))
            } else {
                answer = ask(hold)
            }
            worker.holds[index].phase = .answered(answer)
            return
        }
    }

    private func ask(_ hold: SimulatedWorker.Hold) -> SimulatedServer.Answer {
        switch hold.claimed.task {
        case .cancel: return server.cancel(hold.claimed.id, &random)
        case .askOutcome: return server.outcome(of: hold.claimed.id, &random)
        case .submit:
            let submission = SimulatedServer.Submitted(key: hold.claimed.id, seq: hold.seq, lane: hold.lane)
            return server.submit(submission, at: machine.passed, &random)
        }
    }

    private func settle(_ worker: SimulatedWorker, mayDie: Bool = true) throws {
        for hold in worker.holds {
            guard case .answered(let answer) = hold.phase else { continue }
            let claimed = hold.claimed
            let meaning = ReplyClassifier.classify(answer, to: claimed.task, of: plan.definitions[claimed.kind])
            let jitter = Double(random.below(1000)) / 1000
            let (settlement, report) = plan.settlement(
                for: meaning, of: claimed, jitter: jitter, now: worker.environment.now())
            let done = try transact(by: worker, mayDie: mayDie) {
                try $0.settle(claimed, settlement, report, httpStatus: nil)
            }
            guard let (isRecorded, time) = done else { return }
            model.breaker = model.breaker.after(report, from: worker.id, at: time)
            guard model.settle(claimed.id, claimed.fence, settlement, at: time) == isRecorded else {
                throw Failure("settle differs: \(settlement)")
            }
            count(isRecorded ? settlement.outcome : "too late: \(settlement.outcome)")
            worker.holds.removeAll { $0.claimed.id == claimed.id && $0.claimed.fence == claimed.fence }
            return
        }
    }

    private func retire(_ worker: SimulatedWorker) throws {
        guard worker.holds.allSatisfy({ if case .claimed = $0.phase { true } else { false } }) else { return }
        guard let (_, time) = try transact(by: worker, { try $0.retire(worker.id) }) else { return }
        model.retire(worker.id, at: time)
        worker.holds = []
    }

    private func cancelOne() throws {
        guard !model.live.isEmpty else { return }
        let id = model.live[random.below(model.live.count)].id
        guard let (_, time) = try transact(by: front, { try $0.change(id) { .cancelWanted(at: $0) } }) else { return }
        model.cancel(id, at: time)
    }

    private func retryOne(mayDie: Bool = true) throws {
        let parked = model.live.filter { $0.state == "parked" }
        guard !parked.isEmpty else { return }
        let id = parked[random.below(parked.count)].id
        let done = try transact(by: front, mayDie: mayDie) { try $0.change(id) { .retryWanted(at: $0) } }
        if let (_, time) = done { model.retry(id, at: time) }
    }

    private func probeNow() throws {
        guard let (_, time) = try transact(by: front, { try $0.probeNow("server") }) else { return }
        model.breaker = model.breaker.probedNow(at: time)
    }

    /// Forgets what was settled long ago, and the rest of what the simulation needs no more.
    private func forget() throws {
        for _ in 0..<10 { _ = try transact(by: front, mayDie: false) { try $0.prune() } }
        try machine.db.script(
            """
            DELETE FROM flows WHERE id NOT IN (SELECT flow_id FROM submissions);
            DELETE FROM users WHERE id NOT IN (SELECT user_id FROM submissions WHERE user_id IS NOT NULL);
            DELETE FROM events
            """)
    }

    // MARK: The end

    /// Lets everything be delivered in fine weather.
    func drain() throws {
        server.weather = .fine
        machine.pass(.seconds(90_000))
        server.arrive(at: machine.passed, &random)
        for _ in 0..<10_000 where !model.live.isEmpty {
            try retryOne(mayDie: false)
            for worker in workers {
                try claim(worker, mayDie: false)
                for _ in 0..<4 {
                    try begin(worker, mayDie: false)
                    send(worker)
                    try settle(worker, mayDie: false)
                }
            }
            machine.pass(.seconds(60))
            try checkStep()
        }
        guard model.live.isEmpty else { throw Failure("these are never settled: \(model.live)") }
        try checkEnd()
    }

    /// Takes note of what got its verdict in this step.
    func takeSettled() -> [OutboxModel.Row] {
        defer { model.settled = [] }
        for row in model.settled { verdicts[row.id] = row.state }
        return model.settled
    }
}
