import FoyerCCurl
import Synchronization

/// Serves requests on one thread of its own, which runs from the first of them to the end of this object.
final class HTTPEngine: Sendable {
    let configuration: HTTPNetwork.Configuration
    private let mailbox = HTTPMailbox()

    init(_ configuration: HTTPNetwork.Configuration) {
        self.configuration = configuration
    }

    deinit {
        mailbox.stop()
    }

    /// Why libcurl cannot be used; it is opened by the first one who asks.
    private static let libraryProblem = foyer_curl_open(RunningLoops.stopAll).map { String(cString: $0) }

    /// Sends the request and gives what came of it; a task that is cancelled meanwhile gets it back at once.
    func perform(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async -> HTTPOutcome {
        let exchange = HTTPExchange(request, until: deadline)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let problem = Self.libraryProblem ?? mailbox.start(exchange, continuation, configuration)
                if let problem {
                    continuation.resume(returning: .none(.notBegun(problem), mayHaveLeft: false))
                }
            }
        } onCancel: {
            exchange.isCancelled.store(true, ordering: .sequentiallyConsistent)
            mailbox.cancel(exchange)
        }
    }
}
