import FoyerModel
import FoyerTestSupport
import RepositoryContract
import Testing

/// The stand-in for the store keeps what the repository protocols promise: else tests that use it prove nothing.
@Suite struct MemoryStoreTests {
    @Test("The store in memory keeps the promises about flows", arguments: FlowPromises.all)
    func flows(promise: Promise<FlowPromises.Store>) async throws {
        let clock = TestClock()
        try await promise.check(FlowPromises.Store(MemoryStore(clock: clock), clock: clock))
    }

    @Test("The store in memory keeps the promises about people", arguments: UserPromises.all)
    func people(promise: Promise<UserPromises.Store>) async throws {
        let clock = TestClock()
        try await promise.check(UserPromises.Store(MemoryStore(clock: clock), clock: clock))
    }
}
