public import FoyerModel
import FoyerSQLite

extension AccountStore {
    public func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] {
        try await read { db in
            try db.rows(
                "SELECT path, slot, position, config, state FROM coordinators WHERE host = ? ORDER BY path", host
            ) { row in
                CoordinatorNode(
                    path: try row.text(0), slot: try row.text(1), position: Int(try row.integer(2)),
                    config: try row.text(3), state: try row.text(4))
            }
        }
    }

    public func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {
        try await write { db in try Trees.save(tree, of: host, in: db) }
    }
}

/// The statements on `coordinators` that several transactions share.
enum Trees {
    static func save(_ tree: [CoordinatorNode], of host: String, in db: Connection) throws {
        try db.run("DELETE FROM coordinators WHERE host = ?", host)
        for node in tree {
            try db.run(
                "INSERT INTO coordinators (host, path, slot, position, config, state) VALUES (?, ?, ?, ?, ?, ?)",
                host, node.path, node.slot, node.position, node.config, node.state)
        }
    }
}
