import Testing

@testable import FoyerSQLite

@Suite struct TransactionTests {
    struct Stop: Error {}
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A write that throws has written nothing, and the next one works")
    func rollback() async throws {
        let database = try await opened(scratch)
        await #expect(throws: Stop.self) {
            try await database.write { db in
                try db.run("INSERT INTO notes (body) VALUES (?)", "a")
                throw Stop()
            }
        }
        try await database.write { db in try db.run("INSERT INTO notes (body) VALUES (?)", "b") }
        #expect(try await database.read { try $0.rows("SELECT body FROM notes") { try $0.text(0) } } == ["b"])
    }

    @Test("Savepoints nest, and each undoes only its own")
    func savepoints() async throws {
        let database = try await opened(scratch)
        try await database.write { db in
            try db.savepoint {
                try db.run("INSERT INTO notes (body) VALUES ('kept')")
                try? db.savepoint {
                    try db.run("INSERT INTO notes (body) VALUES ('undone')")
                    try db.savepoint { try db.run("INSERT INTO notes (body) VALUES ('undone too')") }
                    throw Stop()
                }
                try db.savepoint { try db.run("INSERT INTO notes (body) VALUES ('kept too')") }
            }
        }
        let bodies = try await database.read { try $0.rows("SELECT body FROM notes ORDER BY id") { try $0.text(0) } }
        #expect(bodies == ["kept", "kept too"])
    }

    @Test("A transaction inside a write is refused, and undoes it")
    func nested() async throws {
        let database = try await opened(scratch)
        let code = await code { try await database.write { db in try db.transaction {} } }
        #expect(code == .error)
        try await database.write { db in try db.run("INSERT INTO notes (body) VALUES ('x')") }
    }

    @Test("A failing statement leaves the rest of its transaction to the closure")
    func caught() async throws {
        let database = try await opened(scratch)
        try await database.write { db in
            try db.run("INSERT INTO notes (body) VALUES ('x')")
            #expect(throws: SQLiteError.self) { try db.run("INSERT INTO notes (body) VALUES ('x')") }
        }
        #expect(try await database.read { try count($0) } == 1)
    }

    @Test("A read that writes is refused")
    func readOnly() async throws {
        let database = try await opened(scratch)
        #expect(await code { try await database.read { _ = try $0.run("DELETE FROM notes") } } == .readOnly)
    }

    @Test("A reader keeps its snapshot while a write goes on beside it")
    func snapshot() async throws {
        let database = try await opened(scratch)
        let path = scratch.path
        let counts = try await database.read { db in
            let before = try count(db)
            let other = try stranger(path)
            try other.transaction { try other.run("INSERT INTO notes (body) VALUES ('x')") }
            return [before, try count(db)]
        }
        #expect(counts == [0, 0])
        #expect(try await database.read { try count($0) } == 1)
    }

    @Test("A reader is not held up by an open write, and does not see it")
    func readBesideWrite() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        try other.run("INSERT INTO notes (body) VALUES ('x')")
        #expect(try await database.read { try count($0) } == 0)
        try other.run("COMMIT")
        #expect(try await database.read { try count($0) } == 1)
    }

    @Test("The data version changes with the writes of others")
    func dataVersion() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        let before = try other.dataVersion()
        #expect(try other.dataVersion() == before)
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
        #expect(try other.dataVersion() != before)
    }

    @Test("Foreign keys are enforced")
    func foreignKeys() async throws {
        let database = try await opened(scratch, [notes, tags])
        let code = await code { try await database.write { _ = try $0.run("INSERT INTO tags VALUES (7, 'x')") } }
        #expect(code == .foreignKeyConstraint)
    }
}
