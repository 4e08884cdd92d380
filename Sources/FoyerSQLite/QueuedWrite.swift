/// How sure a write is when it returns.
public enum Durability: Sendable {
    /// On the disk: neither a crash of the program nor a loss of power undoes it.
    case full
    /// A crash of the program does not undo it. A loss of power may, together with all that was written since: the
    /// file is whole then, and as it was a moment before.
    case normal
}

/// A write that waits for the writer, and who waits for it.
struct QueuedWrite: Sendable {
    let durability: Durability
    /// Whether it has to be the only one in its transaction.
    let isAlone: Bool
    /// Writes, inside a transaction; what it returns tells the caller, once that is committed.
    let perform: @Sendable (Connection) throws -> @Sendable () -> Void
    /// Tells the caller that nothing was written.
    let fail: @Sendable (any Error) -> Void
}

extension Connection {
    /// Commits writes in one transaction, and tells the caller of each what became of it.
    ///
    /// Each has a savepoint of its own: one that throws is undone, and its neighbours are not. Where the commit fails,
    /// or SQLite gives up the whole transaction, each is done once more by itself.
    func commit(_ writes: [QueuedWrite], checking check: (Connection) throws -> Void) {
        var answers: [@Sendable () -> Void] = []
        do {
            try synchronize(writes.contains { $0.durability == .full } ? .full : .normal)
            try begin(check)
        } catch {
            for write in writes { write.fail(error) }
            return
        }
        do {
            for write in writes { answers.append(try answer(of: write, amongOthers: writes.count > 1)) }
            try run("COMMIT")
        } catch {
            if isInTransaction { _ = try? run("ROLLBACK") }
            guard writes.count > 1 else {
                for write in writes { write.fail(error) }
                return
            }
            for write in writes { commit([write], checking: check) }
            return
        }
        for answer in answers { answer() }
    }

    private func begin(_ check: (Connection) throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try check(self)
        } catch {
            if isInTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// Does a write, and gives what its caller is told after the commit.
    /// - Throws: where there is nothing left to be committed.
    private func answer(of write: QueuedWrite, amongOthers: Bool) throws -> @Sendable () -> Void {
        guard amongOthers else { return try write.perform(self) }
        do {
            return try savepoint { try write.perform(self) }
        } catch {
            guard isInTransaction else { throw error }
            return { write.fail(error) }
        }
    }
}
