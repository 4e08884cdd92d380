import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SimulationTests {
    @Test("The store does what the model does, step by step, and keeps its promises through every crash")
    func run() async throws {
        let seed = UInt64.random(in: 1...999_999)
        let finished = try await Program(try builtProduct("OutboxSimulation"), ["5000", "\(seed)"]).run()
        #expect(finished.exit == .code(0), "seed \(seed): \(finished.stderr)")
        #expect(finished.stdout.contains("accepted"), "nothing was delivered: \(finished.stdout)")
    }
}
