import Testing

@testable import FoyerSQLite

@Suite struct FileScanTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func hits(_ text: String, _ database: Database) async throws -> Int {
        try await database.scan(for: [Array(text.utf8)]).hits[0]
    }

    @Test("What was written is found in the log, then in the file, and after it was deleted in neither")
    func follows() async throws {
        let database = try await opened(scratch)
        try await database.write { _ = try $0.run("INSERT INTO notes (body) VALUES ('canary in a coal mine')") }
        // In the table, and in the index of what is unique.
        #expect(try await hits("canary in a coal mine", database) == 2)
        let scan = try await database.scan(for: [Array("canary".utf8), Array("not there".utf8)])
        #expect(scan.hits == [2, 0])
        #expect(scan.files.map { String($0.path.dropFirst(scratch.path.count)) } == ["", "-wal", "-shm"])
        #expect(scan.files.allSatisfy { $0.bytes > 0 })
        #expect(try await database.checkpoint() == .truncated)
        #expect(try await hits("canary in a coal mine", database) == 2)
        try await database.write { _ = try $0.run("DELETE FROM notes") }
        #expect(try await hits("canary in a coal mine", database) > 0, "the log covers it, the file has it still")
        #expect(try await database.checkpoint() == .truncated)
        #expect(try await hits("canary in a coal mine", database) == 0)
    }

    @Test("What another program deleted without writing over it is found, until the file was written anew")
    func remnants() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        try other.script("PRAGMA secure_delete = OFF; INSERT INTO notes (body) VALUES ('canary'); DELETE FROM notes")
        other.close()
        #expect(try await database.checkpoint() == .truncated)
        #expect(try await hits("canary", database) == 2)
        try await database.rewrite()
        #expect(try await database.checkpoint() == .truncated)
        #expect(try await hits("canary", database) == 0)
    }

    @Test("What reaches from one part of a long file into the next is found once")
    func acrossParts() async throws {
        let database = try await opened(scratch)
        for number in 0..<3 {
            // Each body takes up half a megabyte, so that some place in it lies at the end of a part.
            try await database.write {
                _ = try $0.run(
                    "INSERT INTO notes (body) VALUES (? || replace(hex(zeroblob(32000)), '00', 'abcdefghijklmnop'))",
                    number)
            }
        }
        #expect(try await database.checkpoint() == .truncated)
        let needle = Array("abcdefghijklmnop".utf8)
        let found = try await database.scan(for: [needle]).hits[0]
        try await database.close()
        let bytes = try scratch.bytes(of: scratch.path)
        var expected = 0, rest = bytes[...]
        while let start = rest.firstIndex(of: needle[0]) {
            if rest[start...].starts(with: needle) { expected += 1 }
            rest = rest[(start + 1)...]
        }
        #expect(found == expected && found > 90_000 && bytes.count > 1 << 21)
    }

    @Test("Looking through the files leaves SQLite's locks as they are")
    func locks() async throws {
        let database = try await opened(scratch)
        let other = try stranger(scratch.path)
        try other.run("BEGIN IMMEDIATE")
        _ = try await database.scan(for: [Array("x".utf8)])
        #expect(await code { try stranger(scratch.path).run("BEGIN IMMEDIATE") } == .busy)
        try other.run("ROLLBACK")
    }
}
