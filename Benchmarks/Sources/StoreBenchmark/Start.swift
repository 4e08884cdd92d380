import FoyerModel
import FoyerStore
import Foundation
import Foyer
import Glibc
import TestSupport

/// What it costs to start the program on a large store, and to have many flows open.
struct Start: Sendable {
    let scene: Scene
    let sizes: Sizes
    /// The program `foyer`.
    let program: String

    /// Runs a program to its end, and tells how long that took and the most memory that it had, in MB.
    private static func run(_ program: String, _ arguments: [String]) throws -> (seconds: Double, megabytes: Double) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let start = ContinuousClock.now
        guard posix_spawnp(&child, program, &actions, nil, &words, environ) == 0 else {
            throw Failure("\(program) could not be started")
        }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child else { throw Failure("\(program) was not waited for") }
        return ((ContinuousClock.now - start) / .seconds(1), Double(usage.ru_maxrss) / 1024)
    }

    /// `foyer resume` up to its first question, which nobody answers, against the shell's simplest query.
    func resume(_ name: String) async throws -> [Measurement] {
        let store = try await scene.open(name)
        _ = try await scene.begin(1, in: store)
        try await store.close()
        let path = scene.path(name)
        let arguments = ["resume", "--database", path, "--key-file", scene.keyFile, "--network", "offline"]
        var ratios: [Double] = [], shell: [Double] = [], own: [Double] = [], memory: [Double] = []
        for _ in 0..<sizes.rounds * 5 {
            let floor = try Self.run("sqlite3", [path, "select 1 from flows limit 1"])
            let foyer = try Self.run(program, arguments)
            shell.append(floor.seconds)
            own.append(foyer.seconds)
            ratios.append(foyer.seconds / floor.seconds)
            memory.append(foyer.megabytes)
        }
        var time = Measurement(
            name: "foyer resume, from start to end of input", against: "sqlite3 'select 1 from flows limit 1'", goal: 2,
            ratio: Interval(of: ratios))
        time.isCost = true
        time.rawSeconds = median(shell)
        time.foyerSeconds = median(own)
        var peak = Measurement(
            name: "peak memory of that", against: "MB", goal: 24, ratio: Interval(of: memory))
        peak.isCost = true
        return [time, peak]
    }

    /// The memory of a program that has many registrations open at once, each with its host.
    func openFlows() async throws -> Measurement {
        let foyer = try await Foyer.open(
            at: scene.path("open"), keyFile: scene.keyFile, network: .offline, environment: scene.environment)
        var kept: [FlowHost] = []
        for number in 0..<sizes.openFlows / 10 { kept.append(try await answered(number, foyer)) }
        let before = try Self.residentKilobytes()
        for number in 0..<sizes.openFlows { kept.append(try await answered(number, foyer)) }
        let grown = Double(try Self.residentKilobytes() - before) / Double(sizes.openFlows)
        withExtendedLifetime(kept) {}
        try await foyer.close()
        var measurement = Measurement(
            name: "memory of an open flow", against: "kB", goal: 8, ratio: Interval(of: [grown]))
        measurement.isCost = true
        return measurement
    }

    private func answered(_ number: Int, _ foyer: Foyer) async throws -> FlowHost {
        let host = await foyer.register()
        guard let screen = await host.screen, let action = screen.actions.first, let field = screen.fields.first else {
            throw Failure("a registration shows nothing")
        }
        let input = ScreenInput(for: screen, action, values: [field.key: Secret("person\(number)@example.org")])
        guard case .taken = try await host.send(input) else { throw Failure("an answer was not taken") }
        return host
    }

    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        guard let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure("the memory in use is not told")
        }
        return number
    }
}
