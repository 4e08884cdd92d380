/// One coordinator of a saved tree.
package struct CoordinatorNode: Sendable, Equatable {
    /// The slots from the root down, joined by `/`.
    package let path: String
    /// The parent's name for this child.
    package let slot: String
    /// The place among the parent's children, from 0.
    package let position: Int
    /// The JSON text from which the coordinator is made again.
    package let config: String
    /// The JSON text of what else it has to know.
    package let state: String

    /// Makes the value.
    package init(path: String, slot: String, position: Int, config: String, state: String) {
        self.path = path
        self.slot = slot
        self.position = position
        self.config = config
        self.state = state
    }
}
