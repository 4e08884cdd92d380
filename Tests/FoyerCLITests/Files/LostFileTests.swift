import Foundation
import Glibc
import TestSupport
import Testing

/// The database is lost under a running program: it says so, it never says "Saved", and what was typed is kept.
@Suite(.timeLimit(.minutes(5))) struct LostFileTests {
    /// What somebody does to the files while a program has them open.
    enum Loss: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case deleted, movedAway, replacedByAnother, replacedByEmpty, cutToNothing, restoredByRename, overwritten
        case logDeleted, indexDeleted
        var testDescription: String { rawValue }

        func befall(_ household: Household) async throws {
            let database = household.database
            switch self {
            case .deleted: for suffix in ["", "-wal", "-shm"] { try remove(database + suffix) }
            case .movedAway: try LostFileTests.move(from: database, to: household.folder.appending("elsewhere"))
            case .replacedByAnother:
                let other = try Household()
                try await other.foyer("register", "--network", "offline", lines: Person.ada.answers)
                try replace(database, by: other.database)
            case .replacedByEmpty:
                let empty = household.folder.appending("empty")
                try Data().write(to: URL(filePath: empty))
                try replace(database, by: empty)
            case .cutToNothing: guard truncate(database, 0) == 0 else { throw Failure("truncate") }
            case .restoredByRename: try replace(database, by: household.folder.appending("backup.db"))
            case .overwritten:
                let copied = try await Program("cp", [household.folder.appending("backup.db"), database]).run()
                guard copied.exit == .code(0) else { throw Failure(copied.stderr) }
            case .logDeleted: try remove(database + "-wal")
            case .indexDeleted: try remove(database + "-shm")
            }
        }

        private func remove(_ path: String) throws {
            guard unlink(path) == 0 else { throw Failure("unlink \(path)") }
        }

        private func replace(_ path: String, by other: String) throws {
            guard chmod(other, 0o600) == 0, rename(other, path) == 0 else { throw Failure("rename \(other)") }
        }
    }

    static func move(from path: String, to other: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            guard rename(path + suffix, other + suffix) == 0 else { throw Failure("rename \(path)\(suffix)") }
        }
    }

    /// Grace waits for the network, and there is a backup.
    static func household() async throws -> Household {
        let household = try Household()
        try await household.foyer("register", "--network", "offline", lines: Person.grace.answers)
        let backup = try await household.foyer("db", "backup", household.folder.appending("backup.db"))
        #expect(backup.exit == .code(0), "\(backup.stderr)")
        return household
    }

    /// Waits until Ada's flow has so many answers.
    private static func answered(_ count: Int, in household: Household) async throws {
        try await eventually { try await household.states().last == "open \(count) - - 0" }
    }

    private static func expectGone(_ line: String, at place: SourceLocation = #_sourceLocation) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let error = object?["error"] as? [String: Any]
        #expect(object?["schema"] as? Int == 1 && object?.count == 2, "\(line)", sourceLocation: place)
        #expect(error?["code"] as? String == "database_gone", "\(line)", sourceLocation: place)
    }

    @Test(
        "At a terminal, a lost database is reported, and the typed text is kept for another try",
        arguments: Loss.allCases)
    func whoeverIsAtATerminalIsToldAndAskedAgain(_ loss: Loss) async throws {
        let household = try await Self.household()
        let terminal = try household.terminal("register", "--network", "offline")
        try await terminal.answer(0..<1)
        try await terminal.expect("\(Person.question(1)): ")
        try await loss.befall(household)
        try terminal.send(Person.ada.userName + "\r")
        try await terminal.expect("Nothing can be saved.")
        // What was typed stands in its field.
        try await terminal.expect("\(Person.question(1)): \(Person.ada.userName)")
        try terminal.send("\u{15}\u{4}")
        try await terminal.expect("foyer: ")
        #expect(try await terminal.wait() == .code(74))
        #expect(!terminal.transcript.contains("Saved"), "\(terminal.transcript)")
        try household.checkSecrecy()
    }

    @Test(
        "On a slow pipe, a lost database gives one error and nothing is called saved",
        arguments: [["register"], ["resume"]], Loss.allCases)
    func aSlowPipeGetsOneErrorAndNoSaved(_ arguments: [String], _ loss: Loss) async throws {
        let household = try await Self.household()
        var answers = Person.ada.answers[...]
        if arguments == ["resume"] {
            try await household.foyer("register", lines: [answers.removeFirst()])
        }
        let pipe = try Dialogue(try household.program(arguments + ["--json", "--network", "offline"]))
        try await pipe.send(answers.removeFirst())
        try await Self.answered(Person.ada.answers.count - answers.count, in: household)
        try await loss.befall(household)
        try await pipe.send(answers.removeFirst())
        try Self.expectGone(try await pipe.nextLine())
        await #expect(throws: Failure.self) { try await pipe.nextLine() }
        #expect(try await pipe.end() == .code(74))
    }

    @Test("In the app, a lost database fails the input and keeps what was typed", arguments: Loss.allCases)
    func anAppIsToldAndAskedAgain(_ loss: Loss) async throws {
        let household = try await Self.household()
        let app = try Dialogue(try household.program(["app", "--json", "--network", "offline"]))
        let form = try JSONPresenterTests.Shown(try await app.nextLine())
        let asked = try await app.answer(to: try form.input("accept", JSONPresenterTests.setup))
        let input = try JSONPresenterTests.Shown(asked).input("accept", ["firstName": "Ada"])
        try await loss.befall(household)
        for _ in 1...2 {
            let answer = try JSONPresenterTests.Shown(try await app.answer(to: input))
            #expect(answer.result == "failed", "\(answer.line)")
            #expect((answer.object["error"] as? [String: Any])?["code"] as? String == "database_gone")
            #expect(answer.line.contains(#""value":"Ada""#), "\(answer.line)")
        }
        #expect(try await app.end() == .code(74))
    }

    @Test("A watch whose database is lost says so and ends", arguments: Loss.allCases)
    func aWatchSaysSoAndEnds(_ loss: Loss) async throws {
        let household = try await Self.household()
        let watch = try Dialogue(try household.program(["sync", "--watch", "--json"]))
        while try await !watch.nextLine().contains(#""outcome":"accepted""#) {}
        try await loss.befall(household)
        var line = try await watch.nextLine()
        // While the file is being overwritten, a look at it may fail in another way.
        while line.contains(#""event":""#) { line = try await watch.nextLine() }
        try Self.expectGone(line)
        #expect(try await watch.end() == .code(74))
    }

    @Test("Once the database is back, running programs go on")
    func onceTheFileIsBackEveryoneGoesOn() async throws {
        let household = try await Self.household()
        let elsewhere = household.folder.appending("elsewhere")
        let terminal = try household.terminal("register", "--network", "offline")
        try await terminal.answer(0..<1)
        try await terminal.expect("\(Person.question(1)): ")
        try await Loss.movedAway.befall(household)
        try terminal.send(Person.ada.userName + "\r")
        try await terminal.expect("Nothing can be saved.")
        try await terminal.expect("\(Person.question(1)): \(Person.ada.userName)")
        try Self.move(from: elsewhere, to: household.database)
        try terminal.send("\r")
        try await terminal.answer(2..<3)
        try await terminal.expect("\(Person.question(3)): ")
        try terminal.send("\u{4}")
        try await terminal.expect("Saved. `foyer resume` continues.")
        #expect(try await terminal.wait() == .code(75))

        let app = try Dialogue(try household.program(["app", "--json", "--network", "offline"]))
        let asked = try JSONPresenterTests.Shown(try await app.nextLine())
        let input = try asked.input("accept", ["firstName": "Ada"])
        try await Loss.movedAway.befall(household)
        #expect(try JSONPresenterTests.Shown(try await app.answer(to: input)).result == "failed")
        try Self.move(from: elsewhere, to: household.database)
        #expect(try JSONPresenterTests.Shown(try await app.answer(to: input)).result == "taken")
        #expect(try await app.end() == .code(75))
        let states = try await household.states()
        #expect(states == ["submitted 5 ready pending 1", "open 4 - - 1"], "\(states)")
        try await household.checkInvariants()
    }

    @Test("A program that lost its file takes nothing away from the one that has the name now")
    func theNewFileIsLeftAlone() async throws {
        let household = try await Self.household()
        let idle = try household.terminal("register", "--network", "offline")
        try await idle.expect("\(Person.question(0)): ")
        try await Loss.deleted.befall(household)
        // The new database has a log that another program is writing.
        let pipe = try Dialogue(try household.program(["register", "--network", "offline"]))
        try await pipe.send(Person.ada.email)
        try await eventually { try await household.states() == ["open 1 - - 0"] }
        try idle.send("\u{4}")
        _ = try await idle.wait()
        #expect(FileManager.default.fileExists(atPath: household.database + "-wal"))
        try await pipe.send(Person.ada.userName)
        try await Self.answered(2, in: household)
        try await pipe.kill()
        #expect(try await household.states() == ["open 2 - - 0"])
        try await household.checkInvariants()
    }
}
