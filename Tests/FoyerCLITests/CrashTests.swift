import Foundation
import Glibc
import TestSupport
import Testing

/// A power cut, as far as a program can see one: the process is killed before each single call that changes a file.
@Suite(.disabled(if: isSanitized), .timeLimit(.minutes(5))) struct CrashTests {
    @Test("Killed at any point, the first start is whole or absent, and ends in one account")
    func theFirstStartIsWholeOrAbsentAtEachPoint() async throws {
        let points = try await eachKillPoint { point, household in
            let killed = try await household.foyer("register", lines: [Person.ada.email], adding: point.environment)
            #expect(try killed.exit == (point.wasReached ? .signal(SIGKILL) : .code(75)), "\(point)")
            let state = try await Self.state(of: household, mayBe: ["", "open 1 - - 0"], point)
            if state == "" {
                #expect(try await household.foyer("resume").exit == .code(66), "\(point)")
                #expect(try await household.foyer("register", lines: Person.ada.answers).exit == .code(0), "\(point)")
            } else {
                let rest = Array(Person.ada.answers.dropFirst())
                #expect(try await household.foyer("resume", lines: rest).exit == .code(0), "\(point)")
            }
            try await Self.endsWithOneAccount(household, point)
        }
        #expect(points > 50)
    }

    @Test("Killed at any point, the first secret is whole or absent, and ends in one account")
    func theFirstSecretIsWholeOrAbsentAtEachPoint() async throws {
        let start = try await Self.registered(answers: 2)
        let points = try await eachKillPoint(from: start) { point, household in
            let killed = try await household.foyer("resume", lines: [Person.password], adding: point.environment)
            #expect(try killed.exit == (point.wasReached ? .signal(SIGKILL) : .code(75)), "\(point)")
            let state = try await Self.state(of: household, mayBe: ["open 2 - - 0", "open 3 - - 1"], point)
            let rest = Array(Person.ada.answers.dropFirst(state == "open 2 - - 0" ? 2 : 3))
            #expect(try await household.foyer("resume", lines: rest).exit == .code(0), "\(point)")
            try await Self.endsWithOneAccount(household, point)
        }
        #expect(points > 20)
    }

    @Test("Killed at any point, the finish is whole or absent, and ends in one account")
    func theFinishIsWholeOrAbsentAtEachPoint() async throws {
        let start = try await Self.registered(answers: 4)
        let points = try await eachKillPoint(from: start) { point, household in
            let last = [Person.ada.lastName]
            let killed = try await household.foyer("resume", lines: last, adding: point.environment)
            #expect(try killed.exit == (point.wasReached ? .signal(SIGKILL) : .code(0)), "\(point)")
            let state = try await Self.state(of: household, mayBe: ["open 4 - - 1"] + Self.delivering, point)
            switch state {
            case "open 4 - - 1":
                #expect(try await household.foyer("resume", lines: last).exit == .code(0), "\(point)")
            case "finished 5 accepted active 0":
                #expect(try await household.foyer("resume").exit == .code(66), "\(point)")
            default:
                let command = point.number.isMultiple(of: 2) ? "resume" : "sync"
                #expect(try await household.foyer(command).exit == .code(0), "\(point)")
            }
            try await Self.endsWithOneAccount(household, point)
        }
        #expect(points > 100)
    }

    @Test("Killed at any point, a delivery is repeated without a second effect")
    func aDeliveryIsRepeatedWithoutASecondEffectAtEachPoint() async throws {
        let start = try await Self.registered(answers: 5)
        let points = try await eachKillPoint(from: start) { point, household in
            let killed = try await household.foyer("sync", adding: point.environment)
            #expect(try killed.exit == (point.wasReached ? .signal(SIGKILL) : .code(0)), "\(point)")
            _ = try await Self.state(of: household, mayBe: Self.delivering, point)
            #expect(try await household.foyer("sync").exit == .code(0), "\(point)")
            try await Self.endsWithOneAccount(household, point)
        }
        #expect(points > 80)
    }

    @Test("Killed at any point, giving up is done or not done, and nothing in between", arguments: [2, 5])
    func givingUpIsWholeOrAbsentAtEachPoint(answered: Int) async throws {
        let start = try await Self.registered(answers: answered)
        let before = try await start.states()
        let after = answered == 5 ? "cancelled 5 cancelled - 0" : "cancelled 2 - - 0"
        let id = try await start.sqlite3("SELECT id FROM flows")
        let points = try await eachKillPoint(from: start) { point, household in
            let killed = try await household.foyer("cancel", id, adding: point.environment)
            #expect(try killed.exit == (point.wasReached ? .signal(SIGKILL) : .code(0)), "\(point)")
            let state = try await Self.state(of: household, mayBe: before + [after], point)
            let rest = Array(Person.ada.answers.dropFirst(answered))
            let isCancelled = state == after
            #expect(
                try await household.foyer("resume", lines: rest).exit == .code(isCancelled ? 66 : 0), "\(point)")
            try await Self.endsWithOneAccount(household, point, orNone: isCancelled)
        }
        #expect(points > 20)
    }

    @Test(
        "The kill points of a registration are all the file calls that the kernel sees",
        .enabled { await Strace.isAvailable() }, .disabled(if: isCountingLines))
    func thePointsAreAllTheCallsThatTheKernelSees() async throws {
        let household = try Household()
        let point = try await KillPoint(number: 0)
        let calls = [
            "write", "pwrite64", "writev", "pwritev", "pwritev2", "fsync", "fdatasync", "sync_file_range", "ftruncate",
            "fallocate", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
            "symlinkat", "mkdir", "mkdirat", "open", "openat", "openat2", "creat", "truncate",
        ]
        let program = try household.program(["register"]).adding(point.environment)
        let input = Program.Input.text(Person.ada.answers.map { $0 + "\n" }.joined())
        let (lines, finished) = try await Strace.calls(calls, of: program, input: input)
        #expect(finished.exit == .code(0))
        let seen = lines.filter {
            $0.contains(household.folder.path)
                && (!$0.contains(" open") || $0.contains("O_CREAT") || $0.contains("O_TRUNC"))
        }
        #expect(seen.count > 200)
        #expect(try point.count == seen.count, "\(seen.joined(separator: "\n"))")
    }

    // MARK: Before and after a kill

    private static let delivering = [
        "submitted 5 ready pending 1", "submitted 5 sending pending 1", "finished 5 accepted active 0",
    ]

    /// A household in which so many answers were given, and nothing was delivered.
    private static func registered(answers: Int) async throws -> Household {
        let household = try Household()
        let lines = Array(Person.ada.answers.prefix(answers))
        let finished = try await household.foyer("register", "--network", "offline", lines: lines)
        #expect(finished.exit == .code(75))
        return household
    }

    /// What the killed program left, looked at in a copy: the next program finds the files as they were left.
    private static func state(of household: Household, mayBe states: [String], _ point: KillPoint) async throws
        -> String
    {
        let copy = try Household(copying: household)
        if copy.hasDatabase {
            #expect(try await copy.sqlite3("PRAGMA integrity_check") == "ok", "\(point)")
        }
        let state = try await copy.states().joined(separator: ", ")
        #expect(states.contains(state), "\(point)")
        return state
    }

    private static func endsWithOneAccount(
        _ household: Household, _ point: KillPoint, orNone isCancelled: Bool = false
    ) async throws {
        let sent = try await household.attempts()
        #expect(try await household.foyer("sync").exit == .code(0), "\(point)")
        #expect(try await household.attempts() == sent, "\(point)")
        let accounts = try await household.accounts()
        #expect(accounts == (isCancelled ? "" : "Ada@Example.org|ada@example.org|Ada.L|ada.l|Ada|Lovelace"), "\(point)")
        let end = isCancelled ? "cancelled" : "finished 5 accepted active 0"
        #expect(try await household.states().allSatisfy { $0.hasPrefix(end) }, "\(point)")
        #expect(try household.strayFiles() == [], "\(point)")
        try await household.checkInvariants()
    }
}

/// Runs `body` with the kill points 1, 2, 3, … and a copy of the household each, several at a time, until a run
/// survives; gives the number of those that did not.
private func eachKillPoint(
    from start: Household? = nil, _ body: @escaping @Sendable (KillPoint, Household) async throws -> Void
) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        var next = 1, reached = 0, survivors = 0
        func add() {
            let number = next
            next += 1
            group.addTask {
                let point = try await KillPoint(number: number)
                try await body(point, try start.map { try Household(copying: $0) } ?? Household())
                return try point.wasReached
            }
        }
        for _ in 0..<3 { add() }
        while let wasReached = try await group.next() {
            if wasReached { reached += 1 } else { survivors += 1 }
            // The threads' order makes a few calls more or less: one survivor may not be the end.
            if survivors < 3 { add() }
        }
        return reached
    }
}
