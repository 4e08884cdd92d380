package import FoyerModel
import FoyerSQLite

extension Outbox {
    /// Writes what became of a sending, and what that means for its flow and its person.
    package func settle(
        _ submission: ClaimedSubmission, _ settlement: Settlement, _ report: EndpointReport, httpStatus: Int?
    ) throws -> Bool {
        try endAttempt(
            of: submission.id, fence: submission.fence, outcome: settlement.outcome, httpStatus: httpStatus,
            error: settlement.problem)
        try self.report(report, of: submission)
        guard let stored = try stored(submission.id) else { return false }
        let event = OutboxEvent.settled(settlement, fence: submission.fence, at: time)
        guard let row = try apply(event, to: stored, httpStatus: httpStatus) else { return false }
        let consequences = Consequences(stored: stored, isCancelWanted: row.isCancelWanted, outbox: self)
        switch settlement {
        case .verdict(.accepted(let remoteID)): try consequences.accept(remoteID: remoteID)
        case .verdict(.rejected(let refusals)): try consequences.reject(refusals)
        case .verdict(.cancelled), .verdict(.expired), .retry, .parked: break
        }
        return true
    }

    /// Gives a submission that waits another key, made for that moment. The network surely never had it, or a person has
    /// looked there.
    @discardableResult
    func replaceKey(of id: UUIDv7, for moment: Timestamp, signing vault: Vault) throws -> UUIDv7 {
        guard let stored = try stored(id), stored.row.state.due != nil else { return id }
        // Not by the maker of this process, whose identifiers never go back: its clock may have been ahead.
        var maker = UUIDv7.Maker(), random = SystemRandomNumberGenerator()
        let key = maker.next(at: moment, using: &random)
        try vault.replaceKey(of: id, by: key, in: db)
        try db.run("UPDATE flows SET submission_id = ? WHERE id = ?", key.text, stored.flow?.text)
        try note(.submissionKeyReplaced(by: key), stored)
        return key
    }

    /// Writes the end of a sending, unless it stands there; what counted as lapsed may still tell its end.
    func endAttempt(
        of submission: UUIDv7, fence: Int64, outcome: String, httpStatus: Int? = nil, error: String? = nil
    ) throws {
        try db.run(
            """
            UPDATE submission_attempts SET ended_at = ?, outcome = ?, http_status = ?, error = ?
            WHERE submission_id = ? AND fence = ? AND (ended_at IS NULL OR outcome = 'lapsed')
            """, now.description, outcome, httpStatus, error, submission.text, fence)
    }
}

/// What the network's verdict means for the flow and the person, in its settle transaction.
private struct Consequences {
    let stored: Outbox.Stored
    let isCancelWanted: Bool
    let outbox: Outbox

    private var db: Connection { outbox.db }
    private var now: Timestamp { outbox.now }

    func accept(remoteID: String?) throws {
        let user = try confirmedUser(remoteID)
        try outbox.note(.submissionAccepted(isTooLateToCancel: isCancelWanted), stored, user: user)
        if let flow = stored.flow { try Flows.close(flow, as: .finished, reason: nil, at: outbox.moment, in: db) }
    }

    /// The person whom the network has confirmed: one it has named before, the pending one, or one who just signed in.
    private func confirmedUser(_ remoteID: String?) throws -> UUIDv7? {
        let pending = stored.user
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
        } else if stored.row.kind == .login {
            user = outbox.makeID()
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
            stored.flow?.text
        ) { try $0.textOrNil(0) }
        return User(id: id, userName: userName ?? nil, status: .pending, createdAt: now, updatedAt: now)
    }

    private func link(to user: UUIDv7) throws {
        try db.run("UPDATE submissions SET user_id = ? WHERE id = ?", user.text, stored.id.text)
        try db.run("UPDATE flows SET user_id = ? WHERE id = ?", user.text, stored.flow?.text)
    }

    private func activate(_ user: UUIDv7, remoteID: String?) throws {
        try db.run(
            "UPDATE users SET status = 'active', remote_id = coalesce(?, remote_id), updated_at = ? WHERE id = ?",
            remoteID, now.description, user.text)
    }

    func reject(_ refusals: [FieldRefusal]) throws {
        try outbox.note(.submissionRejected(steps: refusals.compactMap(\.step)), stored)
        if let user = stored.user { try Users.removePending(user, in: db) }
        if stored.row.kind == .register { try cancelDependents() }
        guard let flow = stored.flow, let first = refusals.first else { return }
        if isCancelWanted {
            try Flows.close(flow, as: .cancelled, reason: "given up", at: outbox.moment, in: db)
        } else {
            try reopen(flow, first, refusals)
        }
    }

    /// Opens the flow again at the first refused step, with every other answer as it was; what is corrected becomes
    /// another submission, with a key of its own.
    private func reopen(_ flow: UUIDv7, _ first: FieldRefusal, _ refusals: [FieldRefusal]) throws {
        try Flows.reopen(
            flow, at: first.step, refused: first.description, nextSubmissionID: outbox.makeID(), at: outbox.moment,
            in: db)
        for refusal in refusals {
            guard let step = refusal.step else { continue }
            try db.run(
                "UPDATE flow_steps SET error = ? WHERE flow_id = ? AND step = ?", refusal.message.id, flow.text, step)
            try Secrets.destroy(of: flow, step: step, in: db)
        }
        try Secrets.destroyVolatile(of: flow, in: db)
        try Secrets.keepOpen(of: flow, from: outbox.time, in: db)
    }

    /// What waits behind a registration in its lane builds on the account that was refused, and was never sent.
    ///
    /// A sign-in or a new password builds on none before it: a right password after a wrong one has to be sent.
    private func cancelDependents() throws {
        let dependents = try db.rows(
            """
            SELECT seq FROM submissions
            WHERE settled_at IS NULL AND seq > ?1
                AND (endpoint, lane) = (SELECT endpoint, lane FROM submissions WHERE seq = ?1)
            """, stored.seq
        ) { try $0.integer(0) }
        for dependent in try outbox.readable(dependents) {
            try outbox.apply(.foundationRefused, to: dependent)
        }
    }
}
