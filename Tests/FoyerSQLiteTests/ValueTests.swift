import Testing

@testable import FoyerSQLite

@Suite struct ValueTests {
    let scratch: Scratch
    let db: Connection

    init() throws {
        scratch = try Scratch()
        try Files.makeFile(scratch.path)
        db = try stranger(scratch.path)
        try db.script("CREATE TABLE t (a ANY, b ANY) STRICT")
    }

    @Test("A value of each type comes back as it was bound")
    func roundTrip() throws {
        func store(_ value: some Bindable) throws {
            try db.run("DELETE FROM t")
            #expect(try db.run("INSERT INTO t (a) VALUES (?)", value) == 1)
        }
        func load<T>(_ decode: (Row) throws -> T) throws -> T? { try db.first("SELECT a FROM t", decode: decode) }
        for text in ["", "a\0b", "Zoë 👩‍👩‍👧", String(repeating: "x", count: 100_000)] {
            try store(text)
            #expect(try load { try $0.text(0) } == text)
        }
        for number in [0, -1, Int64.min, .max] {
            try store(number)
            #expect(try load { try $0.integer(0) } == number)
        }
        try store(7)
        #expect(try load { try $0.integer(0) } == 7)
        for flag in [true, false] {
            try store(flag)
            #expect(try load { try $0.bool(0) } == flag)
        }
        try store(1.5)
        #expect(try load { try $0.real(0) } == 1.5)
        for bytes: [UInt8] in [[], [0, 255, 1]] {
            try store(bytes)
            #expect(try load { try $0.blob(0) } == bytes)
        }
        try store(String?.none)
        #expect(try load { try $0.textOrNil(0) } == .some(nil))
        try store(String?.some("x"))
        #expect(try load { try $0.textOrNil(0) } == "x")
    }

    @Test("NULL is nil where asked for, and otherwise a corrupt value that names the column")
    func null() throws {
        try db.run("INSERT INTO t VALUES (NULL, NULL)")
        let isNull = try db.rows("SELECT a FROM t") { row in
            [
                try row.textOrNil(0) == nil, try row.integerOrNil(0) == nil, try row.realOrNil(0) == nil,
                try row.blobOrNil(0) == nil,
            ]
        }
        #expect(isNull == [[true, true, true, true]])
        let reads: [(Row) throws -> Void] = [
            { _ = try $0.text(0) }, { _ = try $0.integer(0) }, { _ = try $0.real(0) }, { _ = try $0.blob(0) },
            { _ = try $0.bool(0) },
        ]
        for read in reads {
            let error = try #require(throws: SQLiteError.self) {
                try db.rows("SELECT b AS wanted FROM t", decode: read)
            }
            #expect(error.code == .corruptValue)
            #expect(error.message.contains("wanted"))
        }
    }

    @Test(
        "A value of another type, invalid UTF-8, a truth value of 2 and a column that is not there are corrupt values")
    func wrongTypes() async throws {
        func refused(_ sql: SQL, _ read: (Row) throws -> Void) async -> Bool {
            await code { _ = try db.rows(sql, decode: read) } == .corruptValue
        }
        #expect(await refused("SELECT 1") { _ = try $0.text(0) })
        #expect(await refused("SELECT 'x'") { _ = try $0.integer(0) })
        #expect(await refused("SELECT 1.5") { _ = try $0.integer(0) })
        #expect(await refused("SELECT 'x'") { _ = try $0.blob(0) })
        #expect(await refused("SELECT x'61'") { _ = try $0.text(0) })
        #expect(await refused("SELECT 'x'") { _ = try $0.real(0) })
        #expect(await refused("SELECT 2") { _ = try $0.bool(0) })
        #expect(await refused("SELECT CAST(x'61ff' AS TEXT)") { _ = try $0.text(0) })
        #expect(await refused("SELECT 1") { _ = try $0.integer(1) })
        #expect(await refused("SELECT 1") { _ = try $0.integer(-1) })
        #expect(await refused("SELECT 1") { _ = try $0.integer(.max) })
    }

    @Test("A row kept beyond its closure reads as NULL and harms nothing")
    func escapedRow() async throws {
        let row = try #require(try db.first("SELECT 'x'") { $0 })
        #expect(try row.textOrNil(0) == nil)
        db.close()
        #expect(try row.textOrNil(0) == nil)
    }

    @Test("Too few or too many values, no statement and two statements are refused")
    func misuse() async {
        #expect(await code { try db.run("INSERT INTO t VALUES (?, ?)", 1) } == .misuse)
        #expect(await code { try db.run("INSERT INTO t VALUES (1, 2)", 1) } != nil)
        #expect(await code { try db.run("") } == .misuse)
        #expect(await code { try db.run(" -- nothing") } == .misuse)
        #expect(await code { try db.run("DELETE FROM t; DELETE FROM t") } == .misuse)
        #expect(await code { try db.run("DELETE FROM t; -- all of them") } == nil)
        #expect(await code { try db.script("DELETE FROM t;\0") } == .misuse)
    }

    @Test("Statements that change no row count none")
    func changes() throws {
        #expect(try db.run("INSERT INTO t VALUES (1, 2), (3, 4)") == 2)
        #expect(try db.run("CREATE TABLE u (a) ") == 0)
        #expect(try db.run("SELECT 1") == 0)
        #expect(try db.run("UPDATE t SET a = 9 WHERE a = 8") == 0)
        #expect(try db.run("UPDATE t SET a = 9") == 2)
        #expect(db.lastInsertedRowID == 2)
    }

    @Test("A statement is ready again after its use, also when decoding threw, and keeps no value")
    func reuse() async throws {
        struct Stop: Error {}
        for _ in 0..<3 {
            #expect(throws: Stop.self) {
                try db.rows("SELECT ? UNION ALL SELECT 2", 1) { _ in throw Stop() }
            }
        }
        // An open statement would keep the table locked.
        try db.run("DROP TABLE t")
        for number in [1, 2] {
            #expect(try db.rows("SELECT ? UNION ALL SELECT 2", number) { try $0.integer(0) } == [Int64(number), 2])
        }
    }

    @Test("The same SQL inside its own decoding runs beside it")
    func reentrancy() throws {
        func pairs(_ depth: Int) throws -> [Int64] {
            try db.rows("SELECT 1 UNION ALL SELECT 2") { row in
                let inner = depth > 0 ? try pairs(depth - 1) : []
                return try row.integer(0) * 10 + inner.reduce(0, +)
            }
        }
        #expect(try pairs(0) == [10, 20])
        #expect(try pairs(1) == [40, 50])
        #expect(try pairs(2) == [100, 110])
        #expect(try pairs(1) == [40, 50])
    }

    @Test("A script runs all of its statements, past empty ones and comments")
    func script() throws {
        try db.script(";; INSERT INTO t VALUES (1, 2); -- one\n; /* two */ INSERT INTO t VALUES (3, 'a;b');")
        #expect(try db.rows("SELECT a FROM t ORDER BY a") { try $0.integer(0) } == [1, 3])
    }

    @Test("An error carries the SQL and no value, and says which kind it is")
    func errors() async throws {
        try db.script("CREATE TABLE u (a TEXT UNIQUE) STRICT")
        try db.run("INSERT INTO u VALUES (?)", "hunter2")
        let error = try #require(throws: SQLiteError.self) { try db.run("INSERT INTO u VALUES (?)", "hunter2") }
        #expect(error.code == .uniqueConstraint)
        #expect(error.isConflict && !error.isRetryable && !error.isFatal)
        #expect(error.sql == "INSERT INTO u VALUES (?)")
        #expect(!"\(error)".contains("hunter2"))
        #expect(await code { try db.run("SELEC 1") } == .error)
    }

    @Test("Double-quoted strings, writing to the schema and loading extensions are off")
    func hardened() async throws {
        #expect(await code { try db.run("SELECT \"text\"") } == .error)
        try db.script("PRAGMA writable_schema = ON")
        #expect(await code { try db.run("UPDATE sqlite_schema SET sql = ''") } != nil)
        #expect(await code { try db.run("SELECT load_extension('x')") } == .error)
        #expect(try db.integer("PRAGMA trusted_schema") == 0)
        #expect(try db.integer("PRAGMA foreign_keys") == 1)
        #expect(try db.integer("PRAGMA secure_delete") == 1)
        #expect(try db.integer("PRAGMA synchronous") == 2)
        #expect(try db.integer("PRAGMA temp_store") == 2)
        #expect(try db.integer("PRAGMA cell_size_check") == 1)
        #expect(try db.integer("PRAGMA mmap_size") == 0)
        #expect(try db.integer("PRAGMA wal_autocheckpoint") != 1)
    }
}
