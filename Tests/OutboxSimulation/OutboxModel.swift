import FoyerModel

/// What the outbox should be, in as few words as possible: lists in memory instead of tables, and rules written down
/// a second time.
struct OutboxModel {
    struct Row: Equatable {
        let seq: Int64
        let id: UUIDv7
        let lane: String
        let kind: FlowKind
        var expires: Timestamp
        var state = "ready"
        var due: Timestamp
        var fence: Int64 = 0
        var failures = 0
        var workerDeaths = 0
        var maybeSent = false
        var begun = false
        var cancel = false
        var worker: WorkerID?
        var until: Timestamp?

        var isLive: Bool { ["ready", "sending", "parked"].contains(state) }
    }

    /// What has no verdict yet, oldest first.
    private(set) var live: [Row] = []
    /// What got its verdict since somebody looked.
    var settled: [Row] = []
    var breaker = CircuitBreaker()

    mutating func add(_ row: Row) { live.append(row) }

    mutating func expire(_ id: UUIDv7, at end: Timestamp) { change(id) { $0.expires = end } }

    func row(_ id: UUIDv7) -> Row? { live.first { $0.id == id } }

    private mutating func change(_ id: UUIDv7, _ body: (inout Row) -> Void) {
        guard let index = live.firstIndex(where: { $0.id == id }) else { return }
        body(&live[index])
        if !live[index].isLive { settled.append(live.remove(at: index)) }
    }

    private static func free(_ row: inout Row, arrived: Bool) {
        row.state = "ready"
        row.maybeSent = row.maybeSent || (row.begun && arrived)
        row.begun = false
        row.worker = nil
        row.until = nil
    }

    // MARK: What happens

    /// What every claim does first: the dead, the silent, the old.
    mutating func sweep(by me: WorkerID, isAlive: (WorkerID) -> Bool, at now: Timestamp) {
        for id in live.map(\.id) {
            change(id) { row in
                if row.state == "sending", let worker = row.worker, worker != me, !isAlive(worker) {
                    let begun = row.begun
                    Self.free(&row, arrived: true)
                    row.due = now
                    if begun { row.workerDeaths += 1 }
                    if row.workerDeaths == 4, begun { row.state = "parked" }
                }
                if row.state == "sending", let until = row.until, until < now {
                    Self.free(&row, arrived: true)
                    row.due = now
                }
                guard row.expires <= now, row.state != "sending" else { return }
                if !row.maybeSent || row.kind == .login {
                    row.state = "expired"
                } else if row.state == "parked" {
                    Self.revive(&row, at: now)
                }
            }
        }
        if let prober = breaker.prober, prober != me, !isAlive(prober) {
            breaker = breaker.abandoned(by: prober, at: now)
        }
    }

    private static func revive(_ row: inout Row, at now: Timestamp) {
        row.state = "ready"
        row.due = now
        row.failures = 0
        row.workerDeaths = min(row.workerDeaths, 1)
    }

    /// What a worker should get.
    mutating func claim(_ limit: Int, by worker: WorkerID, isIdle: Bool, at now: Timestamp) -> [UUIDv7] {
        let until = now + .seconds(45)
        if let pause = breaker.pause, pause.until > now { return [] }
        let isProbe = breaker.pause != nil
        let heads = live.filter { row in
            row.state == "ready" && row.due <= now && !live.contains { $0.lane == row.lane && $0.seq < row.seq }
        }
        var ids: [UUIDv7] = []
        for row in heads.sorted(by: { ($0.due, $0.seq) < ($1.due, $1.seq) }).prefix(isProbe ? 1 : limit) {
            if row.workerDeaths > 0, !isIdle || !ids.isEmpty { break }
            ids.append(row.id)
            if row.workerDeaths > 0 { break }
        }
        for id in ids {
            change(id) { row in
                row.state = "sending"
                row.fence += 1
                row.worker = worker
                row.until = until
            }
        }
        if isProbe, !ids.isEmpty { breaker = breaker.probed(by: worker, until: until) }
        return ids
    }

    private func holds(_ id: UUIDv7, _ fence: Int64) -> Bool {
        row(id).map { $0.state == "sending" && $0.fence == fence } == true
    }

    mutating func begin(_ id: UUIDv7, _ fence: Int64, at now: Timestamp) -> Bool {
        guard holds(id, fence), let until = row(id)?.until, until >= now else { return false }
        change(id) {
            $0.begun = true
            $0.until = now + .seconds(45)
        }
        return true
    }

    mutating func settle(
        _ id: UUIDv7, _ fence: Int64, _ settlement: Settlement, at now: Timestamp
    ) -> Bool {
        guard let before = row(id) else { return false }
        switch settlement {
        case .verdict(.accepted): change(id) { $0.state = "accepted" }
        case .verdict(.cancelled): change(id) { $0.state = "cancelled" }
        case .verdict(.expired): change(id) { $0.state = "expired" }
        case .verdict(.rejected):
            change(id) { $0.state = "rejected" }
            guard before.kind == .register else { return true }
            for row in live where row.lane == before.lane && row.seq > before.seq {
                change(row.id) { $0.state = "cancelled" }
            }
        case .parked(_, let isUnsent):
            guard holds(id, fence) else { return false }
            change(id) { row in
                Self.free(&row, arrived: !isUnsent)
                row.state = row.cancel && !row.maybeSent ? "cancelled" : "parked"
            }
        case .retry(let retry):
            guard holds(id, fence) else { return false }
            change(id) { row in
                Self.free(&row, arrived: !retry.isUnsent)
                if row.cancel, !row.maybeSent {
                    row.state = "cancelled"
                    return
                }
                row.due = now + retry.delay
                if retry.countsAsFailure { row.failures += 1 }
                if row.failures >= 25 { row.state = "parked" }
            }
        }
        return true
    }

    mutating func retire(_ worker: WorkerID, at now: Timestamp) {
        for row in live where row.worker == worker {
            change(row.id) { row in
                Self.free(&row, arrived: true)
                row.due = now
            }
        }
        breaker = breaker.abandoned(by: worker, at: now)
    }

    mutating func cancel(_ id: UUIDv7, at now: Timestamp) {
        change(id) { row in
            if row.state != "sending" {
                row.state = row.maybeSent ? "ready" : "cancelled"
                row.due = now
            }
            row.cancel = true
        }
    }

    mutating func retry(_ id: UUIDv7, at now: Timestamp) {
        change(id) { row in
            guard row.state != "sending" else { return }
            Self.revive(&row, at: now)
            row.cancel = false
        }
    }
}
