import Foundation
import TestSupport
import Testing

/// Files that are not what they should be, and places where nothing can be written.
@Suite(.timeLimit(.minutes(2))) struct FileTests {
    enum Trouble: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case empty, text, otherProgram, newer, cutShort, garbledPages
        var testDescription: String { rawValue }
    }

    @Test("No log stays beside a database that nobody uses")
    func noLogStaysBesideADatabaseThatNobodyUses() async throws {
        let household = try Household()
        let calls: [([String], [String])] = [
            (["register"], []), (["register"], Array(Person.ada.answers.prefix(2))), (["flows"], []),
            (["resume", "--network", "offline"], Array(Person.ada.answers.dropFirst(2))), (["sync"], []),
            (["register"], ["no address"]), (["show", "nothing-there"], []),
        ]
        for (arguments, lines) in calls {
            try await household.foyer(arguments, lines: lines)
            let folder = household.folder.appending("data/foyer")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(!files.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(arguments): \(files)")
        }
    }

    @Test("A database file that cannot be used is reported and not touched", arguments: Trouble.allCases)
    func aFileThatCannotBeUsedIsToldAndNotTouched(_ trouble: Trouble) async throws {
        let household = try await Self.household(with: trouble)
        let before = try Self.fingerprint(household.database)
        for command in ["flows", "users", "sync", "resume", "register", "cancel", ""] {
            for json in [[], ["--json"]] {
                let arguments = (command.isEmpty ? [] : [command]) + json
                let finished = try await household.foyer(arguments, lines: Person.ada.answers)
                #expect(finished.exit == .code(78), "\(arguments): \(finished.stderr)")
                let names = trouble == .cutShort || trouble == .garbledPages ? "damaged" : household.database
                #expect(finished.stderr.hasPrefix("foyer: ") && finished.stderr.contains(names))
                if json == [] { #expect(finished.stdout == "") } else { #expect(try finished.error() != nil) }
                #expect(try Self.fingerprint(household.database) == before, "\(arguments)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: household.keyFile))
    }

    private static func household(with trouble: Trouble) async throws -> Household {
        let household = try Household()
        try FileManager.default.createDirectory(
            atPath: household.folder.appending("data/foyer"), withIntermediateDirectories: true)
        let file = URL(filePath: household.database)
        switch trouble {
        case .empty: try Data().write(to: file)
        case .text: try Data(String(repeating: "not a database\n", count: 1_000).utf8).write(to: file)
        case .otherProgram: _ = try await household.sqlite3("CREATE TABLE flows (id, status, updated_at)")
        case .newer, .cutShort, .garbledPages:
            try await household.foyer("register", lines: [Person.ada.email])
            _ = try await household.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
            if trouble == .newer { _ = try await household.sqlite3("PRAGMA user_version = 9999") }
            var bytes = try Data(contentsOf: file)
            if trouble == .cutShort { bytes = bytes.prefix(8_192) }
            if trouble == .garbledPages {
                bytes = bytes.prefix(4_096) + Data(repeating: 0xA5, count: bytes.count - 4_096)
            }
            if trouble != .newer { try bytes.write(to: file) }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: household.database)
        return household
    }

    private static func fingerprint(_ path: String) throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let bytes = try Data(contentsOf: URL(filePath: path))
        return ["\(bytes.hashValue)", "\(bytes.count)", "\(String(describing: attributes[.modificationDate]))"]
    }

    // MARK: Nowhere to write

    @Test("A file in the place of a folder is reported by its path")
    func aFileWhereAFolderShouldBeIsTold() async throws {
        let household = try Household()
        try Data("mine".utf8).write(to: URL(filePath: household.folder.appending("data")))
        let finished = try await household.foyer("register", "--json", lines: Person.ada.answers)
        #expect(finished.exit == .code(73))
        #expect(try finished.error()?.code == "cannot_create")
        #expect(finished.stderr.contains(household.folder.appending("data")))
    }

    @Test("A key file that cannot be made stops at the password and keeps the answers before")
    func aKeyFileThatCannotBeMadeStopsAtThePassword() async throws {
        let household = try Household()
        try Data("mine".utf8).write(to: URL(filePath: household.folder.appending("state")))
        let stopped = try await household.foyer("register", "--json", lines: Person.ada.answers)
        #expect(stopped.exit == .code(73))
        #expect(try stopped.error()?.code == "cannot_create")
        #expect(try await household.states() == ["open 2 - - 0"])
        try FileManager.default.removeItem(atPath: household.folder.appending("state"))
        let rest = Array(Person.ada.answers.dropFirst(2))
        #expect(try await household.foyer("resume", lines: rest).exit == .code(0))
        try await household.checkInvariants()
    }

    private static func mayMount() async -> Bool {
        let trial = try? await Program("unshare", ["-m", "mount", "--bind", "-o", "ro", "/tmp", "/mnt"]).run()
        return trial?.exit == .code(0)
    }

    @Test("A read-only folder is reported as an error, and its data stay intact", .enabled { await mayMount() })
    func aFolderThatCannotBeWrittenIsToldAndReadAllTheSame() async throws {
        let household = try await ContractTests.fullHousehold()
        for (command, codes) in [("register", [73, 74]), ("sync", [73, 74])] {
            let program = try household.program([command, "--json"])
            let line = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\""
            let words = ["-m", "/bin/sh", "-c", line, household.folder.path, program.executable] + program.arguments
            let inside = Program("unshare", words, environment: program.environment)
            let finished = try await inside.run(input: .text(Person.ada.answers.joined(separator: "\n")))
            #expect(codes.contains { finished.exit == .code(Int32($0)) }, "\(command): \(finished)")
            #expect(try finished.error() != nil)
        }
        try await household.checkInvariants()
    }

    // MARK: The key

    enum KeyTrouble: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case missing, readableByOthers, anotherKey, cutShort, link
        var testDescription: String { rawValue }
    }

    @Test(
        "Without its key nothing is sealed, sent or lost, and all goes on once it is back",
        arguments: KeyTrouble.allCases)
    func withoutItsKeyNothingIsSealedOrSentOrLost(_ trouble: KeyTrouble) async throws {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.ada.answers)
        try await household.foyer("register", lines: Array(Person.grace.answers.prefix(2)))
        let before = try await household.states()
        let (key, good) = (household.keyFile, household.keyFile + ".good")
        try FileManager.default.moveItem(atPath: key, toPath: good)
        switch trouble {
        case .missing: break
        case .readableByOthers:
            try FileManager.default.copyItem(atPath: good, toPath: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        case .anotherKey, .cutShort:
            let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
            try (trouble == .cutShort ? bytes.prefix(31) : bytes).write(to: URL(filePath: key))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        case .link: try FileManager.default.createSymbolicLink(atPath: key, withDestinationPath: good)
        }
        for (command, lines) in [("resume", [Person.password]), ("sync", [])] {
            let finished = try await household.foyer(command, "--json", lines: lines)
            #expect(finished.exit == .code(78), "\(command): \(finished.stderr)")
            #expect(finished.stderr.contains(household.keyFile), "\(command): \(finished.stderr)")
        }
        #expect(try await household.states() == before)
        #expect(try await household.accounts() == "")

        try? FileManager.default.removeItem(atPath: key)
        try FileManager.default.moveItem(atPath: good, toPath: key)
        let rest = Array(Person.grace.answers.dropFirst(2))
        #expect(try await household.foyer("resume", lines: rest).exit == .code(0))
        #expect(try await household.foyer("sync").exit == .code(0))
        #expect(try await household.accounts().split(separator: "\n").count == 2)
        try await household.checkInvariants()
    }
}
