package import FoyerModel
import FoyerSQLite

/// What deliverers write need not be on the disk when it returns: after a loss of power the rows are as they were
/// before, are sent once more under the same keys, and are answered with the same verdicts.
extension Repositories {
    /// The outbox in a transaction that writes.
    func outbox(in db: Connection) throws -> Outbox {
        try Outbox(db, clock: clock, environment: environment)
    }

    package func claim(
        _ limit: Int, by worker: WorkerID, for endpoint: String, isIdle: Bool
    ) async throws(StoreError) -> [ClaimedSubmission] {
        try await write(durability: .normal) { db in
            let outbox = try outbox(in: db)
            try outbox.rescue(except: worker, isDead: workers.isDead)
            try outbox.expire()
            return try outbox.claim(limit, by: worker, for: endpoint, isIdle: isIdle)
        }
    }

    package func begin(_ submission: ClaimedSubmission) async throws(StoreError) -> Bool {
        try await write(durability: .normal) { db in try outbox(in: db).begin(submission) }
    }

    package func retire(_ worker: WorkerID) async throws(StoreError) {
        try await write { db in try outbox(in: db).retire(worker) }
    }

    package func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport, httpStatus: Int?
    ) async throws(StoreError) -> Bool {
        try await write(durability: .normal) { [vault] db in
            var verifier: Secret?
            if case .verdict(.accepted) = settlement, let flow = submission.flowID {
                verifier = try Verifiers.pending(of: flow, with: vault, in: db)
            }
            let outbox = try outbox(in: db)
            let isWritten = try outbox.settle(submission, settlement, report, httpStatus: httpStatus)
            if isWritten, case .retry(let retry) = settlement, let moment = retry.newKeyTime {
                try outbox.replaceKey(of: submission.id, for: moment, signing: vault)
            }
            if isWritten, let verifier {
                try Verifiers.accept(verifier, with: submission.id, at: outbox.time, vault: vault, in: db)
            }
            return isWritten
        }
    }

    package func retry(_ id: UUIDv7) async throws(StoreError) -> Submission {
        try await change(id) { .retryWanted(at: $0) }
    }

    package func cancel(_ id: UUIDv7) async throws(StoreError) -> Submission {
        try await change(id) { .cancelWanted(at: $0) }
    }

    package func redirect(_ id: UUIDv7, to endpoint: String) async throws(StoreError) -> Submission {
        let submission = try await write { [vault] db in
            let outbox = try outbox(in: db)
            let stored = try outbox.stored(id).orNotFound("submission", id.text)
            guard try outbox.apply(.retryWanted(at: outbox.time), to: stored) != nil else {
                throw StoreError.tooLate(stored.row.state)
            }
            try outbox.move(stored, to: endpoint, signingWith: vault)
            return try Submissions.find(id, in: db).orNotFound("submission", id.text)
        }
        arrivalBell.tell(())
        return submission
    }

    private func change(
        _ id: UUIDv7, _ event: @escaping @Sendable (Timestamp) -> OutboxEvent
    ) async throws(StoreError) -> Submission {
        let submission = try await write { [vault] db in
            let outbox = try outbox(in: db)
            let stored = try outbox.stored(id).orNotFound("submission", id)
            let event = event(outbox.time)
            guard try outbox.apply(event, to: stored) != nil else { throw StoreError.tooLate(stored.row.state) }
            guard case .retryWanted = event, stored.row.state == .parked(reason: OutboxRow.forgotten) else {
                return try Submissions.find(id, in: db).orNotFound("submission", id)
            }
            let key = try outbox.replaceKey(of: id, for: outbox.now, signing: vault)
            return try Submissions.find(key, in: db).orNotFound("submission", key)
        }
        arrivalBell.tell(())
        return submission
    }

    package func probeNow(_ endpoint: String) async throws(StoreError) {
        try await write { db in try outbox(in: db).probeNow(endpoint) }
    }

    package func backlog(for endpoint: String?) async throws(StoreError) -> Backlog {
        try await read { [clock] db in
            var elsewhere = try Submissions.waitingCounts(in: db)
            let waiting = elsewhere.values.reduce(0, +)
            if let endpoint { elsewhere[endpoint] = nil } else { elsewhere = [:] }
            let time = try clock.now(in: db)
            var due = try Submissions.firstDue(at: endpoint, in: db)
            if let endpoint, case .nobody(let until) = try CircuitBreakers.find(endpoint, in: db).permission(at: time) {
                due = due.map { max($0, until) }
            }
            return Backlog(
                waiting: waiting, elsewhere: elsewhere, nextDueIn: due.map { max(.zero, $0 - time) },
                isSending: try Submissions.isSending(to: endpoint, in: db))
        }
    }

    package func changeCount() async throws(StoreError) -> Int64 {
        do { return try database.dataVersion() } catch { throw StoreError(error) }
    }

    package func hasAbandoned() async throws(StoreError) -> Bool {
        try await read { [workers, clock] db in
            let leases = try db.rows(
                "SELECT lease_worker, max(lease_until) FROM submissions WHERE lease_worker IS NOT NULL GROUP BY lease_worker"
            ) { (worker: try $0.text(0), until: try $0.milliseconds(1)) }
            guard !leases.isEmpty else { return false }
            let time = try clock.now(in: db)
            return leases.contains { $0.until < time || workers.isDead($0.worker) }
        }
    }

    package func arrivals() -> AsyncStream<Void> { arrivalBell.listen() }
}

extension StoreError {
    fileprivate static func tooLate(_ state: Submission.State) -> StoreError {
        StoreError(.flowClosed, "This submission is \(state.name.rawValue); it is too late for that.")
    }
}
