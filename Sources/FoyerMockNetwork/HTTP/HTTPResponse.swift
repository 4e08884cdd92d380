import FoyerModel
import FoyerPlatform

/// An answer before it becomes bytes.
struct HTTPResponse: Sendable {
    var status: Int
    var body: [UInt8]
    /// What tells about the body, and about this answer alone; the rest is added when it is written.
    var headers: [(name: String, value: String)]

    init(status: Int, _ contentType: String, body: [UInt8], _ headers: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.headers = [("Content-Type", contentType)] + headers
    }

    /// An answer of the account server: a verdict, or else a problem.
    init(_ reply: NetworkReply, _ headers: [(name: String, value: String)] = []) {
        self.init(
            status: reply.status, reply.status < 300 ? "application/json" : "application/problem+json",
            body: reply.body, headers)
        if let delay = reply.retryAfter { self.headers.append(("Retry-After", delay)) }
        if reply.isReplay { self.headers.append(("Idempotency-Replayed", "true")) }
    }

    static func problem(_ status: Int, _ type: String, _ detail: String, retryAfter: String? = nil) -> HTTPResponse {
        let answer = WireAnswer.problem(status: status, type: type, detail: detail)
        return HTTPResponse(
            NetworkReply(status: status, body: Array(((try? answer.body()) ?? "").utf8), retryAfter: retryAfter))
    }

    static func problem(_ refusal: HTTPRefusal) -> HTTPResponse {
        problem(refusal.status, refusal.type, refusal.detail, retryAfter: refusal.status == 503 ? "1" : nil)
    }

    /// The answer's bytes; `length` is what it says of its body in place of the truth.
    func bytes(at now: Timestamp, toHead: Bool = false, closing: Bool = false, length: Int? = nil) -> [UInt8] {
        let hasBody = status >= 200 && status != 204 && status != 304
        var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status \(status)")", "Date: \(now.httpDate)"]
        if hasBody {
            lines += headers.map { "\($0.name): \($0.value)" }
            lines += ["Content-Length: \(length ?? body.count)", "Cache-Control: no-store"]
        }
        if closing { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (hasBody && !toHead ? body : [])
    }

    private static let reasons = [
        200: "OK", 201: "Created", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}

extension Timestamp {
    /// `Sat, 21 Nov 2026 06:54:02 GMT` (RFC 9110, section 5.6.7).
    var httpDate: String {
        var seconds = time_t(milliseconds / 1000), parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) \(clock) GMT"
    }
}
