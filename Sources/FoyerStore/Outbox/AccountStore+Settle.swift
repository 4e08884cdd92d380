public import FoyerModel
import FoyerSQLite

extension AccountStore {
    public func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, httpStatus: Int?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        let makeID = environment.makeID
        return try await write { db in
            let settling = Settling(submission: submission, httpStatus: httpStatus, now: now, db: db)
            try settling.endAttempt(settlement)
            switch settlement {
            case .accepted(let remoteID): return try settling.accept(remoteID: remoteID, newUserID: makeID())
            case .rejected(let refusals): return try settling.reject(refusals, nextSubmissionID: makeID())
            case .retry(let retry): return try settling.plan(retry)
            case .parked(let reason, _): return try settling.park(reason)
            }
        }
    }
}

/// One settle transaction.
private struct Settling {
    let submission: ClaimedSubmission
    let httpStatus: Int?
    let now: Timestamp
    let db: Connection

    func endAttempt(_ settlement: Settlement) throws {
        var outcome = settlement.outcome
        var error: String?
        switch settlement {
        case .retry(let retry):
            if retry.isUnsent { outcome = "unsent" }
            error = retry.reason
        case .parked(let reason, let isUnsent):
            if isUnsent { outcome = "unsent" }
            error = reason
        case .accepted, .rejected: break
        }
        try db.run(
            """
            UPDATE submission_attempts SET ended_at = ?, outcome = ?, http_status = ?, error = ?
            WHERE submission_id = ? AND fence = ? AND (ended_at IS NULL OR outcome = 'lapsed')
            """, now.description, outcome, httpStatus, error, submission.id.text, submission.fence)
    }

    // MARK: Facts: true whoever tells them, as long as the submission has no verdict yet

    func accept(remoteID: String?, newUserID: UUIDv7) throws -> Bool {
        guard try decide("accepted", reason: nil) else { return false }
        let user = try confirmedUser(remoteID, newUserID)
        try Events.add(
            "submission accepted", flow: submission.flowID, submission: submission.id, user: user, at: now, in: db)
        if let flow = submission.flowID {
            try Flows.close(flow, as: .finished, reason: nil, at: now, in: db)
        }
        return true
    }

    /// The person whom the network has confirmed: one it has named before, the pending one, or one who just signed in.
    private func confirmedUser(_ remoteID: String?, _ newUserID: UUIDv7) throws -> UUIDv7? {
        let pending = try userID()
        guard let remoteID else {
            if let pending { try activate(pending, remoteID: nil) }
            return pending
        }
        let known = try db.first("SELECT id FROM users WHERE remote_id = ?", remoteID) { try $0.id(0) }
        let user: UUIDv7
        if let known {
            user = known
            if let pending, pending != known { try Users.removePending(pending, in: db) }
        } else if let pending {
            user = pending
        } else if submission.kind == .login {
            user = newUserID
            try Users.insert(try signedIn(as: user), in: db)
        } else {
            return nil
        }
        try link(to: user)
        try activate(user, remoteID: remoteID)
        return user
    }

    private func signedIn(as id: UUIDv7) throws -> User {
        let userName = try db.first(
            "SELECT value FROM flow_steps WHERE flow_id = ? AND step = 'userName' AND kept = 'clear'",
            submission.flowID?.text
        ) { try $0.textOrNil(0) }
        return User(id: id, userName: userName ?? nil, status: .pending, createdAt: now, updatedAt: now)
    }

    private func link(to user: UUIDv7) throws {
        try db.run("UPDATE submissions SET user_id = ? WHERE id = ?", user.text, submission.id.text)
        try db.run("UPDATE flows SET user_id = ? WHERE id = ?", user.text, submission.flowID?.text)
    }

    private func activate(_ user: UUIDv7, remoteID: String?) throws {
        try db.run(
            "UPDATE users SET status = 'active', remote_id = coalesce(?, remote_id), updated_at = ? WHERE id = ?",
            remoteID, now.description, user.text)
    }

    func reject(_ refusals: [FieldRefusal], nextSubmissionID: UUIDv7) throws -> Bool {
        let reason = refusals.map { "\($0.step): \($0.message.id)" }.joined(separator: ", ")
        guard try decide("rejected", reason: reason) else { return false }
        try Events.add(
            "submission rejected", flow: submission.flowID, submission: submission.id, detail: reason, at: now, in: db)
        if let user = try userID() { try Users.removePending(user, in: db) }
        if submission.kind == .register { try cancelDependents() }
        if let flow = submission.flowID, let first = refusals.first {
            try reopen(flow, at: first.step, refusals, nextSubmissionID)
        }
        return true
    }

    /// Opens the flow again at the first refused step, with every other answer as it was; what is corrected becomes
    /// another submission, with a key of its own.
    private func reopen(_ flow: UUIDv7, at step: String, _ refusals: [FieldRefusal], _ next: UUIDv7) throws {
        try Flows.reopen(flow, at: step, nextSubmissionID: next, at: now, in: db)
        for refusal in refusals {
            try db.run(
                "UPDATE flow_steps SET error = ? WHERE flow_id = ? AND step = ?",
                refusal.message.id, flow.text, refusal.step)
            try Secrets.destroy(of: flow, step: refusal.step, in: db)
        }
        try Secrets.destroyVolatile(of: flow, in: db)
        try Secrets.keep(of: flow, until: now + Secrets.lifetimeWhileOpen, in: db)
    }

    /// What waits behind a registration in its lane builds on the account that was refused, and was never sent.
    ///
    /// A sign-in or a new password builds on none before it: a right password after a wrong one has to be sent.
    private func cancelDependents() throws {
        let reason = "what it depends on was refused"
        // The three states are the terms of the lane's index, which is used only where they stand.
        let dependents = try db.rows(
            """
            UPDATE submissions SET state = 'cancelled', reason = ?, settled_at = ?
            WHERE state IN ('ready', 'sending', 'parked') AND state <> 'sending'
                AND lane = (SELECT lane FROM submissions WHERE id = ?3)
                AND seq > (SELECT seq FROM submissions WHERE id = ?3)
            RETURNING flow_id
            """, reason, now.description, submission.id.text
        ) { try $0.idOrNil(0) }
        for case let flow? in dependents {
            try Flows.close(flow, as: .cancelled, reason: reason, at: now, in: db)
        }
    }

    private func decide(_ state: String, reason: String?) throws -> Bool {
        try db.run(
            """
            UPDATE submissions SET state = ?, reason = ?, http_status = ?, settled_at = ?,
                lease_worker = NULL, lease_until = NULL, last_error = NULL
            WHERE id = ? AND state IN ('ready', 'sending', 'parked')
            """, state, reason, httpStatus, now.description, submission.id.text) == 1
    }

    private func userID() throws -> UUIDv7? {
        try db.first("SELECT user_id FROM submissions WHERE id = ?", submission.id.text) { try $0.idOrNil(0) } ?? nil
    }

    // MARK: Plans: only the holder of the claim may make them

    func plan(_ retry: Settlement.Retry) throws -> Bool {
        try release(
            as: "ready", dueAt: now + retry.delay, strikes: retry.isStrike ? 1 : 0, lastError: retry.reason)
    }

    func park(_ reason: String) throws -> Bool {
        guard try release(as: "parked", reason: reason) else { return false }
        try Events.add(
            "submission parked", flow: submission.flowID, submission: submission.id, detail: reason, at: now, in: db)
        return true
    }

    /// Gives up the claim; what was never sent may be taken back, unless an earlier try may have arrived.
    private func release(
        as state: String, reason: String? = nil, dueAt: Timestamp? = nil, strikes: Int = 0, lastError: String? = nil
    ) throws -> Bool {
        try db.run(
            """
            UPDATE submissions SET state = ?, reason = ?, due_at = coalesce(?, due_at), strikes = strikes + ?,
                http_status = ?, last_error = ?, lease_worker = NULL, lease_until = NULL, maybe_sent = EXISTS (
                    SELECT 1 FROM submission_attempts AS attempt
                    WHERE attempt.submission_id = submissions.id AND attempt.outcome IS NOT 'unsent')
            WHERE id = ? AND state = 'sending' AND fence = ?
            """, state, reason, dueAt?.milliseconds, strikes, httpStatus, lastError, submission.id.text,
            submission.fence) == 1
    }
}
