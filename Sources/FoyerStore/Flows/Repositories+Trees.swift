package import FoyerModel
import FoyerSQLite

extension Repositories {
    package func tree(of host: String) async throws(StoreError) -> [CoordinatorNode] {
        try await read { db in try Trees.nodes(of: host, in: db) }
    }

    package func save(_ tree: [CoordinatorNode], of host: String) async throws(StoreError) {
        try await write { db in
            // The tree of a flow that runs alone ends with it, whichever process has ended it.
            if let flow = UUIDv7(host), try !Flows.isUnfinished(flow, in: db) { return }
            try Trees.save(tree, of: host, in: db)
        }
    }
}

/// The statements on `coordinators` that several transactions share.
enum Trees {
    static func nodes(of host: String, in db: Connection) throws -> [CoordinatorNode] {
        try db.rows(
            "SELECT path, slot, position, config, state FROM coordinators WHERE host = ? ORDER BY path", host
        ) { row in
            CoordinatorNode(
                path: try row.text(0), slot: try row.text(1), position: Int(try row.integer(2)),
                config: try row.text(3), state: try row.text(4))
        }
    }

    /// Writes what changed: most inputs leave every coordinator but one as it was.
    static func save(_ tree: [CoordinatorNode], of host: String, in db: Connection) throws {
        var saved: [String: CoordinatorNode] = [:]
        do {
            for node in try nodes(of: host, in: db) { saved[node.path] = node }
        } catch let error as SQLiteError where error.code == .corruptValue || error.code.primary == .tooBig {
            // Another program has damaged a row that is written anew in any case.
            try remove(host, in: db)
            saved = [:]
        }
        for node in tree {
            guard let before = saved.removeValue(forKey: node.path) else {
                try db.run(
                    "INSERT INTO coordinators (host, path, slot, position, config, state) VALUES (?, ?, ?, ?, ?, ?)",
                    host, node.path, node.slot, node.position, node.config, node.state)
                continue
            }
            guard node != before else { continue }
            try db.run(
                "UPDATE coordinators SET slot = ?, position = ?, config = ?, state = ? WHERE host = ? AND path = ?",
                node.slot, node.position, node.config, node.state, host, node.path)
        }
        for path in saved.keys { try db.run("DELETE FROM coordinators WHERE host = ? AND path = ?", host, path) }
    }

    static func remove(_ host: String, in db: Connection) throws {
        try db.run("DELETE FROM coordinators WHERE host = ?", host)
    }

    /// Takes out the tree of a flow, and what shows the flow in the trees of programs, with all below it.
    static func forget(_ flow: String, in db: Connection) throws {
        try remove(flow, in: db)
        let shown = try db.rows("SELECT host, path FROM coordinators WHERE instr(config, ?1) OR instr(state, ?1)", flow)
        {
            (host: try $0.text(0), path: try $0.text(1))
        }
        for node in shown {
            try db.run(
                "DELETE FROM coordinators WHERE host = ?1 AND (path = ?2 OR substr(path, 1, length(?2) + 1) = ?2 || '/')",
                node.host, node.path)
        }
    }
}
