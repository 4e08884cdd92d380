package import FoyerModel

extension AnyCoordinator {
    /// Makes the tree below this root again as it was saved, and starts it; without anything saved it is only started.
    ///
    /// Every child is made and wired by the slot that also makes fresh ones. What this version of the program does not
    /// know is left out and reported; its parent is then where it is at its start. Nothing is shown or written by this.
    package final func restore(_ saved: [CoordinatorNode]) -> RestoreReport {
        let tree = SavedTree(nodes: saved)
        var report = RestoreReport()
        restoreStates(from: tree, at: path, &report)
        start()
        restoreChildren(from: tree, at: path, &report)
        return report
    }

    /// States first: they decide what is started.
    private func restoreStates(from tree: SavedTree, at place: String, _ report: inout RestoreReport) {
        if let node = tree[place] {
            do { try restoreState(from: node.state) } catch {
                report.entries.append(RestoreReport.Entry(path: place, problem: .unreadableState))
            }
        }
        for child in children { child.restoreStates(from: tree, at: child.path, &report) }
    }

    /// Takes over the state as a whole, or leaves it as it was made.
    private func restoreState(from text: String) throws {
        let undo = state.snapshot()
        try state.restore(from: text)
        guard canShowRestoredState else {
            undo()
            throw UnknownPlace()
        }
    }

    private func restoreChildren(from tree: SavedTree, at place: String, _ report: inout RestoreReport) {
        let own = Dictionary(children.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for node in tree.children(of: place) {
            if let child = own[node.path] {
                if !tree.children(of: node.path).isEmpty { startRestored(child) }
                child.restoreChildren(from: tree, at: node.path, &report)
                continue
            }
            guard let slot = slots.first(where: { $0.id == node.slot }) else {
                leave(node, of: tree, because: .unknownSlot, &report)
                continue
            }
            guard let child = try? slot.child(self, node.config) else {
                leave(node, of: tree, because: .unreadableConfig, &report)
                continue
            }
            child.restoreStates(from: tree, at: node.path, &report)
            showRestored(child)
            child.start()
            child.restoreChildren(from: tree, at: node.path, &report)
        }
    }

    private func leave(
        _ node: CoordinatorNode, of tree: SavedTree, because problem: RestoreReport.Problem,
        _ report: inout RestoreReport
    ) {
        leftPlaces.insert(node.path)
        report.entries.append(RestoreReport.Entry(path: node.path, problem: problem))
        report.left += tree.subtree(of: node.path)
    }
}

/// The rows of a saved tree.
private struct SavedTree {
    let nodes: [CoordinatorNode]

    subscript(path: String) -> CoordinatorNode? {
        nodes.first { $0.path == path }
    }

    func children(of path: String) -> [CoordinatorNode] {
        nodes.filter { node in
            node.path.hasPrefix(path + "/") && !node.path.dropFirst(path.count + 1).contains("/")
        }.sorted { $0.position < $1.position }
    }

    func subtree(of path: String) -> [CoordinatorNode] {
        nodes.filter { $0.path == path || $0.path.hasPrefix(path + "/") }
    }
}
