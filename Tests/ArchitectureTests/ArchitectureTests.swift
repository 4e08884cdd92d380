import Testing

extension Check: CustomTestStringConvertible {
    var testDescription: String { name }
}

@Suite struct ArchitectureTests {
    @Test("The sources keep the rules", arguments: Check.all)
    func sources(check: Check) throws {
        let files = try Package.sources()
        #expect(files.count > 50, "the sources were not found")
        #expect(files.flatMap(check.problems) == [])
    }

    @Test("Every room is in the table of what may be imported, and the table names no room below another's import")
    func table() throws {
        #expect(Set(try Package.rooms()).subtracting(Check.rooms.keys) == [])
        let order = [
            "CSQLite", "FoyerCSodium", "FoyerCCurl", "FoyerCProcess", "FoyerPlatform", "FoyerModel", "FoyerSQLite",
            "FoyerMigrations", "FoyerStore", "FoyerSync", "FoyerMockNetwork", "FoyerFlow", "Foyer", "FoyerApp",
            "FoyerTestSupport",
            "FoyerCLI", "FoyerProgram",
        ]
        for (place, room) in order.enumerated() {
            #expect((Check.rooms[room] ?? []).isSubset(of: order.prefix(place)), "\(room)")
        }
    }

    // MARK: The rules can be broken

    /// A source that a rule has to refuse, or has to let through.
    struct Sample: Sendable, CustomTestStringConvertible {
        let check: Check
        let room: String
        let text: String
        var testDescription: String { text.debugDescription }

        init(_ check: Check, in room: String = "FoyerModel", _ text: String) {
            self.check = check
            self.room = room
            self.text = text
        }

        var problems: [String] { check.problems(SourceFile(path: "Sources/\(room)/Sample.swift", text: text)) }
    }

    @Test(
        "A source that breaks a rule is found",
        arguments: [
            Sample(.imports, "import FoyerSQLite"),
            Sample(.imports, in: "FoyerFlow", "public import FoyerStore"),
            Sample(.imports, in: "FoyerFlow", "@testable import FoyerSync"),
            Sample(.imports, in: "FoyerSQLite", "import FoyerModel"),
            Sample(.imports, in: "FoyerCLI", "import struct FoyerModel.User"),
            Sample(.imports, in: "FoyerStore", "internal  import  FoyerMockNetwork // why not"),
            Sample(.imports, in: "FoyerSync", "import SomePackage"),
            Sample(.imports, in: "Newcomer", "import FoyerModel"),
            Sample(.imports, in: "FoyerStore", "import FoundationNetworking"),
            Sample(.imports, "import Foundation"),
            Sample(.imports, in: "FoyerCLI", "import Glibc"),
            Sample(.imports, in: "FoyerPlatform", "import FoundationNetworking"),
            Sample(.shell, in: "Foyer", #"let a = "Run `foyer sync`.""#),
            Sample(.shell, in: "FoyerStore", #"let a = "Name another with --database.""#),
            Sample(.shell, in: "FoyerStore", "/// The lines that foyer users export writes."),
            Sample(.sql, in: "FoyerFlow", #"let a = "SELECT 1""#),
            Sample(.sql, in: "Foyer", #"let a = "select id from users""#),
            Sample(.sql, in: "FoyerSync", "let a = \"\"\"\n    UPDATE flows\n    \"\"\""),
            Sample(.sql, in: "FoyerModel", ##"let a = #"insert into users"#"##),
            Sample(.sql, in: "FoyerCLI", #"let a = "\(b) PRAGMA \(c)""#),
            Sample(.traps, "let a = try! b()"),
            Sample(.traps, "let a = b as! C"),
            Sample(.traps, #"fatalError("no")"#),
            Sample(.traps, #"let a = "\(try! b())""#),
            Sample(.traps, "preconditionFailure()"),
            Sample(.unsafety, "final class A: @unchecked Sendable {}"),
            Sample(.unsafety, "// a class\nfinal class A: @unchecked Sendable {}"),
            Sample(.unsafety, "// @unchecked: it is fine\nlet a = 1\nfinal class A: @unchecked Sendable {}"),
            Sample(.unsafety, "// @unchecked: of another\n\nfinal class A: @unchecked Sendable {}"),
            Sample(.unsafety, "nonisolated(unsafe) var a = 1"),
            Sample(.unsafety, "let a = b.unsafelyUnwrapped"),
            Sample(.length, String(repeating: "//\n", count: 301)),
            Sample(.length, String(repeating: "\n", count: 300) + "let a = 1"),
        ])
    func broken(sample: Sample) {
        #expect(sample.problems.count == 1)
    }

    @Test(
        "A source that keeps the rules is let through",
        arguments: [
            Sample(
                .imports, in: "FoyerFlow",
                "public import FoyerModel\nimport Synchronization\n#if x\nimport FoyerPlatform"),
            Sample(.imports, in: "Foyer", "@_exported public import FoyerFlow"),
            Sample(.imports, "// import FoyerStore\nlet a = \"import FoyerStore\" /* import FoyerStore */"),
            Sample(
                .imports, in: "FoyerPlatform",
                "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif"),
            Sample(.imports, in: "EmbedFilesTool", "import Foundation"),
            Sample(.shell, in: "FoyerCLI", #"let a = "Run `foyer sync --watch`.""#),
            Sample(.shell, in: "FoyerModel", #"let a = "foyer://register"; let b = "foyer/submission/2""#),
            Sample(.sql, in: "FoyerStore", #"let a = "SELECT 1 FROM users WHERE id = ?""#),
            Sample(.sql, in: "FoyerCLI", #"let a = "sqlite3 a.db 'SELECT * FROM users'""#),
            Sample(.sql, in: "FoyerFlow", "// SELECT 1\nlet SELECT = \"The selection is updated from there.\""),
            Sample(.traps, "// try! it\nlet a = \"fatalError(\" + #\"as! \"quoted\" try!\"#\nlet b = try? c() as? D"),
            Sample(.traps, "/* a /* nested */ try! */ let a = 1"),
            Sample(
                .unsafety,
                "/// A class.\n///\n/// `@unchecked Sendable`: never written.\nclass A: @unchecked Sendable {}"),
            Sample(.unsafety, "nonisolated(unsafe) var a = 1  // nonisolated(unsafe): read by one thread alone"),
            Sample(.length, String(repeating: "//\n", count: 300)),
        ])
    func kept(sample: Sample) {
        #expect(sample.problems == [])
    }

    @Test("A source is taken apart into code, literals and comments")
    func scanning() {
        let file = SourceFile(
            path: "Sources/A/B.swift",
            text: #"let a = "x \(f("y", (1)) + "z") \" w" // c "no" \#nlet b = 1"# + "\n"
        )
        #expect(file.room == "A")
        #expect(file.lines[0].code.contains("f(\"\", (1)) + \"\""))
        #expect(file.lines[0].literals.split(separator: " ") == ["x", "y", "z", "w"])
        #expect(file.lines[0].comment == " c \"no\" " && file.lines[1].code == "let b = 1")
    }
}
