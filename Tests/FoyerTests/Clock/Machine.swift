import Foyer
import Synchronization
import FoyerTestSupport
import TestSupport

/// A machine whose time of day anybody can set, and which can be restarted; with the files of one store.
final class Machine: Sendable {
    private struct Clocks {
        var wall = Timestamp(milliseconds: 1_767_323_045_000)
        var uptime = Duration.seconds(1000)
        var boot = 1
    }

    private let clocks = Mutex(Clocks())
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var wall: Timestamp { clocks.withLock { $0.wall } }

    func pass(_ time: Duration) {
        clocks.withLock {
            $0.wall = $0.wall + time
            $0.uptime += time
        }
    }

    func setTime(by change: Duration) { clocks.withLock { $0.wall = $0.wall + change } }

    func restart() {
        clocks.withLock {
            $0.boot += 1
            $0.uptime = .seconds(5)
        }
    }

    /// What a program that starts now finds.
    var environment: FoyerEnvironment {
        FoyerEnvironment(
            now: { self.wall }, uptime: { self.clocks.withLock { $0.uptime } },
            bootID: "boot \(clocks.withLock { $0.boot })", sleep: { self.pass($0) }, jitter: { 0 })
    }

    /// Runs a program that opens the store and closes it at its end.
    func program(
        _ network: AccountStore.Network = .offline(.custom(AwayServer())), sealingKey: SealingKey? = nil,
        _ body: @FlowActor (AccountStore) async throws -> Void
    ) async throws {
        let foyer = try await AccountStore.open(
            at: folder.appending("data/foyer.db"), keyFile: folder.appending("state/key"), sealingKey: sealingKey,
            network: network, environment: environment)
        try await body(foyer)
        try await foyer.close()
    }
}

/// The server of these tests, which is not there.
private struct AwayServer: AccountNetwork {
    let endpoint = "server"

    func submit(_ request: SubmissionRequest) async throws(NetworkFailure) -> NetworkReply { throw .unreachable("") }
    func outcome(of key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { throw .unreachable("") }
    func cancel(_ key: UUIDv7) async throws(NetworkFailure) -> NetworkReply { throw .unreachable("") }
}

/// The clock of another machine: that of the first one, and so much more.
final class OffsetClock: Sendable {
    private let machine: Machine
    private let offset = Mutex(Duration.zero)

    init(_ machine: Machine) { self.machine = machine }

    func set(_ change: Duration) { offset.withLock { $0 = change } }
    var now: Timestamp { machine.wall + offset.withLock { $0 } }
}
