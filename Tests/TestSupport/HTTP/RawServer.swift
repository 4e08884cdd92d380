import Foundation
import Glibc
import Synchronization

/// A server on loopback that says byte for byte what a test wants it to say; every connection has its own thread.
///
/// All its connections end with it.
public final class RawServer: Sendable {
    /// The port on 127.0.0.1 where it listens.
    public let port: Int
    private let ledger: Ledger

    /// Begins to listen and calls `serve` for every connection, which is closed when `serve` returns.
    ///
    /// - Parameter backlog: how many connections may wait to be accepted.
    public init(backlog: Int32 = 512, _ serve: @escaping @Sendable (RawConnection) -> Void) throws {
        let listening = try ListeningSocket(backlog: backlog)
        let ledger = Ledger(listening: listening.number)
        (port, self.ledger) = (listening.port, ledger)
        Thread.detachNewThread {
            while let number = ledger.accept() {
                let isFirst = ledger.state.withLock { $0.accepted } == 1
                Thread.detachNewThread {
                    let connection = RawConnection(number, isFirst: isFirst, ledger)
                    serve(connection)
                    connection.close()
                }
            }
        }
    }

    deinit {
        ledger.stop()
    }

    /// The address for a client, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The first thousand requests that came whole, in the order of their ends.
    public var requests: [RawRequest] { ledger.state.withLock { $0.requests } }

    /// How many requests came whole.
    public var requestCount: Int { ledger.state.withLock { $0.requestCount } }

    /// How many connections were accepted.
    public var connections: Int { ledger.state.withLock { $0.accepted } }

    /// How many bytes the connections took from `send`.
    public var sentBytes: Int { ledger.state.withLock { $0.sentBytes } }

    /// How many connections are open.
    public var openConnections: Int { ledger.state.withLock { $0.open.count } }
}

/// A request as it came.
public struct RawRequest: Sendable {
    /// The first word of its first line.
    public let method: String
    /// The second word of its first line.
    public let target: String
    /// The fields of the head: names in lower case, values as they came.
    public let fields: [String: String]
    /// What followed the head.
    public let body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// What the threads of one server share.
final class Ledger: Sendable {
    struct State {
        var open: Set<Int32> = []
        var requests: [RawRequest] = []
        var requestCount = 0
        var accepted = 0
        var sentBytes = 0
        var listening: Int32
        var isStopping = false
    }

    let state: Mutex<State>

    init(listening: Int32) {
        state = Mutex(State(listening: listening))
    }

    /// Waits for the next connection; nil when the server stops.
    func accept() -> Int32? {
        let listening = state.withLock { $0.listening }
        while true {
            var waiting = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, 50)
            let number = state.withLock { state -> Int32? in
                guard !state.isStopping else {
                    Glibc.close(listening)
                    return nil
                }
                guard waiting.revents != 0 else { return -1 }
                let number = Glibc.accept(listening, nil, nil)
                guard number >= 0 || errno != EINVAL else {
                    Glibc.close(listening)
                    return nil
                }
                if number >= 0 {
                    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                    state.open.insert(number)
                    state.accepted += 1
                }
                return number
            }
            guard let number else { return nil }
            if number >= 0 { return number }
        }
    }

    func stopListening() {
        state.withLock { _ = shutdown($0.listening, Int32(SHUT_RDWR)) }
    }

    /// Ends every connection; their threads close them.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            for number in state.open { shutdown(number, Int32(SHUT_RDWR)) }
        }
    }

    func close(_ number: Int32) {
        // Under the lock, so that no other connection gets the number before it is forgotten.
        state.withLock { state in
            guard state.open.remove(number) != nil else { return }
            Glibc.close(number)
        }
    }
}

/// A socket that listens on 127.0.0.1, on a port that the system chose.
public struct ListeningSocket {
    /// The descriptor, which is the caller's to close.
    public let number: Int32
    /// The port.
    public let port: Int

    /// Begins to listen.
    public init(backlog: Int32) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Failure(call: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let error = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) == 0 && listen(number, backlog) == 0 && getsockname(number, $0, &size) == 0
                    ? 0 : errno
            }
        }
        guard error == 0 else { throw Failure(call: "listen", error: error) }
        self.number = number
        port = Int(UInt16(bigEndian: address.sin_port))
    }
}
