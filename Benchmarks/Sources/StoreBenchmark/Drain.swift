import FoyerModel
import FoyerStore
import FoyerSync
import Foundation
import RawSQLite
import TestSupport

/// A network that accepts everything at once.
struct InstantNetwork: AccountNetwork {
    let endpoint = "instant"

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply { Self.accepted }
    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { Self.accepted }
    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { Self.accepted }

    private static let accepted = NetworkReply(
        status: 201, body: Array(#"{"schema":1,"verdict":"accepted"}"#.utf8), contentType: "application/json")
}

/// Emptying the outbox.
struct Drain: Sendable {
    let scene: Scene
    let sizes: Sizes

    private func queue(_ name: String, _ round: Int) async throws {
        let store = try await scene.open(name)
        try await share(sizes.drained, among: 64) { number in
            let number = round * sizes.drained + number
            _ = try await scene.finish(try await scene.almost(number, in: store), number, in: store)
        }
        try await store.close()
    }

    private func service(_ store: Repositories) -> SyncService {
        SyncService(
            outbox: store, network: InstantNetwork(), definitions: [.register], concurrency: 32,
            environment: scene.environment)
    }

    /// Queues rows and delivers them all.
    /// - Returns: the seconds for one row.
    func once(_ name: String, _ round: Int) async throws -> Double {
        try await queue(name, round)
        let store = try await scene.open(name)
        let service = service(store)
        var accepted = 0
        let time = try await seconds { accepted = try await service.syncOnce().accepted }
        // In a store with a past, what the work before has queued may be among them.
        guard accepted >= sizes.drained else { throw Failure("\(accepted) were accepted") }
        try await store.close()
        return time / Double(accepted)
    }

    /// - Parameter rawSeconds: what a one-row transaction of one C thread takes.
    func alone(from template: String, rawSeconds: Double) async throws -> Measurement {
        try scene.copy(template, to: "drained")
        var rates: [Double] = []
        for round in 0..<min(sizes.rounds, 7) { rates.append(1 / (try await once("drained", round))) }
        let rawRate = 1 / rawSeconds
        // Where the disk is slow, the rate cannot be asked for as such.
        let isFast = rawRate >= 6000
        var measurement = Measurement(
            name: "drain, rows per second", against: isFast ? "1/s" : "one-row transactions of one C thread",
            goal: isFast ? 15_000 : 2.5, ratio: Interval(of: rates.map { isFast ? $0 : $0 / rawRate }))
        measurement.rawSeconds = rawSeconds
        measurement.foyerSeconds = 1 / median(rates)
        return measurement
    }

    // MARK: Several processes

    /// What a process that drains tells when it is done.
    struct Told: Codable, Sendable {
        var settled = 0
        /// The times of its claims, in seconds.
        var claims: [Double] = []
    }

    /// The work of one process: claim a batch, begin and settle each, until nothing is left.
    static func work(at path: String, keyFile: String) async throws -> Told {
        let store = try await Repositories.open(at: path, keyFile: keyFile, endpoint: .named("instant"))
        let worker = try store.makeWorker()
        var told = Told()
        while try await store.backlog(for: nil).waiting > 0 {
            let start = ContinuousClock.now
            let batch = try await store.claim(32, by: worker.worker, for: "instant", isIdle: true)
            told.claims.append((ContinuousClock.now - start) / .seconds(1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for submission in batch {
                    group.addTask {
                        guard try await store.begin(submission) else { return }
                        _ = try await store.settle(
                            submission, .verdict(.accepted(remoteID: nil)), .silent, httpStatus: 201)
                    }
                }
                try await group.waitForAll()
            }
            told.settled += batch.count
            if batch.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        try await store.retire(worker.worker)
        try await store.close()
        return told
    }

    private func processes(_ count: Int) async throws -> (seconds: Double, told: [Told]) {
        let program = CommandLine.arguments[0]
        var told: [Told] = []
        let time = try await seconds {
            told = try await withThrowingTaskGroup(of: Told.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        let finished = try await Program(
                            program, ["--drain", scene.path("shared"), scene.keyFile]
                        ).run(input: .text(""))
                        return try JSONDecoder().decode(Told.self, from: Data(finished.stdout.utf8))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return (time, told)
    }

    func fourProcesses(from template: String) async throws -> [Measurement] {
        try scene.copy(template, to: "shared")
        var worst: [Double] = [], shares: [Double] = [], round = 0
        let speed = try await compare(
            "4 processes draining", against: "1 process", goal: 0.75, rounds: min(sizes.rounds, 5),
            raw: { _ in
                try await queue("shared", round)
                round += 1
                return try await processes(1).seconds / Double(sizes.drained)
            },
            foyer: { _ in
                try await queue("shared", round)
                round += 1
                let (time, told) = try await processes(4)
                worst.append(told.map { percentile($0.claims, 0.99) }.max() ?? .nan)
                shares.append(Double(told.map(\.settled).min() ?? 0) / Double(max(1, told.map(\.settled).max() ?? 1)))
                return (time / Double(sizes.drained), Latencies())
            })
        var claims = Measurement(
            name: "4 processes, worst claim p99", against: "ms", goal: 150, ratio: Interval(of: worst.map { $0 * 1000 })
        )
        claims.isCost = true
        let fairness = Measurement(
            name: "4 processes, smallest share of the largest", against: "share", goal: 1.0 / 3,
            ratio: Interval(of: shares))
        return [speed, claims, fairness]
    }
}
