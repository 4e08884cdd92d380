public import FoyerModel

/// Delivers what the outbox holds: claims, sends, and writes down what became of it.
///
/// Several services, also in several processes, may work on one store.
public actor SyncService {
    /// Nobody waits for longer without looking again while something is in the outbox.
    static let longestWait = Duration.seconds(60)
    /// How often a running service looks whether another process has written to the store.
    static let pollInterval = Duration.milliseconds(250)
    /// The same while others are sending: they may die.
    static let watchInterval = Duration.milliseconds(100)

    let outbox: any DeliveryQueue
    let network: any AccountNetwork
    let plan: SettlementPlan
    let environment: FoyerEnvironment
    let timeout: Duration
    let eventSource = Broadcast<SyncEvent>(keepingNewest: 1000)
    private let concurrency: Int
    /// The runs under way: one of `start`, and one of each `sync`.
    private var runs: [Run] = []
    private var loop: Task<Void, Never>?
    private var isStopping = false

    /// Makes a service; it does nothing before it is asked to.
    ///
    /// - Parameters:
    ///   - outbox: where the submissions are.
    ///   - network: where they go.
    ///   - definitions: the flows' steps, which own the fields that the network may refuse.
    ///   - concurrency: how many submissions are sent at once.
    ///   - timeout: how long an answer may take, at most 30 seconds.
    ///   - environment: the clocks, and chance for the delays.
    package init(
        outbox: any DeliveryQueue, network: any AccountNetwork, definitions: [FlowDefinition],
        concurrency: Int = 4, timeout: Duration = .seconds(30), environment: FoyerEnvironment = .system
    ) {
        self.outbox = outbox
        self.network = network
        self.plan = SettlementPlan(definitions: definitions.reduce(into: [:]) { $0[$1.kind] = $1 })
        self.concurrency = max(1, concurrency)
        self.timeout = min(timeout, .seconds(30))  // A claim holds for 45.
        self.environment = environment
    }

    /// What the service does from now on, until it is stopped; each listener has a stream of its own.
    public nonisolated var events: AsyncStream<SyncEvent> { eventSource.listen() }

    // MARK: One run

    /// Delivers what is due now.
    /// - Throws: `StoreError` when the outbox cannot be read or written; what was sent is then found out by the next run.
    public func syncOnce() async throws(StoreError) -> SyncReport {
        try await sync(waitingUpTo: .zero)
    }

    /// Delivers until nothing waits any more, or nothing that waits falls due within `timeout`.
    ///
    /// - Parameter timeout: how long to wait, from one verdict to the next, for a submission that is not due yet or
    ///   that another worker is sending.
    /// - Throws: `StoreError` when the outbox cannot be read or written; what was sent is then found out by the next run.
    ///   When something waits for its key: `keyMissing`, `wrongKey` or `unsafeKeyFile`, after all else was delivered.
    public func sync(waitingUpTo timeout: Duration) async throws(StoreError) -> SyncReport {
        let run = try begin()
        var failure: StoreError?
        do throws(StoreError) { try await work(run, waitingUpTo: timeout) } catch { failure = error }
        try await end(run, failure)
        // Tidying up is no part of what was asked for.
        try? await outbox.prune()
        if let missingKey = run.missingKey { throw missingKey }
        let backlog = try await outbox.backlog(for: network.endpoint)
        (run.report.waiting, run.report.elsewhere) = (backlog.waiting, backlog.elsewhere)
        return run.report
    }

    /// Delivers what is due until one submission has its verdict, and no longer than `limit`, whatever the network does.
    ///
    /// An open circuit breaker is probed at once. A send that is still under way then goes on, and gets its verdict.
    /// - Throws: `StoreError` when the outbox cannot be read or written in that time.
    public func deliver(_ submission: UUIDv7, within limit: Duration) async throws(StoreError) {
        let (ends, first) = AsyncStream.makeStream(
            of: Result<Void, StoreError>.self, bufferingPolicy: .bufferingOldest(1))
        // A person's own time, not the queue's.
        let timer = Task {
            try await Task.sleep(for: limit)
            first.yield(.success(()))
        }
        defer { timer.cancel() }
        Task {
            do throws(StoreError) {
                try await networkMayBeBack()
                let run = try begin()
                var failure: StoreError?
                do throws(StoreError) {
                    try await work(run, waitingUpTo: limit, for: submission)
                    first.yield(.success(()))
                } catch {
                    failure = error
                }
                try await end(run, failure)
                try? await outbox.prune()
            } catch {
                first.yield(.failure(error))
            }
        }
        for await end in ends { return try end.get() }
    }

    private func begin() throws(StoreError) -> Run {
        let run = Run(try outbox.makeWorker(), isEndless: false)
        runs.append(run)
        return run
    }

    /// Gives back what is still being sent, before the store is closed: whoever delivers next asks what became of it.
    package func giveBack() async {
        for run in runs { run.isGivenBack = true }
        for run in runs where run.hasClaimed || run.isClaiming { try? await outbox.retire(run.lease.worker) }
    }

    private func work(
        _ run: Run, waitingUpTo timeout: Duration, for submission: UUIDv7? = nil
    ) async throws(StoreError) {
        var waited = Duration.zero, verdicts = 0
        while !Task.isCancelled, !run.isGivenBack {
            let hasClaimed = try await fill(run)
            // What was being sent may all have ended meanwhile, and nothing was claimed in its place yet.
            let wasSending = run.isSending
            if wasSending {
                await run.wait()
                try run.check()
            }
            // The timeout starts anew with each verdict; a failed try uses it up.
            if run.report.verdicts > verdicts { (verdicts, waited) = (run.report.verdicts, .zero) }
            if let submission, !run.replacedKeys.contains(submission),
                try await outbox.submission(submission)?.state.isLive != true
            {
                return
            }
            if wasSending || hasClaimed { continue }
            let backlog = try await outbox.backlog(for: network.endpoint)
            guard let pause = Self.pause(for: backlog) else { return }
            // Somebody has to bring the key first.
            guard submission != nil || run.missingKey == nil else { return }
            guard waited + pause <= timeout, (try? await environment.sleep(pause)) != nil else { return }
            waited += pause
        }
    }

    /// How long to wait before looking again; nil when nothing will fall due by itself.
    private static func pause(for backlog: Backlog) -> Duration? {
        let waits = [backlog.nextDueIn, backlog.isSending ? pollInterval : nil].compactMap(\.self)
        // What is due and was not given to us is another run's matter for a moment.
        return waits.min().map { max($0, .milliseconds(1)) }
    }

    /// Waits for what is being sent, and gives back the rest.
    private func end(_ run: Run, _ failure: StoreError?) async throws(StoreError) {
        while run.isSending { await run.wait() }
        runs.removeAll { $0 === run }
        var failure = failure ?? run.failure
        do throws(StoreError) {
            if run.hasClaimed { try await outbox.retire(run.lease.worker) }
        } catch {
            failure = failure ?? error
        }
        if let failure { throw failure }
    }

    // MARK: Running

    /// Delivers from now on whatever falls due, until `stop`, or until it has told of `databaseGone`.
    public func start() {
        guard loop == nil else { return }
        isStopping = false
        loop = Task { await self.keepRunning() }
    }

    /// Stops what `start` has begun: waits for what is being sent, and gives back what is not.
    public func stop() async {
        isStopping = true
        ring()
        await loop?.value
        loop = nil
        eventSource.finish()
    }

    /// Probes at once an endpoint whose circuit breaker is open, such as when the device has a connection again; unless
    /// the endpoint itself has asked for time.
    /// - Throws: `StoreError` when the outbox cannot be written.
    public func networkMayBeBack() async throws(StoreError) {
        try await outbox.probeNow(network.endpoint)
        ring()
    }

    private func ring() {
        for run in runs { run.ring() }
    }

    private func keepRunning() async {
        let arrivals = outbox.arrivals()
        let listener = Task { for await _ in arrivals { self.ring() } }
        let connections = Task { for await _ in ConnectionChanges.stream() { try? await self.networkMayBeBack() } }
        defer {
            listener.cancel()
            connections.cancel()
        }
        var failures = 0
        while !isStopping {
            do {
                try await runUntilStopped { failures = 0 }
            } catch {
                eventSource.tell(.failed(error))
                // Nothing can be delivered from a file that has lost its name; who has the store open opens it anew.
                guard error.code != .databaseGone else { return }
                // A store that cannot be written is left alone for a while: nothing is claimed from it.
                let pause = Backoff.delay(
                    base: .seconds(1), cap: Self.longestWait, failures: failures, shortest: .milliseconds(250),
                    jitter: environment.jitter())
                failures += 1
                await rest(for: pause)
            }
        }
    }

    private func runUntilStopped(_ succeeded: () -> Void) async throws(StoreError) {
        let run = Run(try outbox.makeWorker(), isEndless: true)
        runs.append(run)
        var failure: StoreError?
        do throws(StoreError) {
            try await outbox.prune()
            while !isStopping {
                let count = try await outbox.changeCount()
                _ = try await fill(run)
                succeeded()
                let backlog = try await outbox.backlog(for: network.endpoint)
                if !run.isSending, backlog != run.told {
                    run.told = backlog
                    eventSource.tell(.waiting(backlog))
                }
                try await rest(run, backlog, since: count)
                try run.check()
            }
        } catch {
            failure = error
        }
        try await end(run, failure)
    }

    /// Waits until something may be due: by time, by a word from this process, or by a change of the store.
    private func rest(_ run: Run, _ backlog: Backlog, since count: Int64) async throws(StoreError) {
        let due = run.isFull(concurrency) ? nil : backlog.nextDueIn
        let end = environment.uptime() + min(Self.longestWait, due ?? Self.longestWait)
        while !isStopping {
            let left = end - environment.uptime()
            guard left > .zero else { return }
            let interval = backlog.isSending ? Self.watchInterval : Self.pollInterval
            if await run.wait(upTo: min(left, interval), environment.sleep) { return }
            if run.isFull(concurrency) { continue }
            if try await outbox.changeCount() != count { return }
            if backlog.isSending, try await outbox.hasAbandoned() { return }
        }
    }

    private func rest(for pause: Duration) async {
        let end = environment.uptime() + pause
        while !isStopping, environment.uptime() < end {
            try? await environment.sleep(min(Self.pollInterval, end - environment.uptime()))
        }
    }

    // MARK: Sending

    /// Sends what is due, as much as may be sent at once.
    /// - Returns: whether there was anything.
    private func fill(_ run: Run) async throws(StoreError) -> Bool {
        var hasClaimed = false
        while !(run.isEndless && isStopping), !run.isGivenBack, run.failure == nil, !run.isFull(concurrency) {
            if run.claimed.isEmpty {
                let isIdle = runs.allSatisfy { !$0.isBusy }
                run.isClaiming = true
                defer { run.isClaiming = false }
                run.claimed = try await outbox.claim(
                    concurrency, by: run.lease.worker, for: network.endpoint, isIdle: isIdle)
                if run.claimed.isEmpty { break }
                run.hasClaimed = true
                hasClaimed = true
            }
            let submission = run.claimed.removeFirst()
            run.sending.append(submission)
            Task {
                let result = await self.deliver(submission)
                run.finished(submission, result)
                run.ring()
            }
        }
        return hasClaimed
    }
}
