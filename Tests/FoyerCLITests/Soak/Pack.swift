import Foundation
import Glibc
import TestSupport

/// Some programs that all deliver from one file, and whoever disturbs them.
struct Pack {
    private struct Member {
        let program: PseudoTerminal
        let log: String
        /// Since when it stands still, and for how long.
        var stopped: (since: ContinuousClock.Instant, length: Duration)?
    }

    private let household: Household
    private var members: [Member] = []
    private var logs: [String] = []
    private(set) var kills = 0
    private(set) var stops = 0
    /// When one was last stopped for longer than its claims hold.
    private var lastLongStop = ContinuousClock.now

    init(_ household: Household, size: Int) async throws {
        self.household = household
        for _ in 0..<size { members.append(try start()) }
    }

    private mutating func start() throws -> Member {
        let log = household.folder.appending("watch-\(logs.count).log")
        logs.append(log)
        var program = try household.program([])
        // What it says goes to a file: a terminal that nobody reads would hold it up.
        program.arguments = ["-c", "exec \(program.executable) sync --watch --json >'\(log)' 2>&1"]
        program.executable = "/bin/sh"
        return Member(program: try PseudoTerminal(program), log: log)
    }

    /// Kills, stops or lets go on one of them.
    mutating func disturb(_ random: inout SeededRandom) async throws {
        for index in members.indices {
            guard let stop = members[index].stopped, ContinuousClock.now - stop.since > stop.length else { continue }
            members[index].program.signal(SIGCONT)
            members[index].stopped = nil
        }
        let index = Int.random(in: members.indices, using: &random)
        // Who is to wake up too late must not be killed before.
        if let stop = members[index].stopped, stop.length > .seconds(40) { return }
        if Bool.random(using: &random) {
            members[index].program.signal(SIGKILL)
            try await members[index].program.wait()
            members[index] = try start()
            kills += 1
        } else if members[index].stopped == nil {
            let isLong = ContinuousClock.now - lastLongStop > .seconds(5) && members.allSatisfy { $0.stopped == nil }
            if isLong { lastLongStop = .now + .seconds(55) }
            let length = isLong ? Duration.seconds(47) : .milliseconds(Int.random(in: 100...2000, using: &random))
            members[index].program.signal(SIGSTOP)
            members[index].stopped = (.now, length)
            stops += 1
        }
    }

    /// Lets all of them go on undisturbed.
    mutating func calm() async throws {
        for index in members.indices { members[index].program.signal(SIGCONT) }
    }

    /// Asks all of them to end.
    mutating func end() async throws {
        for member in members { member.program.signal(SIGTERM) }
        for member in members { try await member.program.wait() }
    }

    /// How often one of them was told that a claim was not its any more.
    func late() -> Int {
        logs.reduce(0) { sum, log in
            // Whoever was killed early has not even opened it.
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            return sum + text.components(separatedBy: #""event":"too_late""#).count - 1
        }
    }
}
