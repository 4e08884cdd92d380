import FoyerCCurl
import Synchronization

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

        mutating func send(_ command: Command) {
            // Whoever made the list longer than nothing has woken the thread already.
            if commands.isEmpty { wake() }
            commands.append(command)
        }
    }

    private let state = Mutex(State())

    /// Gives the request to the thread, which the first one starts; gives the reason where that is impossible.
    func start(
        _ exchange: HTTPExchange, _ continuation: CheckedContinuation<HTTPOutcome, Never>,
        _ configuration: HTTPNetwork.Configuration
    ) -> String? {
        state.withLock { state in
            if state.group == nil, let problem = startThread(&state, configuration) { return problem }
            state.send(.start(exchange, continuation))
            return nil
        }
    }

    private func startThread(_ state: inout State, _ configuration: HTTPNetwork.Configuration) -> String? {
        guard RunningLoops.insert(self) else { return "the program is ending" }
        guard let handle = foyer_curl_group_make(HTTPLoop.connections) else {
            RunningLoops.remove(self)
            return "there is no memory left"
        }
        let group = Group(handle: handle)
        let start = Unmanaged.passRetained(
            HTTPLoop.Start(mailbox: self, group: group, configuration: configuration))
        guard foyer_curl_start_thread(HTTPLoop.run, start.toOpaque()) == 0 else {
            start.release()
            foyer_curl_group_free(handle)
            RunningLoops.remove(self)
            return "no thread can be made for it"
        }
        state.group = group
        return nil
    }

    /// Gives up the request, unless it has its answer.
    func cancel(_ exchange: HTTPExchange) {
        state.withLock { $0.send(.cancel(exchange)) }
    }

    /// Ends the thread, which gives up all requests.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake()
        }
    }

    /// For the thread: what it was told meanwhile, and whether it goes on; when it does not, it is woken no more.
    func take() -> (commands: [Command], goesOn: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            if state.isStopping { state.group = nil }
            return (state.commands, !state.isStopping)
        }
    }
}

/// The loops of this process whose threads run, so that its exit can stop them.
///
/// OpenSSL cleans up when a process exits; a thread that closes a connection after that crashes.
enum RunningLoops {
    private struct State {
        var mailboxes: [ObjectIdentifier: HTTPMailbox] = [:]
        var isExiting = false
    }

    private static let state = Mutex(State())

    /// Notes a loop before its thread begins; false when the process exits, and the thread may not begin.
    static func insert(_ mailbox: HTTPMailbox) -> Bool {
        state.withLock { state in
            if !state.isExiting { state.mailboxes[ObjectIdentifier(mailbox)] = mailbox }
            return !state.isExiting
        }
    }

    /// Forgets a loop that has ended.
    static func remove(_ mailbox: HTTPMailbox) {
        state.withLock { _ = $0.mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) }
    }

    /// Stops every loop; none begins after that.
    static let stopAll: @convention(c) () -> Void = {
        let mailboxes = state.withLock { state in
            state.isExiting = true
            return Array(state.mailboxes.values)
        }
        // Outside the lock: a loop that begins holds its own and waits for this one.
        for mailbox in mailboxes { mailbox.stop() }
    }
}
