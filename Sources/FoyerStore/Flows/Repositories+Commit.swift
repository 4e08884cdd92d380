package import FoyerModel
import FoyerSQLite

extension Repositories {
    package func commit(_ change: FlowChange) async throws(StoreError) -> SavedFlow {
        let verifiers = await verifiers(of: change), endpoint = endpoint(for: change.flow)
        let flow = try await write { [vault, clock] db in
            let moment = try clock.mark(in: db), time = moment.time
            // The flow's row refers to the person. Who finishes for the second time is told of the flow, not of the row.
            let person = Result { try change.finish?.user.map { try Users.insert($0, in: db) } }
            if change.flow.revision == 0 {
                try insert(change, for: endpoint, at: time, with: vault, in: db)
            } else {
                try advance(change, for: endpoint, at: time, with: vault, in: db)
            }
            _ = try person.get()
            try refuseSecretsInTheClear(change, with: vault, in: db)
            try setAside(change, in: db)
            for answer in change.answers {
                try record(answer, of: change, at: time, sealing: vault, in: db)
            }
            switch change.outcome {
            case .open: break
            case .submitted(let finish):
                try submit(finish, of: change, to: endpoint, sealing: vault, queued: time, in: db)
            case .cancelled:
                let now = Moment(wall: change.at, time: time)
                try Flows.close(change.flow.id, as: .cancelled, reason: "given up", at: now, in: db)
            }
            try Verifiers.keep(verifiers, of: change.flow.id, with: vault, in: db)
            if let unsent = change.unsent { try keep(unsent, of: change.flow.id, with: vault, in: db) }
            try saveTree(of: change, in: db)
            return try Flows.find(after: change, at: moment, in: db).orNotFound("flow", change.flow.id)
        }
        if case .submitted = change.outcome { arrivalBell.tell(()) }
        return flow
    }

    package func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow {
        try await write { [vault] db in
            let flow = try Flows.find(id, with: vault, in: db).orNotFound("flow", id)
            guard flow.status.isUnfinished else { throw StoreError.closed(flow.status) }
            let outbox = try outbox(in: db)
            if flow.status == .submitted, let submission = try outbox.stored(flow.submissionID) {
                try outbox.apply(.cancelWanted(at: outbox.time), to: submission)
            } else {
                let now = Moment(wall: now, time: outbox.time)
                try Flows.close(id, as: .cancelled, reason: "given up", at: now, in: db)
            }
            return try Flows.find(id, with: vault, in: db).orNotFound("flow", id)
        }
    }
}

// MARK: - The parts of a commit

extension Repositories {
    /// The endpoint that a flow is for: the one that it was begun for, unless this store was opened for a named one.
    private func endpoint(for flow: SavedFlow) -> String {
        keepsEndpoints ? flow.endpoint ?? endpoint : endpoint
    }
}

extension FlowChange {
    /// What is submitted with it.
    fileprivate var finish: Finish? {
        if case .submitted(let finish) = outcome { finish } else { nil }
    }

    /// The state that the flow's row is written with; what ends a flow is written after that.
    fileprivate var status: SavedFlow.Status { finish == nil ? .open : .submitted }

    /// The network's refusal that is not answered yet, as `flows.refused` holds it: that of the next step before others.
    fileprivate var refused: String? {
        guard finish == nil else { return nil }
        let answered = Set(answers.map(\.step))
        let waiting = flow.answers.filter { $0.error != nil && $0.kept != .aside && !answered.contains($0.step) }
        let first = waiting.first { $0.step == step } ?? waiting.first
        return first.flatMap { answer in
            answer.error.map { FieldRefusal(step: answer.step, message: FieldMessage($0)).description }
        }
    }

    /// When the flow expires by the queue's clock, on which it is `time`: as long after the change as the change says.
    fileprivate func expiry(at time: Timestamp) -> Int64? {
        flow.expiresAt.map { (time + ($0 - at)).milliseconds }
    }
}

private func insert(
    _ change: FlowChange, for endpoint: String, at time: Timestamp, with vault: Vault, in db: Connection
) throws {
    let flow = change.flow
    let made = try db.run(
        """
        INSERT INTO flows (id, kind, path, status, fingerprint, step, revision, user_id, endpoint, submission_id,
            created_at, updated_at, expires_at, counted_from)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """,
        flow.id.text, flow.kind.rawValue, flow.path, change.status.rawValue, change.fingerprint, change.step,
        change.finish?.user?.id.text, endpoint, flow.submissionID.text, change.at.description, change.at.description,
        change.expiry(at: time), time.milliseconds)
    guard made == 1 else { throw try refusal(of: flow.id, with: vault, in: db) }
    try CircuitBreakers.remember(endpoint, at: change.at, in: db)
    try Events.add(.flowStarted(flow.kind), flow: flow.id, at: change.at, in: db)
}

/// Writes the flow's row if it still is what the change was decided on. (A revision at the largest number stays there:
/// another program has put it in, and a sum beyond it is no whole number.)
private func advance(
    _ change: FlowChange, for endpoint: String, at time: Timestamp, with vault: Vault, in db: Connection
) throws {
    let flow = change.flow
    let changed = try db.run(
        """
        UPDATE flows SET revision = revision + (revision < 9223372036854775807), status = ?1, fingerprint = ?2,
            step = ?3, updated_at = ?4, expires_at = ?5, counted_from = ?6, endpoint = ?7,
            user_id = CASE ?1 WHEN 'submitted' THEN ?8 ELSE user_id END, refused = ?11
        WHERE id = ?9 AND revision = ?10 AND status = 'open'
        """,
        change.status.rawValue, change.fingerprint, change.step, change.at.description, change.expiry(at: time),
        time.milliseconds, endpoint, change.finish?.user?.id.text, flow.id.text, flow.revision,
        change.refused)
    guard changed == 1 else { throw try refusal(of: flow.id, with: vault, in: db) }
}

/// Why a change does not fit the flow as it is now.
private func refusal(of id: UUIDv7, with vault: Vault, in db: Connection) throws -> StoreError {
    guard let present = try Flows.find(id, with: vault, in: db) else { return .flowGone }
    guard present.status == .open else { return .closed(present.status) }
    return StoreError(.movedOn, "This flow was changed elsewhere meanwhile; look at it again before going on.")
}

/// A line that was meant for another step, or a password that is typed twice, must not end where it can be read.
private func refuseSecretsInTheClear(_ change: FlowChange, with vault: Vault, in db: Connection) throws {
    guard change.flow.revision > 0 else { return }
    let texts = change.answers.compactMap { if case .clear(let text) = $0.content { text } else { nil } }
    guard try !Secrets.contain(texts, of: change.flow.id, with: vault, in: db) else {
        throw StoreError(
            .repeatedSecret,
            "This is the text of a secret answer, and is not kept where it can be read; nothing was saved.")
    }
}

private func record(
    _ answer: FlowChange.Answer, of change: FlowChange, at time: Timestamp, sealing vault: Vault, in db: Connection
) throws {
    let flow = change.flow.id
    let kept: SavedAnswer.Kept
    var value: String?
    switch answer.content {
    case .clear(let text):
        (kept, value) = (.clear, text)
    case .secret(let secret):
        kept = .sealed
        try Secrets.put(secret, of: change, step: answer.step, at: time, sealing: vault, in: db)
    case .sealed: return  // It lies in the store already.
    case nil: kept = .volatile
    }
    if kept != .sealed { try Secrets.destroy(of: flow, step: answer.step, in: db) }
    try db.run(
        """
        INSERT INTO flow_steps (flow_id, step, version, kept, value, error, seq, answered_at, counted_from)
        VALUES (?1, ?2, ?3, ?4, ?5, NULL,
            (SELECT coalesce(max(seq) + (max(seq) < 9223372036854775807), 1) FROM flow_steps WHERE flow_id = ?1), ?6, ?7)
        ON CONFLICT (flow_id, step) DO UPDATE SET version = excluded.version, kept = excluded.kept,
            value = excluded.value, error = NULL, seq = excluded.seq, answered_at = excluded.answered_at,
            counted_from = excluded.counted_from
        """,
        flow.text, answer.step, answer.version, kept.rawValue, value, change.at.description, time.milliseconds)
    try Events.add(.stepAnswered(answer.step), flow: flow, at: change.at, in: db)
}

/// Marks the answers that no step of the program asks for, and takes back those that a step asks for again.
private func setAside(_ change: FlowChange, in db: Connection) throws {
    guard let known = change.knownSteps?.joined(separator: " ") else { return }
    try db.run(
        """
        UPDATE flow_steps SET kept = 'aside'
        WHERE flow_id = ? AND (kept = 'clear' OR kept = 'sealed') AND instr(' ' || ? || ' ', ' ' || step || ' ') = 0
        """, change.flow.id.text, known)
    try db.run(
        """
        UPDATE flow_steps SET kept = CASE WHEN value IS NULL THEN 'sealed' ELSE 'clear' END
        WHERE flow_id = ? AND kept = 'aside' AND instr(' ' || ? || ' ', ' ' || step || ' ') > 0
        """, change.flow.id.text, known)
}

private func submit(
    _ finish: FlowChange.Finish, of change: FlowChange, to endpoint: String, sealing vault: Vault,
    queued time: Timestamp, in db: Connection
) throws {
    let flow = change.flow.id, submission = finish.submission
    for (step, secret) in finish.secrets {
        try Secrets.put(secret, of: change, step: step, at: time, sealing: vault, in: db)
    }
    let secrets = try Secrets.queue(of: flow, at: time, until: time + submission.kind.submissionLifetime, in: db)
    let signature =
        secrets > 0 ? try vault.signature(of: submission, to: endpoint, flow: flow, at: change.at, in: db) : nil
    try Submissions.insert(
        submission, to: endpoint, flow: flow, user: finish.user?.id, signature: signature, at: change.at, queued: time,
        in: db)
    try Events.add(
        .flowSubmitted, flow: flow, submission: submission.id, user: finish.user?.id, at: change.at, in: db)
}

private func keep(_ unsent: [String: String], of flow: UUIDv7, with vault: Vault, in db: Connection) throws {
    try db.run("DELETE FROM unsent_texts WHERE flow_id = ?", flow.text)
    for (step, text) in unsent where try !Secrets.contain([text], of: flow, with: vault, in: db) {
        try db.run("INSERT INTO unsent_texts (flow_id, step, text) VALUES (?, ?, ?)", flow.text, step, text)
    }
}

private func saveTree(of change: FlowChange, in db: Connection) throws {
    // The tree of a command ends with its flow.
    if case .cancelled = change.outcome, change.host == nil { return }
    try Trees.save(change.tree, of: change.host ?? change.flow.id.text, in: db)
}

extension Flows {
    /// Opens a submitted flow again; what it submits next is another submission, with a key of its own.
    static func reopen(
        _ id: UUIDv7, at step: String?, refused: String? = nil, nextSubmissionID next: UUIDv7, at now: Moment,
        in db: Connection
    ) throws {
        try db.run(
            """
            UPDATE flows SET status = 'open', step = ?, refused = ?, submission_id = ?,
                revision = revision + (revision < 9223372036854775807), updated_at = ?, counted_from = ?
            WHERE id = ? AND status = 'submitted'
            """, step, refused, next.text, now.wall.description, now.time.milliseconds, id.text)
        try Events.add(.flowReopened(step: step), flow: id, at: now.wall, in: db)
    }

    /// Ends a flow: its secrets are destroyed, a person that was only pending is taken out, its tree is forgotten.
    static func close(
        _ id: UUIDv7, as status: SavedFlow.Status, reason: String?, at now: Moment, in db: Connection
    ) throws {
        if status != .finished {
            try db.run(
                "DELETE FROM users WHERE status = 'pending' AND id = (SELECT user_id FROM flows WHERE id = ?)", id.text)
        }
        try db.run(
            """
            UPDATE flows SET status = ?, refused = NULL, revision = revision + (revision < 9223372036854775807),
                updated_at = ?, counted_from = ?
            WHERE id = ?
            """,
            status.rawValue, now.wall.description, now.time.milliseconds, id.text)
        try Secrets.destroyAll(of: id, in: db)
        try db.run("DELETE FROM unsent_texts WHERE flow_id = ?", id.text)
        try Trees.remove(id.text, in: db)
        try Events.add(.flowEnded(status, reason: reason), flow: id, at: now.wall, in: db)
    }
}
