public import FoyerFlow
import FoyerModel

extension AccountStore {
    /// How often it is looked whether something was written, while somebody observes.
    private static let observationInterval = Duration.milliseconds(100)

    /// What `fetch` reads, now and whenever a write has changed it, in this process or in another.
    ///
    ///     for try await people in foyer.values(of: { try await $0.users.users() }) { … }
    ///
    /// The same value twice in a row is given once; of several writes within a tenth of a second, only what the last
    /// has left may be seen. Who is slow misses values in between, and gets the newest. The sequence ends when its task
    /// is cancelled or the store is closed, and throws what else `fetch` throws.
    /// - Parameter fetch: reads from the store; run on no actor.
    public func values<Value: Equatable & Sendable>(
        of fetch: @escaping @Sendable (AccountStore) async throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: Value?
                continuation.finish(
                    throwing: await failure(afterEachWrite: {
                        let value = try await fetch(self)
                        guard value != last else { return }
                        last = value
                        continuation.yield(value)
                    }))
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The screens of a host, now and after every change, also those that other processes, the network's verdict or a
    /// sync make to what it works on.
    ///
    /// Ends with the task, the host and the store; throws when the store cannot be read.
    public func screens(of host: FlowHost) -> AsyncThrowingStream<ScreenTree, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [weak host] in
                guard let updates = await host?.updates else { return continuation.finish() }
                await withTaskGroup { group in
                    group.addTask {
                        for await screens in updates { continuation.yield(screens) }
                        continuation.finish()
                    }
                    group.addTask {
                        continuation.finish(throwing: await failure(afterEachWrite: { try await host?.reload() }))
                    }
                    await group.next()
                    group.cancelAll()
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Does something now, and after each write to the file, until the task is cancelled, the store closed, or something
    /// fails: then that is given.
    ///
    /// SQLite tells of the writes of other processes only those who ask; asking takes microseconds and reads no page.
    private func failure(afterEachWrite work: () async throws -> Void) async -> (any Error)? {
        do {
            var seen: Int64?
            while true {
                let count = try await storage.changeCount()
                if count != seen { try await work() }
                seen = count
                try await Task.sleep(for: Self.observationInterval)
            }
        } catch is CancellationError {
            return nil
        } catch let error as StoreError where error.code == .closed {
            return nil
        } catch {
            return error
        }
    }
}
