public import FoyerModel
import FoyerStore

extension AccountStore {
    /// Erases a person: their row, flows, answers, submissions and secrets, and what names them in the journal and in
    /// saved trees. Then looks through the files of the store, byte by byte, for everything that was erased.
    ///
    /// What was surely never sent is taken back with it. The account at the network stays, and so do backups. Killed
    /// anywhere, the person is wholly there or wholly gone; the next opening of the store finishes cleaning the files.
    /// - Throws: `notFound`; `inFlight` while the network may be acting for the person.
    public func erase(_ person: UUIDv7) async throws(StoreError) -> Erasure {
        let erasure = try await store.erase(person)
        log(
            LogLine(
                "person.erased",
                [
                    "subject": .id(erasure.subject), "flows": .count(erasure.flows),
                    "found": .word(erasure.proof.map { "\($0.hits)" } ?? "unknown"),
                ]))
        return erasure
    }

    /// Everything that the store has about a person, for them to have; never a secret.
    /// - Throws: `notFound`; `corrupt` when a row of theirs cannot be read.
    public func personalData(of person: UUIDv7) async throws(StoreError) -> PersonalData {
        try await store.personalData(of: person)
    }

    /// What `prune` would remove now.
    /// - Throws: `StoreError`.
    public func prunable() async throws(StoreError) -> RetentionPolicy.Pruned { try await store.prunable() }

    /// Removes everything that the retention policy does not keep, then rewrites the file so that no byte of it is
    /// left. Never an open flow, and never one whose submission has no verdict.
    /// - Throws: `StoreError`.
    public func prune() async throws(StoreError) -> RetentionPolicy.Pruned {
        let pruned = try await store.pruneAll()
        log(
            LogLine(
                "store.pruned",
                [
                    "flows": .count(pruned.flows), "submissions": .count(pruned.submissions),
                    "events": .count(pruned.events), "clean": .word(pruned.remnants == nil ? "yes" : "not yet"),
                ]))
        return pruned
    }
}
