public import FoyerModel

/// What a sync service tells while it works.
public enum SyncEvent: Sendable {
    /// A submission is about to be sent.
    case sending(UUIDv7, FlowKind)
    /// What became of a sending: such as `accepted`, `rejected`, `cancelled`, `unsent`, `retry`, `parked`; with what
    /// went wrong, where something did.
    case settled(UUIDv7, FlowKind, outcome: String, problem: String?)
    /// The network refused a field with a code that this program has no message for; the person is told that it was
    /// refused, and nothing of what the network wrote. What does not look like a code is `other`.
    case unknownCode(UUIDv7, field: String, code: String)
    /// A plan for a submission came too late and was not written: another worker has it.
    case tooLate(UUIDv7)
    /// There is nothing to send for the moment.
    case waiting(Backlog)
    /// The store cannot be read or written. It is tried again after a while, but not after `databaseGone`.
    case failed(StoreError)
}
