/// How much a store holds.
public struct StoreContents: Hashable, Sendable {
    /// The people.
    public let users: Int
    /// The flows that are open, or wait for the network.
    public let flows: Int
    /// The submissions without a verdict.
    public let submissions: Int

    /// Makes the counts.
    public init(users: Int, flows: Int, submissions: Int) {
        self.users = users
        self.flows = flows
        self.submissions = submissions
    }
}
