import FoyerCCurl
import FoyerModel

/// One request under way. It belongs to the thread of the requests.
final class HTTPTransfer {
    let exchange: HTTPExchange
    let handle: UnsafeMutableRawPointer
    /// When the answer should have begun.
    let silentUntil: ContinuousClock.Instant
    private(set) var head = ReplyHead()
    private var body: [UInt8] = []
    private let secretBody: WipedBytes?
    private let idle: HTTPIdleConnections
    private let continuation: CheckedContinuation<HTTPOutcome, Never>
    /// Whether a connection stood and the request came next.
    private var mayHaveLeft = false
    /// Why libcurl was told to stop.
    private var refusal: TransferEnd?

    init(
        _ exchange: HTTPExchange, _ continuation: CheckedContinuation<HTTPOutcome, Never>,
        handle: UnsafeMutableRawPointer, silentUntil: ContinuousClock.Instant, idle: HTTPIdleConnections
    ) {
        self.exchange = exchange
        self.continuation = continuation
        self.handle = handle
        self.silentUntil = silentUntil
        self.idle = idle
        secretBody = exchange.request.body.map { WipedBytes($0) }
    }

    /// Tells the handle everything about the request. Gives libcurl's code.
    func prepare(_ configuration: HTTPNetwork.Configuration) -> Int32 {
        for header in exchange.request.headers {
            let code = foyer_curl_handle_add_header(handle, header)
            guard code == 0 else { return code }
        }
        let left = exchange.deadline - .now
        var request = foyer_curl_request()
        request.body = secretBody.map { UnsafeRawPointer($0.start) }
        request.body_size = secretBody?.count ?? 0
        // A proxy is for other machines; without encryption it could read along.
        request.may_use_proxy = configuration.address.isLoopback ? 0 : 1
        request.needs_fresh_connection = exchange.request.needsFreshConnection ? 1 : 0
        request.connect_milliseconds = configuration.timeouts.connect.wholeMilliseconds
        request.total_milliseconds = left.wholeMilliseconds
        request.context = Unmanaged.passUnretained(self).toOpaque()
        request.take_head = { HTTPTransfer.at($3)?.takeHead($0, $1 * $2) ?? 0 }
        request.take_body = { HTTPTransfer.at($3)?.takeBody($0, $1 * $2) ?? 0 }
        request.will_send = { context, _, _, _, port in HTTPTransfer.at(context)?.willSend(from: port) ?? 1 }
        return foyer_curl_handle_prepare(
            handle, exchange.request.method, exchange.request.url, configuration.caFile, &request)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What libcurl calls

    private func takeHead(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        refusal = head.take(UnsafeRawBufferPointer(start: bytes, count: count))
        return refusal == nil ? count : 0
    }

    private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard body.count + count <= ReplyClassifier.maximumBody else {
            refusal = .tooLong
            body = []
            return 0
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    /// The last moment at which the request has certainly not left; 0 lets it go.
    private func willSend(from port: Int32) -> Int32 {
        if idle.hasUnread(at: port) {
            refusal = .unreadAnswer
            return 1
        }
        mayHaveLeft = true
        return 0
    }

    // MARK: The end

    /// How the transfer ended, by libcurl's code; nil with a whole answer.
    func end(code: Int32) -> TransferEnd? {
        if let refusal { return refusal }
        guard code == 0 else {
            return .error(code: code, certificate: foyer_curl_handle_certificate(handle))
        }
        return head.isWhole ? nil : .cutHead
    }

    /// Gives the answer, or `end`, to the one who waits.
    func finish(_ end: TransferEnd?) {
        guard let end else {
            let reply = NetworkReply(
                status: head.status, body: body, contentType: head.contentType, retryAfter: head.retryAfter,
                date: head.date, isReplay: head.isReplay)
            return continuation.resume(returning: .answer(reply, location: head.location))
        }
        continuation.resume(returning: .none(end, mayHaveLeft: mayHaveLeft))
    }
}

extension Duration {
    /// At least one, as 0 means "without end" to libcurl.
    fileprivate var wholeMilliseconds: Int { max(1, Int(clamping: Int64(self / .milliseconds(1)))) }
}

/// The connections that were used and may be used again.
final class HTTPIdleConnections {
    /// Descriptors, and the port on this side. The system gives the lowest free descriptor, so they stay few.
    private var ports: [Int32: Int32] = [:]

    func note(_ handle: UnsafeMutableRawPointer) {
        var port = 0
        let connection = foyer_curl_handle_connection(handle, &port)
        if connection >= 0 { ports[connection] = Int32(clamping: port) }
    }

    /// Whether something lies unread in the connection: an answer to nothing, which libcurl would take for the next one's.
    func hasUnread(at port: Int32) -> Bool {
        ports.contains { $0.value == port && foyer_curl_has_unread($0.key) != 0 }
    }
}
