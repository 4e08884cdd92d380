extension OutboxRow {
    /// The submission after an event; nil when the event does not apply, and so changes nothing.
    ///
    /// Verdicts are facts: they settle any live submission, whoever tells them. Plans are made by the holder of the
    /// claim alone: an older fence than the row's is too late.
    package func after(_ event: OutboxEvent) -> OutboxRow? {
        switch event {
        case .claimed(let lease, let now): claimed(by: lease, at: now)
        case .begun(let fence, let now, let until): begun(fence, at: now, until: until)
        case .holderRetired(let worker, let now): state.lease?.worker == worker ? returned(at: now) : nil
        case .settled(.verdict(let verdict), _, _): state.isLive ? ended(verdict.ending, verdict.reason) : nil
        case .settled(.retry(let retry), let fence, let now):
            isHeld(under: fence) ? postponed(until: now + retry.delay, retry) : nil
        case .settled(.parked(let reason, let isUnsent), let fence, _):
            isHeld(under: fence) ? withoutClaim(isUnsent: isUnsent).parked(reason) : nil
        case .holderDied(let worker, let now): state.lease?.worker == worker ? abandoned(at: now) : nil
        case .leaseChecked(let now): (state.lease?.until).map { $0 < now } == true ? lapsed(at: now) : nil
        case .lifetimeChecked(let now): expiresAt.map { $0 <= now } == true ? outlived(at: now) : nil
        case .retryWanted(let now): isAtRest ? wantedAgain(at: now) : nil
        case .cancelWanted(let now): cancelled(at: now)
        case .foundationRefused: isAtRest ? withdrawn("what it builds on was refused") : nil
        }
    }

    /// Whether a plan made under that fence may be written.
    private func isHeld(under fence: Int64) -> Bool { state.lease != nil && self.fence == fence }

    /// Whether it is live and no worker has it.
    private var isAtRest: Bool { state.isLive && state.lease == nil }

    // MARK: Being sent

    private func claimed(by lease: Submission.State.Lease, at now: Timestamp) -> OutboxRow? {
        guard let due = state.due, due <= now else { return nil }
        guard let claims = claims.adding(1), let fence = fence.adding(1) else {
            return parked("its counters are at their limit: another program has changed the file")
        }
        var row = self
        row.state = .sending(lease, begun: false)
        row.claims = claims
        row.fence = fence
        return row
    }

    /// Only a lease that is not over is extended: after that another worker may be sending.
    private func begun(_ fence: Int64, at now: Timestamp, until end: Timestamp) -> OutboxRow? {
        guard isHeld(under: fence), var lease = state.lease, lease.until >= now else { return nil }
        lease.until = end
        var row = self
        row.state = .sending(lease, begun: true)
        return row
    }

    /// A claim that was not begun counts for nothing, and the submission is due at once; of one that was begun, nobody
    /// could write what became of it.
    private func returned(at now: Timestamp) -> OutboxRow {
        guard !state.hasBegun else { return lapsed(at: now) }
        var row = self
        row.state = .ready(due: now)
        row.claims = claims.adding(-1) ?? claims
        return row
    }

    /// The submission as its holder leaves it, in a state that the caller replaces: what was given back before it left
    /// may still be taken back.
    private func withoutClaim(isUnsent: Bool) -> OutboxRow {
        var row = self
        row.maybeSent = maybeSent || state.hasBegun && !isUnsent
        return row
    }

    private func parked(_ reason: String) -> OutboxRow {
        if isCancelWanted, !maybeSent { return withdrawn("given up") }
        var row = self
        row.state = .parked(reason: reason)
        return row
    }

    private func postponed(until due: Timestamp, _ retry: Settlement.Retry) -> OutboxRow {
        var row = withoutClaim(isUnsent: retry.isUnsent)
        if row.isCancelWanted, !row.maybeSent { return row.withdrawn("given up") }
        row.state = .ready(due: due)
        row.failures = failures.adding(retry.countsAsFailure ? 1 : 0) ?? failures
        row.lastError = retry.reason
        guard row.failures < Self.failuresBeforeParking else {
            return row.parked("it failed \(row.failures) times: \(retry.reason)")
        }
        return row
    }

    // MARK: Losing the holder

    private func abandoned(at now: Timestamp) -> OutboxRow {
        var row = withoutClaim(isUnsent: false)
        row.state = .ready(due: now)
        row.lastError = "its worker died"
        guard state.hasBegun else { return row }
        row.workerDeaths = workerDeaths.adding(1) ?? workerDeaths
        // The first time others were sent along with it, and any of them may have been the cause.
        guard row.workerDeaths <= Self.soloDeathsBeforeParking else {
            return row.parked("it was sent alone \(Self.soloDeathsBeforeParking) times, and each time the worker died")
        }
        return row
    }

    private func lapsed(at now: Timestamp) -> OutboxRow {
        var row = withoutClaim(isUnsent: false)
        row.state = .ready(due: now)
        row.lastError = "its worker fell silent"
        return row
    }

    // MARK: Coming to an end

    private func ended(_ ending: Submission.State.Ending, _ reason: String?) -> OutboxRow {
        var row = self
        row.state = .ended(ending, reason: reason)
        row.lastError = nil
        return row
    }

    /// What the network may have is not given up before it was asked; a sign-in has no lasting effect.
    private func outlived(at now: Timestamp) -> OutboxRow? {
        guard isAtRest else { return nil }
        guard maybeSent, kind != .login else { return ended(.expired, "it waited for too long") }
        return state.name == .parked ? wanted(at: now) : nil
    }

    private func withdrawn(_ reason: String) -> OutboxRow {
        guard maybeSent else { return ended(.cancelled, reason) }
        var row = self
        row.isCancelWanted = true
        return row
    }

    private func wanted(at now: Timestamp) -> OutboxRow {
        var row = self
        row.state = .ready(due: now)
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
        guard state.isLive else { return nil }
        guard state.lease == nil else {
            var row = self
            row.isCancelWanted = true
            return row
        }
        var row = withdrawn("given up")
        if row.state.isLive { row.state = .ready(due: now) }
        return row
    }
}

extension FixedWidthInteger {
    /// The sum; nil where it is too large, because any number can stand in a database.
    fileprivate func adding(_ other: Self) -> Self? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
