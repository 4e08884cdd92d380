import Synchronization
import TestSupport
import Testing

@testable import FoyerSQLite

@Suite struct GroupCommitTests {
    struct Refused: Error {}
    typealias Write = @Sendable (Connection) throws -> Int

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static func insert(_ body: String) -> Write {
        { db in
            try db.run("INSERT INTO notes (body) VALUES (?)", body)
            return try count(db)
        }
    }

    /// Does the writes in an order, all queued while the writer is busy; each has its own result.
    private func together(
        _ database: Database, durability: Durability = .full, isAlone: Bool = false, _ writes: [Write]
    ) async throws -> [Result<Int, any Error>] {
        let isBusy = Flag(), mayGoOn = Flag()
        return try await withThrowingTaskGroup(of: (Int, Result<Int, any Error>).self) { group in
            let first = Task {
                try await database.write { _ in
                    isBusy.raise()
                    while !mayGoOn.isUp { nap() }
                }
            }
            try await eventually { isBusy.isUp }
            for (index, write) in writes.enumerated() {
                group.addTask {
                    do {
                        return (
                            index, .success(try await database.write(durability: durability, isAlone: isAlone, write))
                        )
                    } catch {
                        return (index, .failure(error))
                    }
                }
                try await eventually { database.writer.waiting.withLock { $0.count } == index + 1 }
            }
            mayGoOn.raise()
            try await first.value
            return try await group.reduce(into: Array(repeating: .failure(Refused()), count: writes.count)) {
                $0[$1.0] = $1.1
            }
        }
    }

    private func bodies(_ database: Database) async throws -> [String] {
        try await database.read { try $0.rows("SELECT body FROM notes ORDER BY id") { try $0.text(0) } }
    }

    @Test("Writes that wait at the same time are committed together, in their order")
    func shared() async throws {
        let database = try await opened(scratch)
        let path = scratch.path
        let unseen = Mutex<[Int]>([])
        let results = try await together(
            database,
            (0..<10).map { number in
                { db in
                    try db.run("INSERT INTO notes (body) VALUES (?)", "\(number)")
                    let own = try count(db) - count(try stranger(path))
                    unseen.withLock { $0.append(own) }
                    return number
                }
            })
        #expect(try results.map { try $0.get() } == Array(0..<10))
        #expect(unseen.withLock { $0 } == Array(1...10))
        #expect(try await bodies(database) == (0..<10).map { "\($0)" })
    }

    @Test("One that throws is undone, and its neighbours are not")
    func neighbours() async throws {
        let database = try await opened(scratch)
        let refuse: Write = { db in
            try db.run("INSERT INTO notes (body) VALUES ('undone')")
            throw Refused()
        }
        let results = try await together(
            database, [Self.insert("a"), refuse, Self.insert("a"), Self.insert("b"), refuse, Self.insert("c")])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, false, true, false, true])
        #expect(throws: Refused.self) { try results[1].get() }
        let error = #expect(throws: SQLiteError.self) { try results[2].get() }
        #expect(error?.code == .uniqueConstraint)
        #expect(try await bodies(database) == ["a", "b", "c"])
    }

    @Test("A commit that fails for one of them is made for each of the others")
    func commitFails() async throws {
        let deferred = Migration(
            version: 2, name: "deferred",
            sql: """
                CREATE TABLE tags (
                    note INTEGER NOT NULL REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED, name TEXT) STRICT;
                """)
        let database = try await opened(scratch, [notes, deferred])
        let dangling: Write = { db in try db.run("INSERT INTO tags (note, name) VALUES (99, 'x')") }
        let results = try await together(database, [Self.insert("a"), dangling, Self.insert("b")])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        let error = #expect(throws: SQLiteError.self) { try results[1].get() }
        #expect(error?.code == .foreignKeyConstraint)
        #expect(try await bodies(database) == ["a", "b"])
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('later')") }
    }

    @Test("Where SQLite gives up the whole transaction, the others are written without the one that is too large")
    func full() async throws {
        let database = try await opened(scratch)
        try await database.write { _ = try $0.integer("PRAGMA max_page_count = 40") }
        let large: Write = { db in try db.run("INSERT INTO notes (body) VALUES (hex(randomblob(200000)))") }
        let results = try await together(database, [Self.insert("a"), large, Self.insert("b")])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        let error = #expect(throws: SQLiteError.self) { try results[1].get() }
        #expect(error?.code.primary == .full)
        #expect(try await bodies(database) == ["a", "b"])
    }

    @Test("Writes that have to be alone see nothing that is not committed")
    func alone() async throws {
        let database = try await opened(scratch)
        let path = scratch.path
        let results = try await together(
            database, isAlone: true,
            (0..<5).map { number in
                { db in
                    let unseen = try count(db) - count(try stranger(path))
                    try db.run("INSERT INTO notes (body) VALUES (?)", "\(number)")
                    return unseen
                }
            })
        #expect(try results.map { try $0.get() } == [0, 0, 0, 0, 0])
    }

    @Test("A transaction is as durable as the most demanding of its writes")
    func durability() async throws {
        let database = try await opened(scratch)
        let setting: Write = { db in Int(try db.integer("PRAGMA synchronous")) }
        #expect(try await together(database, durability: .normal, [setting, setting]).map { try $0.get() } == [1, 1])
        #expect(try await together(database, [setting]).map { try $0.get() } == [2])
    }

    @Test("All who wait are told when another process keeps the lock, and only once the timeout is over")
    func busy() async throws {
        var impatient = configuration(scratch.path)
        impatient.busyTimeout = .seconds(1)
        let database = try await Database.open(impatient)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        let codes = await withTaskGroup(of: SQLiteError.Code?.self) { group in
            for number in 0..<32 {
                group.addTask { await code { _ = try await database.write(Self.insert("\(number)")) } }
            }
            return await group.reduce(into: []) { $0.append($1?.primary) }
        }
        #expect(codes == Array(repeating: .busy, count: 32))
        // Not one after the other.
        #expect(ContinuousClock.now - start < .seconds(24))
        try other.run("COMMIT")
        #expect(try await bodies(database) == [])
    }

    @Test("What waits when the database is closed is written, or told that it is not")
    func closed() async throws {
        let database = try await opened(scratch)
        let written = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { await code { _ = try await database.write(Self.insert("\(number)")) } == nil }
            }
            group.addTask {
                try? await database.close()
                return false
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let again = try await opened(scratch)
        #expect(try await bodies(again).count == written)
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)

    var isUp: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
