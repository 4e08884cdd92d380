/// Reads requests of HTTP/1.1 (RFC 9112) from the bytes of a connection, however they are cut; does no I/O.
///
/// It is strict where leniency lets two programs see two different requests: lines end in CR LF, lengths are plain
/// numbers and stand there once, and a body of unknown length is refused.
struct RequestParser {
    enum Event: Sendable, Equatable {
        /// The bytes so far are the beginning of something.
        case needsMore
        /// The client waits to be told to send its body.
        case expectsContinue
        case request(HTTPRequest)
        /// What comes on this connection cannot be read any more.
        case refused(HTTPRefusal)
    }

    private enum State {
        case head
        case body(HTTPRequest, length: Int)
        case refused(HTTPRefusal)
    }

    private let limits: HTTPLimits
    private var state = State.head
    private var buffer: [UInt8] = []
    /// The beginning of the line that is not whole yet, and how far it was searched for its end.
    private var lineStart = 0, searched = 0
    private var lines: [Range<Int>] = []

    init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    /// Whether a request has begun and is not whole.
    var isInsideRequest: Bool {
        if case .head = state { return !buffer.isEmpty }
        return true
    }

    mutating func feed(_ bytes: some Collection<UInt8>) {
        if case .refused = state { return }
        buffer += bytes
    }

    mutating func next() -> Event {
        switch state {
        case .refused(let refusal): return .refused(refusal)
        case .body(var request, let length):
            guard buffer.count >= length else { return .needsMore }
            request.body = Array(buffer[..<length])
            consume(length)
            state = .head
            return .request(request)
        case .head:
            do throws(HTTPRefusal) {
                guard let end = try endOfHead() else { return .needsMore }
                let head = try RequestHead(lines.map { buffer[$0] }, limits)
                consume(end)
                state = .body(head.request, length: head.length)
                return head.expectsContinue ? .expectsContinue : next()
            } catch {
                state = .refused(error)
                buffer = []
                return .refused(error)
            }
        }
    }

    /// Where the empty line ends that follows the headers; nil while it has not come.
    private mutating func endOfHead() throws(HTTPRefusal) -> Int? {
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            searched = end + 1
            try checkSize(upTo: end)
            guard end > lineStart, buffer[end - 1] == UInt8(ascii: "\r") else { throw .badLine }
            let line = lineStart..<(end - 1)
            lineStart = searched
            if line.isEmpty {
                if !lines.isEmpty { return searched }
                // One empty line before a request is forgiven; the RFC asks for that.
                guard line.lowerBound == 0 else { throw .badLine }
                continue
            }
            guard lines.count <= limits.headers else { throw .headTooLong }
            lines.append(line)
        }
        searched = buffer.count
        try checkSize(upTo: searched)
        return nil
    }

    /// Checks a line, whole or not, before its bytes are looked at: so the cut of the bytes changes no verdict.
    private func checkSize(upTo end: Int) throws(HTTPRefusal) {
        if lines.isEmpty, end - lineStart > limits.requestLine { throw .targetTooLong }
        guard searched <= limits.head else { throw .headTooLong }
    }

    private mutating func consume(_ count: Int) {
        buffer.removeFirst(count)
        lineStart = 0
        searched = 0
        lines = []
    }
}
