/// Puts the outbox through every mischance at once, against a model: `OutboxSimulation STEPS [SEED]`.
///
/// The same seed does the same again. A program of its own, because a long run has to be optimised.
@main
enum OutboxSimulation {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        let steps = arguments.first.flatMap(\.self) ?? 1_000_000
        let seed = arguments.dropFirst().first.flatMap(\.self) ?? UInt64.random(in: 1...999_999)
        print("seed \(seed), \(steps) steps")
        let simulation = try Simulation(seed: seed)
        var step: UInt64 = 0
        do {
            while step < steps {
                step += 1
                try simulation.step()
            }
            try simulation.drain()
        } catch {
            throw Deviation(description: "seed \(seed), step \(step): \(error)")
        }
        let counts = simulation.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(counts.joined(separator: ", "))
    }
}

/// Where store and model went apart, or a promise was broken.
private struct Deviation: Error, CustomStringConvertible {
    let description: String
}
