import Synchronization
import Testing

@testable import FoyerSQLite

@Suite struct ReaderTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A query runs on the caller's thread, and sees the last commit")
    func query() async throws {
        let database = try await opened(scratch)
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
        #expect(try database.query { try count($0) } == 1)
        #expect(await code { try database.query { _ = try $0.run("DELETE FROM notes") } } == .readOnly)
    }

    @Test("Queries inside queries, and from many tasks, each have a connection of their own")
    func many() async throws {
        let database = try await opened(scratch)
        let depth = try database.query { _ in
            try database.query { _ in try database.query { try count($0) } }
        }
        #expect(depth == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                group.addTask {
                    try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (?)", "\(index)") }
                    #expect(try database.query { try count($0) } >= 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(try database.query { try count($0) } == 64)
    }

    @Test("A query inside an error leaves a connection that can be used")
    func failing() async throws {
        let database = try await opened(scratch)
        for _ in 0..<3 {
            #expect(await code { try database.query { _ = try $0.run("SELECT body FROM nowhere") } } == .error)
            #expect(try database.query { try count($0) } == 0)
        }
    }

    @Test("A closed database answers no query, and lets no connection stay open")
    func closed() async throws {
        let database = try await opened(scratch)
        let changes = try database.dataVersion()
        #expect(try database.dataVersion() == changes)
        try database.query { _ in
            // What is lent is closed when it is given back.
        }
        try await database.close()
        #expect(await code { try database.query { _ = try count($0) } } == .closed)
        #expect(await code { _ = try database.dataVersion() } == .closed)
        #expect(await code { try await database.read { _ = try count($0) } } == .closed)
        #expect(try scratch.names() == ["a.db", "a.db.lock"])
    }
}
