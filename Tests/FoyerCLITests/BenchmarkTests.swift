import Foundation
import TestSupport
import Testing

/// The benchmark with amounts so small that its figures mean nothing: it has to go on working.
@Suite(.timeLimit(.minutes(5))) struct BenchmarkTests {
    private struct Report: Decodable {
        struct Row: Decodable {
            let name: String
            let ratio: Double
            let low: Double
            let high: Double
            let goal: Double
            let met: Bool
        }

        let schema: Int
        let rows: [Row]
    }

    @Test("The benchmark measures every kind of work and leaves no files behind")
    func everyKindOfWorkIsMeasured() async throws {
        let folder = try TemporaryFolder()
        let finished = try await Program(
            try builtProduct("StoreBenchmark"),
            ["--smoke", "--json", "--folder", folder.path, "--program", try builtProduct("foyer")]
        ).run()
        #expect(finished.exit == .code(0), "\(finished.stderr)")
        let report = try JSONDecoder().decode(Report.self, from: Data(finished.stdout.utf8))
        #expect(report.schema == 1 && report.rows.count == 21)
        #expect(Set(report.rows.map(\.name)).count == report.rows.count)
        #expect(report.rows.allSatisfy { $0.low <= $0.ratio && $0.ratio <= $0.high && $0.goal > 0 })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
