import FoyerModel
import FoyerTestSupport
import RepositoryContract
import Testing

@testable import FoyerStore

/// The store keeps what the repository protocols promise.
@Suite struct ContractTests {
    @Test("The store keeps the promises about flows", arguments: FlowPromises.all)
    func flows(promise: Promise<FlowPromises.Store>) async throws {
        let scene = try await Scene()
        try await promise.check(FlowPromises.Store(scene.store, clock: scene.clock))
    }

    @Test("The store keeps the promises about people", arguments: UserPromises.all)
    func people(promise: Promise<UserPromises.Store>) async throws {
        let scene = try await Scene()
        try await promise.check(UserPromises.Store(scene.store, clock: scene.clock))
    }

    @Test("The store keeps the promises about the outbox", arguments: OutboxPromises.all)
    func outbox(promise: Promise<OutboxPromises.Store>) async throws {
        let scene = try await Scene()
        try await promise.check(OutboxPromises.Store(scene.store, clock: scene.clock))
    }
}
