import FoyerModel

/// Gives a call of the network only so much time: whoever does not answer in it is not waited for any longer.
///
/// The call is cancelled then; one that does not heed that goes on, and its answer is dropped. That the caller is
/// cancelled changes nothing: what was begun to be sent is waited for.
func answer(
    within limit: Duration, of call: @escaping @Sendable () async -> Result<NetworkReply, NetworkFailure>
) async -> Result<NetworkReply, NetworkFailure> {
    await Task {
        let (answers, first) = AsyncStream.makeStream(
            of: Result<NetworkReply, NetworkFailure>.self, bufferingPolicy: .bufferingOldest(1))
        let work = Task { first.yield(await call()) }
        let timer = Task {
            try await Task.sleep(for: limit)
            first.yield(.failure(.interrupted("there was no answer within \(limit.components.seconds) seconds")))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await answer in answers { return answer }
        return .failure(.interrupted("nobody waited for the answer"))
    }.value
}
