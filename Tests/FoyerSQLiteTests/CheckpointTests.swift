import TestSupport
import Testing

@testable import FoyerSQLite

@Suite struct CheckpointTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func logSize() throws -> Int64 { try FileStatus(scratch.path + "-wal")?.size ?? 0 }

    private func small(pages: Int) -> Database.Configuration {
        var configuration = configuration(scratch.path)
        configuration.checkpointPages = pages
        configuration.busyTimeout = .milliseconds(50)
        return configuration
    }

    private func fill(_ database: Database, rows: Int) async throws {
        for _ in 0..<rows {
            try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (hex(randomblob(2000)))") }
        }
    }

    @Test("The log stays bounded while we write")
    func bounded() async throws {
        let database = try await Database.open(small(pages: 50))
        var largest: Int64 = 0
        for _ in 0..<100 {
            try await fill(database, rows: 3)
            largest = max(largest, try logSize())
        }
        #expect(largest < 100 * 4120)
        #expect(largest > 40 * 4120)
    }

    @Test("A checkpoint empties the log")
    func truncates() async throws {
        let database = try await opened(scratch)
        try await fill(database, rows: 5)
        #expect(try logSize() > 0)
        try await checkpointGetsThrough(database)
        #expect(try logSize() == 0)
        try await checkpointGetsThrough(database)
        try await fill(database, rows: 1)
        #expect(try await database.read { try count($0) } == 6)
    }

    @Test("No checkpoint is made while another process has the lock")
    func guarded() async throws {
        let database = try await Database.open(small(pages: 10))
        let lock = try #require(try FileLock.take(scratch.path + ".lock"))
        try await fill(database, rows: 40)
        #expect(try await database.checkpoint() == .busy)
        #expect(try logSize() > 40 * 4096)
        withExtendedLifetime(lock) {}
    }

    @Test("A reader in the way makes a checkpoint busy after a while, and no write fails")
    func reader() async throws {
        let database = try await Database.open(small(pages: 10))
        try await fill(database, rows: 1)
        let other = try stranger(scratch.path)
        try other.run("BEGIN")
        _ = try count(other)
        try await fill(database, rows: 40)
        #expect(try await database.checkpoint() == .busy)
        // The writer's lock was given back.
        try await writerIsFree(scratch.path)
        try other.run("COMMIT")
        try await checkpointGetsThrough(database)
        #expect(try await database.read { try count($0) } == 41)
    }

    @Test("A writer in the way makes a checkpoint busy, and nothing is written back beside it")
    func writer() async throws {
        let database = try await Database.open(small(pages: 1000))
        try await fill(database, rows: 3)
        let modified = try scratch.modified(scratch.path)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        #expect(try await database.checkpoint() == .busy)
        #expect(try scratch.modified(scratch.path) == modified)
        try other.run("COMMIT")
        try await checkpointGetsThrough(database)
    }

    @Test("Inside a checkpoint, there is no giving up on the writer's lock")
    func neverPassive() async throws {
        let database = try await opened(scratch)
        try await fill(database, rows: 3)
        let modified = try scratch.modified(scratch.path)
        let path = scratch.path
        let other = try stranger(path)
        try other.run("BEGIN IMMEDIATE")
        try await withThrowingTaskGroup(of: CheckpointOutcome.self) { group in
            group.addTask {
                let connection = try stranger(path)
                // As if the lock had been taken just after the trial.
                return try connection.truncate(timeout: .milliseconds(5))
            }
            // Many times its timeout.
            for _ in 0..<5 { #expect(await code { try stranger(path).run("BEGIN IMMEDIATE") } == .busy) }
            #expect(try scratch.modified(path) == modified)
            try other.run("COMMIT")
            #expect(try await group.next() == .truncated)
        }
    }
}

/// Waits for a checkpoint that gets through. A program that is being started beside this one holds copies of our locks
/// until it runs.
private func checkpointGetsThrough(_ database: Database) async throws {
    try await eventually("a checkpoint") { try await database.checkpoint() == .truncated }
}

/// Waits until the writer's lock is to be had: a checkpoint that follows a write by itself may have it for a moment.
private func writerIsFree(_ path: String) async throws {
    try await eventually("the writer's lock") { await code({ try stranger(path).run("BEGIN IMMEDIATE") }) == nil }
}
