import CCurl
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
    private static let libraryProblem = foyer_curl_open().map { String(cString: $0) }

    /// Sends the request and gives what came of it; a task that is cancelled meanwhile gets it back at once.
    func perform(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async -> HTTPOutcome {
        let exchange = HTTPExchange(request, until: deadline)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let problem = Self.libraryProblem ?? mailbox.begin(with: configuration)
                if let problem {
                    continuation.resume(returning: .none(.notBegun(problem), mayHaveLeft: false))
                } else {
                    mailbox.send(.start(exchange, continuation))
                }
            }
        } onCancel: {
            exchange.isCancelled.store(true, ordering: .sequentiallyConsistent)
            mailbox.send(.cancel(exchange))
        }
    }
}

/// What the thread of the requests is told, and how it is woken for that.
final class HTTPMailbox: Sendable {
    enum Command: Sendable {
        case start(HTTPExchange, CheckedContinuation<HTTPOutcome, Never>)
        case cancel(HTTPExchange)
    }

    /// The requests that libcurl serves together.
    ///
    /// `@unchecked Sendable`: the loop's thread alone uses it, save for waking, which libcurl allows any thread.
    struct Group: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private struct State {
        var commands: [Command] = []
        var group: Group?
        var isStopping = false

        func wake() {
            if let group { foyer_curl_group_wake(group.handle) }
        }
    }

    private let state = Mutex(State())

    /// Starts the thread unless it runs; gives the reason where that is impossible.
    func begin(with configuration: HTTPNetwork.Configuration) -> String? {
        state.withLock { state in
            guard state.group == nil else { return nil }
            guard let handle = foyer_curl_group_make(HTTPLoop.connections) else { return "there is no memory left" }
            let group = Group(handle: handle)
            let start = Unmanaged.passRetained(
                HTTPLoop.Start(mailbox: self, group: group, configuration: configuration))
            let error = foyer_curl_start_thread(HTTPLoop.run, start.toOpaque())
            guard error == 0 else {
                start.release()
                foyer_curl_group_free(handle)
                return "no thread can be made for it"
            }
            state.group = group
            return nil
        }
    }

    func send(_ command: Command) {
        state.withLock { state in
            // Whoever made the list longer than nothing has woken the thread already.
            if state.commands.isEmpty { state.wake() }
            state.commands.append(command)
        }
    }

    /// Ends the thread; nobody waits for an answer any more.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake()
        }
    }

    /// For the thread: what it was told meanwhile; nil when it shall end, after which it is woken no more.
    func take() -> [Command]? {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            if state.isStopping { state.group = nil }
            return state.isStopping ? nil : commands
        }
    }
}
