extension OutboxRow {
    /// The submission after an event; nil when the event does not apply, and so changes nothing.
    ///
    /// Verdicts are facts: they settle any live submission, whoever tells them. Plans are made by the holder of the
    /// claim alone: an older fence than the row's is too late.
    package func after(_ event: OutboxEvent) -> OutboxRow? {
        switch event {
        case .claimed(let lease, let now): claimed(by: lease, at: now)
        case .begun(let fence, let now, let until): begun(fence, at: now, until: until)
        case .holderRetired(let worker, let now): lease?.worker == worker ? returned(at: now) : nil
        case .decided(let state, let reason): decided(state, reason)
        case .postponed(let fence, let due, let retry): isHeld(under: fence) ? postponed(until: due, retry) : nil
        case .parked(let fence, let reason, let isUnsent):
            isHeld(under: fence) ? released(isUnsent: isUnsent).parked(reason) : nil
        case .holderDied(let worker, let now): lease?.worker == worker ? abandoned(at: now) : nil
        case .leaseChecked(let now): (lease?.until).map { $0 < now } == true ? lapsed(at: now) : nil
        case .lifetimeChecked(let now): (expiresAt).map { $0 <= now } == true ? outlived(at: now) : nil
        case .retryWanted(let now): isWaiting || state == .parked ? wantedAgain(at: now) : nil
        case .cancelWanted(let now): cancelled(at: now)
        case .foundationRefused: isWaiting || state == .parked ? withdrawn("what it builds on was refused") : nil
        }
    }

    /// Whether a plan made under that fence may be written.
    private func isHeld(under fence: Int64) -> Bool { state == .sending && self.fence == fence }

    private var isWaiting: Bool { state == .ready }

    // MARK: Being sent

    private func claimed(by lease: Lease, at now: Timestamp) -> OutboxRow? {
        guard isWaiting, dueAt <= now else { return nil }
        guard let claims = claims.adding(1), let fence = fence.adding(1) else {
            return parked("its counters are at their limit: another program has changed the file")
        }
        var row = self
        row.state = .sending
        row.claims = claims
        row.fence = fence
        row.lease = lease
        return row
    }

    /// Only a lease that is not over is extended: after that somebody else may be sending.
    private func begun(_ fence: Int64, at now: Timestamp, until end: Timestamp) -> OutboxRow? {
        guard isHeld(under: fence), let lease, lease.until >= now else { return nil }
        var row = self
        row.hasBegun = true
        row.lease?.until = end
        return row
    }

    /// What was not begun is as if it had never been claimed; of what was, nobody could write what became of it.
    private func returned(at now: Timestamp) -> OutboxRow {
        guard !hasBegun else { return lapsed(at: now) }
        var row = released(isUnsent: true)
        row.claims = claims.adding(-1) ?? claims
        return row
    }

    /// The submission without its claim; what was given back before it left may still be taken back.
    private func released(isUnsent: Bool) -> OutboxRow {
        var row = self
        row.state = .ready
        row.lease = nil
        row.maybeSent = maybeSent || hasBegun && !isUnsent
        row.hasBegun = false
        return row
    }

    private func parked(_ reason: String) -> OutboxRow {
        if isCancelWanted, !maybeSent { return withdrawn("given up") }
        var row = self
        row.state = .parked
        row.reason = reason
        return row
    }

    private func postponed(until due: Timestamp, _ retry: Settlement.Retry) -> OutboxRow {
        var row = released(isUnsent: retry.isUnsent)
        if row.isCancelWanted, !row.maybeSent { return row.withdrawn("given up") }
        row.dueAt = due
        row.failures = failures.adding(retry.countsAsFailure ? 1 : 0) ?? failures
        row.lastError = retry.reason
        guard row.failures < Self.failuresBeforeParking else {
            return row.parked("it failed \(row.failures) times: \(retry.reason)")
        }
        return row
    }

    // MARK: Losing the holder

    private func abandoned(at now: Timestamp) -> OutboxRow {
        var row = released(isUnsent: false)
        row.dueAt = now
        row.lastError = "its worker died"
        guard hasBegun else { return row }
        row.workerDeaths = workerDeaths.adding(1) ?? workerDeaths
        // The first time others were sent along with it, and any of them may have been the cause.
        guard row.workerDeaths <= Self.soloDeathsBeforeParking else {
            return row.parked("it was sent alone \(Self.soloDeathsBeforeParking) times, and each time the worker died")
        }
        return row
    }

    private func lapsed(at now: Timestamp) -> OutboxRow {
        var row = released(isUnsent: false)
        row.dueAt = now
        row.lastError = "its worker fell silent"
        return row
    }

    // MARK: Coming to an end

    private func decided(_ state: Submission.State, _ reason: String?) -> OutboxRow? {
        guard self.state.isLive, !state.isLive else { return nil }
        var row = self
        row.state = state
        row.reason = reason
        row.lease = nil
        row.hasBegun = false
        row.lastError = nil
        return row
    }

    /// What the network may have is not given up before it was asked; a sign-in has no lasting effect.
    private func outlived(at now: Timestamp) -> OutboxRow? {
        guard isWaiting || state == .parked else { return nil }
        guard maybeSent, kind != .login else { return decided(.expired, "it waited for too long") }
        return state == .parked ? wanted(at: now) : nil
    }

    private func withdrawn(_ reason: String) -> OutboxRow {
        var row = self
        guard !maybeSent, let cancelled = decided(.cancelled, reason) else {
            row.isCancelWanted = true
            return row
        }
        return cancelled
    }

    private func wanted(at now: Timestamp) -> OutboxRow {
        var row = self
        row.state = .ready
        row.reason = nil
        row.dueAt = now
        row.failures = 0
        row.workerDeaths = min(row.workerDeaths, 1)  // Still alone, with all its chances.
        return row
    }

    private func wantedAgain(at now: Timestamp) -> OutboxRow {
        var row = wanted(at: now)
        row.isCancelWanted = false
        return row
    }

    private func cancelled(at now: Timestamp) -> OutboxRow? {
        switch state {
        case .ready, .parked:
            var row = withdrawn("given up")
            if row.state.isLive {
                row.state = .ready
                row.reason = nil
                row.dueAt = now
            }
            return row
        case .sending:
            var row = self
            row.isCancelWanted = true
            return row
        case .accepted, .rejected, .cancelled, .expired: return nil
        }
    }
}

extension FixedWidthInteger {
    /// The sum; nil where it is too large, because any number can stand in a database.
    fileprivate func adding(_ other: Self) -> Self? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
