import FoyerCCurl
import Synchronization

/// The thread that serves the requests: the only one that touches their handles.
final class HTTPLoop {
    /// How many connections there are at most; requests beyond that wait.
    static let connections = 64

    /// What the thread is given.
    final class Start: Sendable {
        let mailbox: HTTPMailbox
        let group: HTTPMailbox.Group
        let configuration: HTTPNetwork.Configuration

        init(mailbox: HTTPMailbox, group: HTTPMailbox.Group, configuration: HTTPNetwork.Configuration) {
            self.mailbox = mailbox
            self.group = group
            self.configuration = configuration
        }
    }

    /// The whole life of the thread.
    static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { start in
        guard let start else { return }
        HTTPLoop(Unmanaged<Start>.fromOpaque(start).takeRetainedValue()).run()
    }

    private let start: Start
    private var live: [ObjectIdentifier: HTTPTransfer] = [:]
    private var spareHandles: [UnsafeMutableRawPointer] = []
    private let idle = HTTPIdleConnections()

    private init(_ start: Start) {
        self.start = start
    }

    private var group: UnsafeMutableRawPointer { start.group.handle }

    private func run() {
        while true {
            let (commands, goesOn) = start.mailbox.take()
            for command in commands { obey(command) }
            guard goesOn else { break }
            foyer_curl_group_perform(group)
            finishWhatIsDone()
            foyer_curl_group_wait(group, giveUpSilence())
        }
        for transfer in live.values { end(transfer, .cancelled) }
        for handle in spareHandles { foyer_curl_handle_free(handle) }
        foyer_curl_group_free(group)
        RunningLoops.remove(start.mailbox)
    }

    private func obey(_ command: HTTPMailbox.Command) {
        switch command {
        case .start(let exchange, let continuation): begin(exchange, continuation)
        case .cancel(let exchange):
            // A request that has its answer is not there any more.
            if let transfer = live[ObjectIdentifier(exchange)] { end(transfer, .cancelled) }
        }
    }

    private func begin(_ exchange: HTTPExchange, _ continuation: CheckedContinuation<HTTPOutcome, Never>) {
        func refuse(_ end: TransferEnd) { continuation.resume(returning: .none(end, mayHaveLeft: false)) }
        if exchange.isCancelled.load(ordering: .sequentiallyConsistent) { return refuse(.cancelled) }
        guard let handle = spareHandles.popLast() ?? foyer_curl_handle_make() else {
            return refuse(.notBegun("there is no memory left"))
        }
        let transfer = HTTPTransfer(
            exchange, continuation, handle: handle, silentUntil: .now + start.configuration.timeouts.firstByte,
            idle: idle)
        live[ObjectIdentifier(exchange)] = transfer
        var code = transfer.prepare(start.configuration)
        if code == 0 { code = foyer_curl_group_add(group, handle) }
        if code == FOYER_CURL_LOGS_KEYS {
            end(transfer, .notBegun("libcurl would write the keys of the connection to a file; unset SSLKEYLOGFILE"))
        } else if code != 0 {
            end(transfer, .notBegun("libcurl is too old, or has no memory left (code \(code))"))
        }
    }

    private func finishWhatIsDone() {
        var code: Int32 = 0
        while let context = foyer_curl_group_next_done(group, &code) {
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            idle.note(transfer.handle)
            end(transfer, transfer.end(code: code))
        }
    }

    /// Ends the requests whose answer should have begun, and gives the milliseconds until the next one should have.
    private func giveUpSilence() -> Int32 {
        let waiting = live.values.filter { !$0.head.hasBegun }
        guard let first = waiting.map(\.silentUntil).min() else { return .max }
        let now = ContinuousClock.now
        if first > now { return Int32(clamping: Int64((first - now) / .milliseconds(1)) + 1) }
        for transfer in waiting where transfer.silentUntil <= now { end(transfer, .silence) }
        return 0
    }

    /// Gives the answer, or `end` where there is none, and takes the handle back.
    private func end(_ transfer: HTTPTransfer, _ end: TransferEnd?) {
        live[ObjectIdentifier(transfer.exchange)] = nil
        foyer_curl_group_remove(group, transfer.handle)
        foyer_curl_handle_reset(transfer.handle)
        if spareHandles.count < Self.connections {
            spareHandles.append(transfer.handle)
        } else {
            foyer_curl_handle_free(transfer.handle)
        }
        transfer.finish(end)
    }
}
