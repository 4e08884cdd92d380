import Synchronization
import Testing

@testable import FoyerSQLite

@Suite struct ContentionTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A write waits for another connection's, and goes on when that ends")
    func waits() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        let impatient = try stranger(scratch.path)
        let done = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
                done.increment()
            }
            // Meanwhile one with less timeout gives up.
            #expect(await code { try impatient.run("BEGIN IMMEDIATE") } == .busy)
            #expect(done.count == 0)
            try other.run("COMMIT")
            try await group.waitForAll()
        }
        #expect(done.count == 1)
    }

    @Test("A write that waits too long fails as busy, which can be tried again")
    func busy() async throws {
        var configuration = configuration(scratch.path)
        configuration.busyTimeout = .milliseconds(50)
        let database = try await Database.open(configuration)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(error?.code.primary == .busy)
        #expect(error?.isRetryable == true)
        try other.run("COMMIT")
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('x')") }
    }

    @Test("Another process is kept out while we write")
    func processes() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        let path = scratch.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            var configuration = configuration(path)
            configuration.busyTimeout = .milliseconds(50)
            let database = try await Database.open(configuration)
            let code = await code { try await database.write { _ = try $0.run("DELETE FROM notes") } }
            #expect(code?.primary == .busy)
        }
        try other.run("COMMIT")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try await Database.open(configuration(path))
            try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('theirs')") }
        }
        #expect(try await database.read { try count($0) } == 1)
    }

    @Test("Many blocked writers leave the other tasks their threads")
    func pool() async throws {
        let path = scratch.path
        // A busy machine must not make the waiting end before the test is done with it.
        var patient = configuration(path)
        patient.busyTimeout = .seconds(120)
        let databases = try await withThrowingTaskGroup(of: Database.self) { [patient] group in
            for _ in 0..<16 { group.addTask { try await Database.open(patient) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let other = try stranger(path)
        try other.run("BEGIN IMMEDIATE")
        let written = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, database) in databases.enumerated() {
                group.addTask {
                    try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (?)", "\(index)") }
                    written.increment()
                }
            }
            // These need the cooperative pool, and all end while all writers are blocked.
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(sum == 199 * 100)
            #expect(written.count == 0)
            try other.run("COMMIT")
            try await group.waitForAll()
        }
        #expect(try await databases[0].read { try count($0) } == 16)
    }

    @Test("Concurrent writes and reads of one database all arrive")
    func everybody() async throws {
        let database = try await opened(scratch)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES (?)", "\(index)") }
                    #expect(try await database.read { try count($0) } >= 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.read { try count($0) } == 100)
    }
}

/// Counts from several tasks.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func increment() { value.withLock { $0 += 1 } }
}
