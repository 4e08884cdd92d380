import Foundation
import TestSupport
import Testing

/// The outbox under every mischance at once, against a model; `Scripts/simulate` runs it for long.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
    private static let settings = ProcessInfo.processInfo.environment
    private static let steps = settings["SIMULATION_STEPS"].flatMap { Int($0) } ?? 5_000
    private static let seed = settings["SIMULATION_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)

    @Test("the store does what the model does, step by step, and keeps its promises through every crash")
    func run() throws {
        print("simulation: SIMULATION_SEED=\(Self.seed) SIMULATION_STEPS=\(Self.steps)")
        let simulation = try Simulation(seed: Self.seed)
        var step = 0
        do {
            while step < Self.steps {
                step += 1
                try simulation.step()
            }
            try simulation.drain()
        } catch {
            Issue.record("seed \(Self.seed), step \(step): \(error)")
        }
        let counts = simulation.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("simulation: \(step) steps: \(counts.joined(separator: ", "))")
    }
}
