/// How much a store holds.
package struct StoreContents: Hashable, Sendable {
    /// The people.
    package let users: Int
    /// The flows that are open, or wait for the network.
    package let flows: Int
    /// The submissions without a verdict.
    package let submissions: Int

    /// Makes the counts.
    package init(users: Int, flows: Int, submissions: Int) {
        self.users = users
        self.flows = flows
        self.submissions = submissions
    }
}
