import Foyer

extension Command {
    static let tree = Command(
        name: "tree", summary: "the saved coordinators, and where each of them stands",
        examples: ["foyer tree", "foyer tree --json"]
    ) { invocation in
        let foyer = try await invocation.options.openIfPresent()
        let flows = try await foyer?.flows.unfinishedFlows() ?? []
        var trees: [(host: String, nodes: [CoordinatorNode])] = []
        for host in ["app"] + flows.map(\.id.text) {
            let nodes = try await foyer?.storage.tree(of: host) ?? []
            if !nodes.isEmpty { trees.append((host, nodes)) }
        }
        let places = Places(flows: Dictionary(flows.map { ($0.id.text, $0) }) { first, _ in first })
        if invocation.options.json {
            Output.json(["trees": .array(trees.map { JSONValue(host: $0.host, $0.nodes, places) })])
            return .done
        }
        for (index, tree) in trees.enumerated() {
            if index > 0 { Output.line("") }
            let name = tree.host == "app" ? "the whole program" : "the command of flow \(tree.host.suffix(8))"
            Output.exact(Output.style.bold(PrintableText.escaped(name)))
            Drawing.tree(tree.nodes, Output.style, note: places.words).forEach(Output.line)
        }
        Output.mention(flows.damaged)
        if trees.isEmpty { Output.error("No tree is saved. `foyer app` or `foyer register` begins one.") }
        return .done
    }
}

/// Where saved coordinators stand.
private struct Places {
    let flows: [String: SavedFlow]

    /// Nil for one that has no place of its own.
    func words(for node: CoordinatorNode) -> String? {
        if let id = member("flow", of: node.config) {
            guard let flow = flows[id] else { return "flow \(id.suffix(8)), which is not unfinished" }
            let place = flow.status == .open ? flow.nextStep.map { "at \($0)" } ?? "everything answered" : "submitted"
            return "\(flow.kind.rawValue) \(flow.id.ending), \(place)"
        }
        return member("selected", of: node.state).map { "shows \($0)" }
    }

    private func member(_ name: String, of json: String) -> String? {
        let members = try? JSONText.decode([String: String?].self, from: json)
        return members?[name] ?? nil
    }
}

extension JSONValue {
    fileprivate init(host: String, _ nodes: [CoordinatorNode], _ places: Places) {
        self = .object([
            "host": .string(host),
            "coordinators": .array(
                nodes.map { node in
                    .object([
                        "path": .string(node.path), "slot": .string(node.slot), "position": JSONValue(node.position),
                        "config": .string(node.config), "state": .string(node.state),
                        "place": JSONValue(places.words(for: node)),
                    ])
                }),
        ])
    }
}
