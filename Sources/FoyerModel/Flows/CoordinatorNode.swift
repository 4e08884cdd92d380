/// One coordinator of a saved tree.
public struct CoordinatorNode: Sendable, Equatable {
    /// The slots from the root down, joined by `/`.
    public let path: String
    /// The parent's name for this child.
    public let slot: String
    /// The place among the parent's children, from 0.
    public let position: Int
    /// The JSON text from which the coordinator is made again.
    public let config: String
    /// The JSON text of what else it has to know.
    public let state: String

    /// Makes the value.
    public init(path: String, slot: String, position: Int, config: String, state: String) {
        self.path = path
        self.slot = slot
        self.position = position
        self.config = config
        self.state = state
    }
}
