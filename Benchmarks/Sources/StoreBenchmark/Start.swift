import FoyerModel
import FoyerStore
import Foundation
import Foyer
import FoyerMockNetwork
import TestSupport

/// What it costs to start the program on a large store, and to have many flows open.
struct Start: Sendable {
    let scene: Scene
    let sizes: Sizes
    /// The program `foyer`.
    let program: String

    /// How long a program takes to show a text on a terminal, and the most memory that it had by then; then it is ended.
    private static func time(
        _ program: Program, until text: String
    ) async throws -> (seconds: Double, kilobytes: Int) {
        let start = ContinuousClock.now
        let terminal = try PseudoTerminal(program)
        try await terminal.expect(text)
        let time = (ContinuousClock.now - start) / .seconds(1)
        return (time, (try? kilobytes("VmHWM", of: "\(terminal.process)")) ?? 0)
    }

    /// `foyer resume` up to its first question at a terminal, against the shell's simplest query.
    func resume(_ name: String) async throws -> [Measurement] {
        let store = try await scene.open(name)
        _ = try await scene.begin(1, in: store)
        try await store.close()
        let path = scene.path(name)
        let shell = Program("sqlite3", [path, "select 1 from flows limit 1"])
        let foyer = Program(
            program, ["resume", "--database", path, "--key-file", scene.keyFile, "--network", "offline"])
        var ratios: [Double] = [], floors: [Double] = [], own: [Double] = [], memory: [Double] = []
        for _ in 0..<sizes.rounds * 5 {
            let floor = try await Self.time(shell, until: "1")
            let start = try await Self.time(foyer, until: "[2/5]")
            floors.append(floor.seconds)
            own.append(start.seconds)
            ratios.append(start.seconds / floor.seconds)
            memory.append(Double(start.kilobytes) / 1024)
        }
        var time = Measurement(
            name: "foyer resume, from start to first question", against: "sqlite3 'select 1 from flows limit 1'",
            goal: 2, ratio: Interval(of: ratios))
        time.isCost = true
        time.rawSeconds = median(floors)
        time.foyerSeconds = median(own)
        var peak = Measurement(
            name: "peak memory of that", against: "MB", goal: 24, ratio: Interval(of: memory))
        peak.isCost = true
        return [time, peak]
    }

    /// The memory of a program that has many registrations open at once, each with its host.
    func openFlows() async throws -> Measurement {
        let foyer = try await AccountStore.open(
            at: scene.path("open"), keyFile: scene.keyFile,
            network: .offline(.custom(MockNetwork(path: scene.path("server")))), environment: scene.environment)
        var kept: [FlowHost] = []
        for number in 0..<sizes.openFlows / 10 { kept.append(try await answered(number, foyer)) }
        let before = try Self.kilobytes("VmRSS")
        for number in 0..<sizes.openFlows { kept.append(try await answered(number, foyer)) }
        let grown = Double(try Self.kilobytes("VmRSS") - before) / Double(sizes.openFlows)
        withExtendedLifetime(kept) {}
        try await foyer.close()
        var measurement = Measurement(
            name: "memory of an open flow", against: "kB", goal: 8, ratio: Interval(of: [grown]))
        measurement.isCost = true
        return measurement
    }

    private func answered(_ number: Int, _ foyer: AccountStore) async throws -> FlowHost {
        let host = await foyer.register()
        guard let screen = await host.screen, let action = screen.actions.first, let field = screen.fields.first else {
            throw Failure("a registration shows nothing")
        }
        let input = ScreenInput(for: screen, action, values: [field.key: Secret("person\(number)@example.org")])
        guard case .taken = try await host.send(input) else { throw Failure("an answer was not taken") }
        return host
    }

    /// What the kernel says of a process's memory.
    private static func kilobytes(_ name: String, of process: String = "self") throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        guard let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure("the memory in use is not told")
        }
        return number
    }
}
