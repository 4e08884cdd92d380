public import FoyerModel

/// What `perform` gives back: a word and a status, `("success", 200)` where nothing else is scripted.
public typealias NetworkResponse = (message: String, status: Int)

extension MockNetwork {
    /// The articles' dummy networking: every call succeeds, unless another answer is scripted.
    ///
    /// It keeps no account. A flow goes through the outbox and `submit` instead, where the network's rules hold.
    public func perform(call: FlowKind, with credentials: Credentials) async -> NetworkResponse {
        switch takeScripted() {
        case nil: return ("success", 200)
        case .answer(let message, let status): return (message, status)
        case .offline: return ("offline", 0)
        case .lost: return ("no answer", 0)
        case .slow(let duration):
            try? await environment.sleep(duration)
            return ("success", 200)
        }
    }

    /// The same with a callback, as the articles write it.
    public nonisolated func perform(
        call: FlowKind, with credentials: Credentials, callback: @escaping @Sendable (NetworkResponse) -> Void
    ) {
        Task { callback(await perform(call: call, with: credentials)) }
    }
}
