import Foundation
import FoyerStore
import TestSupport

/// Usage: StoreBenchmark [--json] [--smoke] [--program PATH] [--folder PATH] [--only TEXT] [--report FOLDER]
@main
struct StoreBenchmark {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 3, words[0] == "--drain" {
            let told = try await Drain.work(at: words[1], keyFile: words[2])
            print(String(decoding: try JSONEncoder().encode(told), as: UTF8.self))
            return
        }
        var run = try Run(words)
        try await run.all()
    }
}

/// One run of the whole benchmark, or of a part.
private struct Run {
    private let words: [String]
    private let sizes: Sizes
    private let scene: Scene
    private var measurements: [Measurement] = []
    private var growth: [Growth] = []

    init(_ words: [String]) throws {
        self.words = words
        sizes = words.contains("--smoke") ? .smoke : .full
        let folder = Self.value(after: "--folder", in: words) ?? FileManager.default.temporaryDirectory.path
        scene = try Scene(in: folder)
    }

    private static func value(after flag: String, in words: [String]) -> String? {
        guard let place = words.firstIndex(of: flag), place + 1 < words.endIndex else { return nil }
        return words[place + 1]
    }

    /// Does a piece of work unless others are asked for.
    private mutating func measure(_ name: String, _ work: () async throws -> [Measurement]) async throws {
        guard Self.value(after: "--only", in: words).map({ name.contains($0) }) ?? true else { return }
        FileHandle.standardError.write(Data("\(name) …\n".utf8))
        measurements += try await work()
    }

    mutating func all() async throws {
        try await scene.open("empty").close()
        let scene = scene, sizes = sizes
        // First of all: memory that other work has left free would count for nothing.
        try await measure("memory") { [try await Start(scene: scene, sizes: sizes, program: "").openFlows()] }
        try await writing()
        try await reading()
        try await delivering()
        let history = History(scene: scene, sizes: sizes)
        var growth: [Growth] = []
        try await measure("history") {
            growth = try await history.grow()
            return try await history.all()
        }
        self.growth = growth
        if let program = Self.value(after: "--program", in: words) { try await starting(program) }
        try report()
    }

    private mutating func writing() async throws {
        let writes = Writes(scene: scene, sizes: sizes, template: "empty")
        try await measure("step") { [try await writes.step()] }
        try await measure("finish") { [try await writes.finish()] }
        try await measure("rows") { [try await writes.concurrentRows()] }
        try await measure("crowd") { [try await writes.concurrentFinishes()] }
        try await measure("import") { [try await writes.bulkImport()] }
    }

    private mutating func reading() async throws {
        let scene = scene, sizes = sizes, people = min(sizes.users, 50_000)
        try await measure("reads") {
            try await Reads.fill(scene, people: 0..<people, name: "read")
            return try await Reads(scene: scene, sizes: sizes, people: people).all("read")
        }
    }

    private mutating func delivering() async throws {
        let writes = Writes(scene: scene, sizes: sizes, template: "empty"), drain = Drain(scene: scene, sizes: sizes)
        try await measure("drain") {
            [try await drain.alone(from: "empty", rawSeconds: try await writes.concurrentRows().rawSeconds)]
        }
        try await measure("processes") { try await drain.fourProcesses(from: "empty") }
    }

    private mutating func starting(_ program: String) async throws {
        let scene = scene, start = Start(scene: scene, sizes: sizes, program: program)
        let history = History(scene: scene, sizes: sizes), few = min(1000, sizes.users)
        try await measure("start") {
            try await Reads.fill(scene, people: 0..<few, name: "few")
            var small = try await start.resume("few")[1]
            small.name = "peak memory with few people"
            if !history.isMade { _ = try await history.grow() }
            return try await start.resume(History.name) + [small]
        }
    }

    private func report() throws {
        let report = Report(
            measurements: measurements, growth: growth,
            surroundings: "Durability FULL unless said; \(sizes.rounds) rounds, both sides by turns; "
                + "\(ProcessInfo.processInfo.activeProcessorCount) cores. The bound of the 95 % interval that is worse "
                + "has to reach the goal.")
        print(words.contains("--json") ? try report.json() : report.table)
        guard let folder = Self.value(after: "--report", in: words) else { return }
        try report.page.write(toFile: "\(folder)/results.md", atomically: true, encoding: .utf8)
        try report.picture.write(toFile: "\(folder)/results.svg", atomically: true, encoding: .utf8)
    }
}
