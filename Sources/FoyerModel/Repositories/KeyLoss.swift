/// What nobody can open any more once the lost key of a store is given up.
public struct KeyLoss: Sendable, Equatable {
    /// Open flows whose secret is asked again.
    public let flows: Int
    /// Submissions that wait, and whose secret is asked again before they can be sent.
    public let submissions: Int

    /// Makes the value.
    public init(flows: Int, submissions: Int) {
        self.flows = flows
        self.submissions = submissions
    }
}
