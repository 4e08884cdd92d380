#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import TestSupport
import Testing

@testable import FoyerSQLite

/// What tells a file that was overwritten from one that SQLite itself has written to.
@Suite(.timeLimit(.minutes(2))) struct FileWatchTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("Checkpoints by whomever, a new schema and a rewriting are no overwriting")
    func whatSQLiteWritesItself() async throws {
        var frequent = configuration(scratch.path)
        frequent.checkpointPages = 3
        let database = try await Database.open(frequent), other = try await opened(scratch)
        // As the sqlite3 shell does it, without our lock: never beside a writer, because SQLite before 3.51.3 may lose
        // what is written then.
        let shell = try stranger(scratch.path, timeout: .seconds(5))
        defer { shell.close() }
        let checkpoints = Task.detached { while !Task.isCancelled { try await other.checkpoint() } }
        for index in 1...300 {
            try await database.write { try $0.run("INSERT INTO notes (body) VALUES (?)", "a\(index)") }
            try await other.write { try $0.run("INSERT INTO notes (body) VALUES (?)", "b\(index)") }
            if index.isMultiple(of: 50) { try await other.rewrite() }
            _ = try await database.read { try count($0) }
            _ = try database.dataVersion()
        }
        checkpoints.cancel()
        try await checkpoints.value
        for index in 301...400 {
            try await database.write { try $0.run("INSERT INTO notes (body) VALUES (?)", "a\(index)") }
            try await other.write { try $0.run("INSERT INTO notes (body) VALUES (?)", "b\(index)") }
            _ = try shell.integer("PRAGMA wal_checkpoint(PASSIVE)")
            _ = try await database.read { try count($0) }
        }
        #expect(try await database.read { try count($0) } == 800)
        let newer = try await opened(scratch, [notes, tags])
        #expect(await code { _ = try await database.write { try count($0) } } == .newerSchema)
        try await newer.close()
        try await other.close()
        try await database.close()
    }

    @Test("A header that changes without a checkpoint is an overwriting, also before the first commit of all")
    func marks() {
        let fresh = CheckpointMarks(change: 7)
        let first = CheckpointMarks(change: 8, frames: 3, salts: 5)
        let later = CheckpointMarks(change: 9, frames: 4, salts: 5)
        let cases: [(last: CheckpointMarks, now: CheckpointMarks, mayBeCheckpoint: Bool)] = [
            (fresh, fresh, false), (fresh, first, false), (first, later, false),
            // Two commits, and a checkpoint may stand between them.
            (fresh, later, true),
            // The log has begun anew, as after a checkpoint that emptied it.
            (later, CheckpointMarks(change: 9, frames: 0, salts: 6), true),
            (fresh, CheckpointMarks(change: 8, frames: 0, salts: 6), true),
            // Some or all of it is in the file.
            (later, CheckpointMarks(change: 9, frames: 4, salts: 5, backfilled: 4, attempted: 4), true),
            (first, CheckpointMarks(change: 8, frames: 3, salts: 5, backfilled: 0, attempted: 3), true),
            (fresh, CheckpointMarks(change: 8, frames: 3, salts: 5, backfilled: 3, attempted: 3), true),
        ]
        for (last, now, mayBeCheckpoint) in cases {
            #expect(now.tellOfCheckpoint(since: last) == mayBeCheckpoint, "\(last) \(now)")
        }
        #expect(!CheckpointMarks(backfilled: 1, attempted: 2).isAtRest)
    }

    @Test("A second name keeps the database from being written until it is gone")
    func secondName() async throws {
        let database = try await opened(scratch)
        #expect(link(scratch.path, scratch.folder + "/b.db") == 0)
        #expect(await code { try await write("one", to: database) } == .unsafePath)
        #expect(unlink(scratch.folder + "/b.db") == 0)
        try await write("one", to: database)
        try await database.close()
    }

    @Test("A second name in another folder keeps the database from being written after a tenth of a second")
    func secondNameElsewhere() async throws {
        let database = try await opened(scratch), elsewhere = scratch.folder + "/elsewhere"
        #expect(mkdir(elsewhere, 0o700) == 0)
        try await write("one", to: database)
        #expect(link(scratch.path, elsewhere + "/b.db") == 0)
        try await eventually { await code { try await write("more", to: database) } == .unsafePath }
        #expect(unlink(elsewhere + "/b.db") == 0)
        try await eventually { await code { try await write("again", to: database) } == nil }
        try await database.close()
    }

    @Test("A database whose folder's parent was renamed is not written after a tenth of a second")
    func renamedParent() async throws {
        let parent = scratch.folder + "/parent", moved = scratch.folder + "/moved"
        for folder in [parent, parent + "/data"] { #expect(mkdir(folder, 0o700) == 0) }
        let database = try await Database.open(configuration(parent + "/data/a.db"))
        try await write("one", to: database)
        #expect(rename(parent, moved) == 0)
        try await eventually { await code { try await write("lost", to: database) } == .databaseGone }
        #expect(rename(moved, parent) == 0)
        try await eventually { await code { try await write("again", to: database) } == nil }
        try await database.close()
    }

    @Test("Each of several writers that share a commit is told")
    func group() async throws {
        let database = try await opened(scratch)
        #expect(rename(scratch.path, scratch.folder + "/old") == 0)
        await withTaskGroup { group in
            for index in 1...20 {
                group.addTask { await code { try await self.write("\(index)", to: database) } }
            }
            for await code in group { #expect(code == .databaseGone) }
        }
        #expect(rename(scratch.folder + "/old", scratch.path) == 0)
        #expect(try await database.read { try count($0) } == 0)
        try await database.close()
    }

    @Test("A backup of an older schema is restored in the present one")
    func olderBackup() async throws {
        let older = try await opened(scratch)
        try await write("kept", to: older)
        try await older.close()
        var config = configuration(scratch.path, [notes, tags])
        let restored = scratch.folder + "/new/b.db"
        try await Database.inspect(config) { try $0.restore(to: restored) }
        config.path = restored
        let version = try await Database.inspect(config) { $0.version }
        #expect(version == 2)
        let database = try await Database.open(config)
        #expect(try await database.read { try count($0) } == 1)
        try await database.close()
    }

    private func write(_ body: String, to database: Database) async throws {
        try await database.write { try $0.run("INSERT INTO notes (body) VALUES (?)", body) }
    }
}
