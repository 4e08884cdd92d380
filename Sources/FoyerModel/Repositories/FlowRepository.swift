/// The flows in the store.
public protocol FlowRepository: Sendable {
    /// The flow with its answers; nil when there is none with that identifier.
    func flow(_ id: UUIDv7) async throws(StoreError) -> SavedFlow?

    /// The open flow that was changed last, with its answers; none that is overdue.
    func newestOpenFlow() async throws(StoreError) -> SavedFlow?

    /// The flows that are open or submitted, without their answers, newest change first; none that is overdue.
    func unfinishedFlows() async throws(StoreError) -> Listing<SavedFlow>

    /// Gives an unfinished flow up; a submission that was surely never sent is taken out of the outbox with it.
    ///
    /// Where the network may have acted on the submission, the flow stays submitted: the next sync asks the network to
    /// refuse it, and what the network answers decides.
    /// - Throws: `flowClosed` when it has ended already.
    func cancel(_ id: UUIDv7, at now: Timestamp) async throws(StoreError) -> SavedFlow

    /// Gives up every open flow that is overdue: its secrets are destroyed, its answers stay until they are pruned. Also
    /// removes a portion of what the store's policy of retention does not keep.
    ///
    /// Time is what the store has seen pass: setting the machine's clock expires nothing.
    /// - Returns: how many there were.
    @discardableResult
    func expireFlows() async throws(StoreError) -> Int
}

/// The flows as the library itself works with them.
package protocol FlowStorage: FlowRepository {
    /// Writes everything that one input changed, in one transaction, and gives the flow as it then is.
    ///
    /// A flow of revision 0 is made. A finish whose submission is already in the outbox queues nothing twice.
    /// - Throws: `movedOn` when the store's revision is not the change's; `flowClosed` when the flow is not open.
    func commit(_ change: FlowChange) async throws(StoreError) -> SavedFlow

    /// The coordinator tree that was saved under a name, parents before their children.
    func tree(of host: String) async throws(StoreError) -> [CoordinatorNode]

    /// Saves a coordinator tree under a name, in place of what was saved there.
    func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError)
}
