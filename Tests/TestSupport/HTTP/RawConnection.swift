import Glibc
import Synchronization

/// `POLLRDHUP` of <poll.h>, which Swift's Glibc module lacks: the other side sends no more.
private let hangUp: Int16 = 0x2000

/// One connection of a `RawServer`. It belongs to the thread that serves it.
public final class RawConnection {
    /// Whether it is the first one that its server accepted.
    public let isFirst: Bool
    private let number: Int32
    private let ledger: Ledger
    private var unread: [UInt8] = []
    /// Whether its number may belong to another connection by now.
    private var isClosed = false

    init(_ number: Int32, isFirst: Bool, _ ledger: Ledger) {
        self.number = number
        self.ledger = ledger
        self.isFirst = isFirst
        var on: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for the next whole request; nil when none will come. Understands `Content-Length` alone.
    public func request() -> RawRequest? {
        var end: Int?
        while end == nil {
            end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
            if end == nil, !read() { return nil }
        }
        guard let end else { return nil }
        let lines = String(decoding: unread[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = String(value.drop { $0 == " " })
        }
        let size = fields["content-length"].flatMap { Int($0) } ?? 0
        while unread.count < end + size {
            if !read() { return nil }
        }
        let request = RawRequest(
            method: String(words[0]), target: String(words[1]), fields: fields, body: Array(unread[end..<(end + size)]))
        unread.removeFirst(end + size)
        ledger.state.withLock { state in
            state.requestCount += 1
            if state.requestCount <= 1000 { state.requests.append(request) }
        }
        return request
    }

    private func read() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { unread.append(contentsOf: buffer[..<count]) }
            return count > 0
        }
    }

    /// Sends these bytes; false when the other side is gone.
    @discardableResult
    public func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
            ledger.state.withLock { $0.sentBytes += count }
        }
        return true
    }

    /// Sends this text; false when the other side is gone.
    @discardableResult
    public func send(_ text: String) -> Bool { send(text.utf8) }

    /// Waits; false as soon as the other side, or the server, is gone.
    public func wait(_ duration: Duration = .seconds(60)) -> Bool {
        var waiting = pollfd(fd: number, events: hangUp, revents: 0)
        return poll(&waiting, 1, Int32(duration / .milliseconds(1))) == 0
    }

    /// Waits until the server has accepted so many connections; false when that does not come to pass in a minute.
    public func waitForConnections(_ count: Int) -> Bool {
        let deadline = Deadline(after: .seconds(60))
        while ledger.state.withLock({ $0.accepted < count && !$0.isStopping }) {
            guard !deadline.hasPassed else { return false }
            poll(nil, 0, 1)
        }
        return true
    }

    /// Closes the connection in good order; the other side may still send for a while.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        ledger.close(number)
    }

    /// Says that nothing more comes from here, and leaves the other direction open.
    public func finishSending() { shutdown(number, Int32(SHUT_WR)) }

    /// Makes the server refuse every further connection.
    public func stopListening() { ledger.stopListening() }

    /// Breaks the connection off: the other side gets a reset.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }
}
