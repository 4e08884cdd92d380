import FoyerCCurl
import FoyerModel
import Synchronization

/// One request, as it goes to a server.
struct HTTPRequest: Sendable {
    let method: String
    var url: String
    /// For a request that changes something.
    var idempotencyKey: UUIDv7?
    var body: Secret?
    var needsFreshConnection = false

    /// The lines of its head; one without a value takes away what libcurl would add by itself.
    var headers: [String] {
        var lines = ["Accept: application/json, application/problem+json", "User-Agent: foyer", "Expect:"]
        if let idempotencyKey { lines.append("Idempotency-Key: \"\(idempotencyKey.text)\"") }
        if body != nil { lines.append("Content-Type: application/json") }
        return lines
    }
}

/// What came of a request.
enum HTTPOutcome: Sendable {
    case answer(NetworkReply, location: String?)
    /// No whole answer; `mayHaveLeft` tells whether the request may have.
    case none(TransferEnd, mayHaveLeft: Bool)
}

/// A request on its way, as the one who wants its answer holds it.
final class HTTPExchange: Sendable {
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    /// Set before the thread of the requests is told, so that a request that it has not seen yet never begins.
    let isCancelled = Atomic(false)

    init(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) {
        self.request = request
        self.deadline = deadline
    }
}

/// A copy of a secret in memory of ours, which is overwritten in the end.
final class WipedBytes {
    let start: UnsafeMutableRawPointer
    let count: Int

    init(_ secret: Secret) {
        (start, count) = secret.withBytes { bytes in
            // Never empty, so that there always is an address.
            let start = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
            UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
            return (start, bytes.count)
        }
    }

    deinit {
        foyer_curl_wipe(start, count)
        start.deallocate()
    }
}
